package linewise

import "testing"

const nfsSample = `Client rpc:
Connection oriented
calls      badcalls   badxids    timeouts   newcreds   badverfs   timers
81000      3          0          40         0          0          0
nomem      cantconn   interrupts
0          1          0
Connectionless
calls      badcalls   retrans    badxids    timeouts   newcreds   badverfs
500        0          20         0          20         0          0

Client nfs:
calls      badcalls   clgets     cltoomany
81400      0          0          0
/data from nas1:/vol/data
 Flags:   vers=3,proto=udp,auth=unix,hard,intr,rsize=8192,wsize=8192,retrans=5
`

const nfsLinux = `Client rpc stats:
calls      retrans    authrefrsh
94210      12         94221

Client nfs v4:
null             read             write
1         0%     900      1%      40000    42%
`

func TestParseNFSStatistics(t *testing.T) {
	s, err := ParseNFSStatistics([]byte(nfsSample))
	if err != nil || len(s.Unknown) > 0 || len(s.Mounts) != 1 {
		t.Fatalf("got %+v, %v", s, err)
	}
	for name, want := range map[string]uint64{"client.connection.calls": 81000, "client.connection.timeouts": 40,
		"client.connection.cantconn": 1, "client.connectionless.retrans": 20} {
		if got := s.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	if m := s.Mounts[0]; m.From != "/data from nas1:/vol/data" || m.Options["proto"] != "udp" || m.Options["rsize"] != "8192" {
		t.Errorf("got %+v", m)
	}
	s, err = ParseNFSStatistics([]byte(nfsLinux))
	if err != nil || s.Counters["client.retrans"] != 12 || len(s.Unknown) > 0 {
		t.Errorf("Linux: got %+v, %v", s, err)
	}
}
