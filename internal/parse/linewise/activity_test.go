package linewise

import "testing"

const (
	tcpSocketSample = "Active Internet connections (including servers)\nProto Recv-Q Send-Q  Local Address          Foreign Address        (state)\n" +
		"tcp4   81920      0  192.0.2.12.5001        192.0.2.11.40112       ESTABLISHED\n\t so_state: (PRIV)\ntcp        0      0  *.22                   *.*                    LISTEN\n" +
		"udp4       0      0  *.514                  *.*\nActive UNIX domain sockets\n"
	linuxTCPSocketSample = "tcp        0   3100 192.0.2.12:5001         192.0.2.11:40112        ESTABLISHED 2211/java\n"
	topSample            = "top - 10:12:01 up 12 days,  3:11,  1 user,  load average: 1.31, 1.20, 1.10\nTasks: 212 total,   2 running\n%Cpu(s):  3.2 us,  4.1 sy\n" +
		"MiB Mem :  15823.1 total\n\n    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n" +
		"     14 root      20   0       0      0      0 R  91.0   0.0  88:12.31 ksoftirqd/0\n   2211 app       20   0 1312332 212331  11233 S   4,3   1.3  12:31.12 java\n"
	psSample = "USER          PID %CPU %MEM   SZ  RSS    TTY STAT    STIME  TIME COMMAND\n" +
		"backup    9437644 24.7  1.0 81233 81240      - A    10:02:11 412:33 /opt/bck/agent -stream 4\nroot      4391326  0.3  0.0   448   448      - A      Nov 02  3:22 syncd\n"
	mpstatSample = "Linux 5.14.0 (n) \t11/20/2025 \t_x86_64_\t(2 CPU)\n\n10:11:01 AM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %idle\n" +
		"10:11:06 AM  all    3.20    0.00    4.10    0.00    0.20   50.01    0.00   42.49\n10:11:06 AM    0    0.20    0.00    0.80    0.00    0.00   97.00    0.00    2.00\n" +
		"Average:       1    0.20    0.00    0.80    0.00    0.00    1.00    0.00   98.00\n"
	vmstatSample = "System configuration: lcpu=8 mem=8192MB ent=1.00\nkthr    memory              page              faults              cpu\n----- ----------- --------\n" +
		" r  b   avm   fre  re  pi  po  fr   sr  cy  in   sy  cs us sy id wa    pc    ec\n 9  2 81234  2123   0   0   0   0    0   0 812 9123 441 93  6  1  0  1.00 100.0\n"
	lookupSample = ";; connection timed out; trying next origin\nServer:\t\t192.0.2.53\n\nName:\tb.example.com\nAddress: 192.0.2.12\n\nreal\t1m2.500s\nuser\t0m0.007s\n"
	heldSample   = "Recv-Q Send-Q Local Address:Port Peer Address:Port\n0      90112  192.0.2.41:45122   192.0.2.42:9000\n" +
		"\t cubic rto:204 rtt:1.3/0.5 cwnd:310 busy:1000ms rwnd_limited:870ms(87.0%) minrtt:0.09\n"
)

// What hosts did while somebody looked is read with its values.
func TestActivity(t *testing.T) {
	top, err := ParseProcesses([]byte(topSample))
	if err != nil || len(top.Processes) != 2 || *top.Processes[1] != (Process{Name: "java", CPU: 4.3, Line: 8}) {
		t.Errorf("top: got %+v, %v", top, err)
	}
	ps, err := ParseProcesses([]byte(psSample))
	if err != nil || len(ps.Processes) != 2 || ps.Processes[0].Name != "agent" || ps.Processes[1].Name != "syncd" {
		t.Errorf("ps: got %+v, %v", ps, err)
	}
	loads, err := ParseProcessorLoads([]byte(mpstatSample))
	if err != nil || len(loads.Loads) != 3 || *loads.Loads[1] != (ProcessorLoad{CPU: "0", Soft: 97, Line: 5}) || loads.Loads[2].Soft != 1 {
		t.Errorf("mpstat: got %+v, %v", loads, err)
	}
	interrupts := "\n10:11:01 AM  CPU    intr/s\n10:11:06 AM  all     12.50\n\n10:11:01 AM  CPU        0/s       LOC/s\n" +
		"10:11:06 AM    0       0.00        4.00\n"
	interrupts += "\n10:11:01 AM NODE    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %idle\n" +
		"10:11:06 AM    0    0.20    0.00    0.80    0.00    0.00   97.00    0.00    2.00\n"
	all, err := ParseProcessorLoads([]byte(mpstatSample + interrupts + mpstatSample))
	if err != nil || len(all.Loads) != 6 || len(all.Unknown) > 0 {
		t.Errorf("mpstat -A: got %+v, %v", all, err)
	}
	vmstat, err := ParseActivity([]byte(vmstatSample))
	if err != nil || vmstat.Processors == nil || *vmstat.Processors != 8 || vmstat.Rows[0].Ready != 9 || vmstat.Rows[0].Blocked != 2 ||
		vmstat.Rows[0].Line != 5 || vmstat.Rows[0].PagedIn == nil || *vmstat.Rows[0].PagedIn != 0 {
		t.Errorf("vmstat: got %+v, %v", vmstat, err)
	}
	swaps, err := ParseActivity([]byte(" r  b   swpd   free si so wa\n 1  4  90122   2048 612 0 38\n"))
	if err != nil || *swaps.Rows[0].PagedIn != 612 || *swaps.Rows[0].PagedOut != 0 {
		t.Errorf("vmstat of Linux: got %+v, %v", swaps, err)
	}
	sockets, err := ParseTCPSockets([]byte(tcpSocketSample))
	if err != nil || len(sockets.Sockets) != 2 || sockets.Sockets[0].Received != 81920 || sockets.Sockets[0].State != "ESTABLISHED" {
		t.Errorf("netstat -an: got %+v, %v", sockets, err)
	}
	held, err := ParseSockets([]byte(heldSample))
	if err != nil || len(held.Sockets) != 1 || held.Sockets[0].Held == nil || *held.Sockets[0].Held != 87 {
		t.Errorf("ss: got %+v, %v", held, err)
	}
	lookup, err := ParseLookupTime([]byte(lookupSample))
	if err != nil || lookup.Seconds == nil || *lookup.Seconds != 62.5 || lookup.Line != 7 || len(lookup.Silent) != 1 {
		t.Errorf("time nslookup: got %+v, %v", lookup, err)
	}
}
