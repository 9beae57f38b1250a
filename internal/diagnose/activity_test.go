package diagnose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/diagnose"
)

func TestConnections(t *testing.T) {
	const aix = `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)
tcp        0      0  *.22                   *.*                    LISTEN
tcp4   70000     12  10.10.10.13.5201       10.10.10.11.43210      ESTABLISHED
tcp4       0      0  10.10.10.13.22         10.10.10.1.50000       TIME_WAIT
`
	const linux = `ESTAB 0 36 10.10.10.13:5201 10.10.10.11:43210 cubic wscale:7,7 rto:204 rtt:0.125/0.031 mss:1448 cwnd:10 retrans:0/7 rcv_space:14480
0      0      10.10.10.13:22    10.10.10.1:50000 cubic rto:201 rtt:0.5/0.2
`
	want := []diagnose.Connection{{Host: "h", Local: "10.10.10.13.5201", Remote: "10.10.10.11.43210", RecvQ: 70000, SendQ: 12}}
	if diff := cmp.Diff(want, diagnose.Connections("h", aix)); diff != "" {
		t.Errorf("netstat -an (-want +got):\n%s", diff)
	}
	want = []diagnose.Connection{
		{Host: "h", Local: "10.10.10.13:5201", Remote: "10.10.10.11:43210", SendQ: 36, RTTms: 0.125, Retran: 7},
		{Host: "h", Local: "10.10.10.13:22", Remote: "10.10.10.1:50000", RTTms: 0.5},
	}
	if diff := cmp.Diff(want, diagnose.Connections("h", linux)); diff != "" {
		t.Errorf("ss -tin (-want +got):\n%s", diff)
	}
}

func FuzzConnections(f *testing.F) {
	f.Add("tcp4 1 2 10.0.0.1.5 10.0.0.2.6 ESTABLISHED\n")
	f.Add("ESTAB 0 36 [::1]:22 [::2]:1 rtt:1/2 retrans:0/9\n")
	f.Fuzz(func(t *testing.T, text string) {
		diagnose.Connections("h", text)
	})
}

// What waited once is a busy connection's, what waits each time a slow program's.
func TestStillQueued(t *testing.T) {
	all := []diagnose.Connection{{Local: "a:1", Remote: "b:1", RecvQ: 90000}, {Local: "a:2", Remote: "b:2", RecvQ: 70000}, {Local: "a:3", Remote: "b:3", RecvQ: 5}}
	later := []diagnose.Connection{{Local: "a:2", Remote: "b:2", RecvQ: 80000}, {Local: "a:1", Remote: "b:1", RecvQ: 0}}
	want := []diagnose.Connection{{Local: "a:1", Remote: "b:1"}, {Local: "a:2", Remote: "b:2", RecvQ: 70000}, {Local: "a:3", Remote: "b:3"}}
	if diff := cmp.Diff(want, diagnose.StillQueued(all, later)); diff != "" {
		t.Error(diff)
	}
}
