package linewise

import "testing"

const (
	stateCounts = "      1 established)\n      1 Foreign\n  9211 CLOSE_WAIT\n    77 ESTABLISHED\n    40 TIME_WAIT\n"
	stateSums   = "TIME-WAIT 212\nESTAB 31\nSYN-SENT 6\n"
	diskBlocks  = "System configuration: lcpu=8 drives=2 paths=2 vdisks=1\n\n" +
		"hdisk7         xfer:  %tm_act      bps      tps      bread      bwrtn\n                        97.0     12.1M     210.0      1.2M      10.9M\n" +
		"               read:      rps  avgserv  minserv  maxserv   timeouts      fails\n                         20.1     44.5      0.2     912.0           0          0\n" +
		"              write:      wps  avgserv  minserv  maxserv   timeouts      fails\n                        189.9     51.5      0.4    1211.0           0          0\n" +
		"              queue:  avgtime  mintime  maxtime  avgwqsz    avgsqsz     sqfull\n                        142.1      0.0    2212.1     31.0        7.1       201\n"
	diskRows = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           3.10    0.00    1.20   40.10    0.00   55.60\n\n" +
		"Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  aqu-sz  %util\nsdc              1.00      8.00     12.40  210.00   9000.00    88.25   18.10  99.60\nsdd              0.00      0.00      0.00    1.00      4.00     0.30    0.00   0.10\n"
	neighbourSample = "192.0.2.1 dev eth3  FAILED\n192.0.2.7 dev eth3 lladdr 52:54:00:0a:0b:0c REACHABLE\nfe80::1 dev eth3 lladdr 52:54:00:0a:0b:0d router STALE\n"
)

// How many connections are in a state is read by either order, with the names of AIX.
func TestTCPStates(t *testing.T) {
	counts, err := ParseTCPStates([]byte(stateCounts))
	if err != nil || len(counts.Counts) != 3 || counts.Counts["CLOSE_WAIT"] != 9211 || counts.Lines["CLOSE_WAIT"] != 3 {
		t.Errorf("uniq -c: got %+v, %v", counts, err)
	}
	sums, err := ParseTCPStates([]byte(stateSums))
	if err != nil || sums.Counts["SYN_SENT"] != 6 || sums.Counts["ESTABLISHED"] != 31 || sums.Counts["TIME_WAIT"] != 212 {
		t.Errorf("awk: got %+v, %v", sums, err)
	}
}

// How busy a disk is and how long it takes is read by the headings of either system.
func TestDisks(t *testing.T) {
	blocks, err := ParseDisks([]byte(diskBlocks))
	if err != nil || len(blocks.Disks) != 1 || blocks.Disks[0].Name != "hdisk7" || blocks.Disks[0].Busy != 97 || *blocks.Disks[0].WaitMS != 51.5 {
		t.Errorf("iostat -D: got %+v, %v", blocks, err)
	}
	rows, err := ParseDisks([]byte(diskRows))
	if err != nil || len(rows.Disks) != 2 || rows.Disks[0].Busy != 99.6 || *rows.Disks[0].WaitMS != 88.25 || *rows.Disks[1].WaitMS != 0.3 {
		t.Errorf("iostat -x: got %+v, %v", rows, err)
	}
}

// Whom nobody answered for is told apart from those who answered.
func TestNeighbours(t *testing.T) {
	table, err := ParseNeighbours([]byte(neighbourSample))
	if err != nil || len(table.Entries) != 3 || !table.Entries[0].Silent() || table.Entries[1].Silent() || table.Entries[1].MAC != "52:54:00:0a:0b:0c" {
		t.Errorf("got %+v, %v", table, err)
	}
}

// A window of 0 closes a connection's way; a reset and the window of others do not.
func TestClosedWindows(t *testing.T) {
	capture, err := ParseCapture([]byte("10:00:00.100000 IP 192.0.2.1.80 > 192.0.2.2.41000: Flags [.], ack 91, win 0, length 0\n" +
		"10:00:00.200000 IP 192.0.2.1.80 > 192.0.2.2.41000: Flags [R], seq 9, win 0, length 0\n" +
		"10:00:00.300000 IP 192.0.2.1.1521 > 192.0.2.2.41001: . ack 7 win 0\n" +
		"10:00:00.400000 IP 192.0.2.1.1521 > 192.0.2.2.41001: . ack 7 win 8192\n"))
	if got := capture.ClosedWindows(); err != nil || len(got) != 2 || got[0] != 1 || got[1] != 3 {
		t.Errorf("got %v, %v, want lines 1 and 3", got, err)
	}
}

// Answers that came twice are counted by the summary.
func TestPingTwice(t *testing.T) {
	ping, err := ParsePing([]byte("PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\n30 packets transmitted, 30 received, +11 duplicates, 0% packet loss, time 29ms\n"))
	if err != nil || ping.Twice == nil || *ping.Twice != 11 {
		t.Errorf("got %+v, %v", ping, err)
	}
}

const pciSample = "5e:00.0 Ethernet controller: Vendor A 25GbE\n\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM not supported\n" +
	"\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x8 (downgraded)\n5e:00.1 Ethernet controller: Vendor A 25GbE\n" +
	"\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x8, ASPM L1\n\t\tLnkSta:\tSpeed 8GT/s (ok), Width x8 (ok)\n" +
	"60:00.0 Non-Volatile memory controller: Vendor B\n"

// A link is narrow where lanes or speed are less than the device can.
func TestPCIDevices(t *testing.T) {
	devices, err := ParsePCIDevices([]byte(pciSample))
	if err != nil || len(devices.Links) != 3 {
		t.Fatalf("got %+v, %v", devices, err)
	}
	narrow, known := devices.Links[0].Narrow()
	if !narrow || !known || !devices.Links[0].Network() {
		t.Errorf("first: got %v %v, want narrow", narrow, known)
	}
	narrow, known = devices.Links[1].Narrow()
	if narrow || !known {
		t.Errorf("second: got %v %v, want as it can", narrow, known)
	}
	if _, known := devices.Links[2].Narrow(); known || devices.Links[2].Network() {
		t.Error("third: got a link of a network, want a disk without one")
	}
}
