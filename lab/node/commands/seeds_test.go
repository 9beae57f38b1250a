package commands_test

import (
	"strings"
	"testing"

	"seaworthy/lab/topology"
)

// The command lines that administrators' articles give, on devices of this
// lab's names, each with what it has to say.
func TestCommandLinesOfTheField(t *testing.T) {
	l := newLab(t, "two-systems")
	for _, x := range []struct{ who, line, out, errs string }{
		{"lpar1", "chdev -l en0 -a mtu_bypass=on", "en0 changed", ""},
		{"lpar1", "lsattr -El en0", "mtu_bypass    on", ""},
		{"vios1", "chdev -l ent5 -a largesend=1", "ent5 changed", ""},
		{"vios1", "chdev -l ent5 -a jumbo_frames=yes", "ent5 changed", ""},
		{"vios1", "chdev -l ent5 -a large_receive=yes", "ent5 changed", ""},
		{"vios1", "chdev -l ent0 -a large_receive=no", "", "0514-062"},
		{"vios1", "lsattr -El ent0 -a large_send", "large_send yes", ""},
		{"vios1", "lsattr -El ent0 -a chksum_offload", "chksum_offload yes", ""},
		{"vios1", "chdev -l en5 -a state=down", "en5 changed", ""},
		{"vios1", "chdev -l en5 -a state=detach", "en5 changed", ""},
		{"vios1", "chdev -l en5 -a mtu=9000", "en5 changed", ""},
		{"vios1", "chdev -l en5 -a state=up", "en5 changed", ""},
		{"vios1", "mkdev -l inet0", "inet0 Available", ""},
		{"vios1", "netstat -in", "en5   9000", ""},
		{"vios1", "ifconfig en5 up", "", ""},
		{"padmin@vios1", "chdev -dev ent5 -attr accounting=enabled", "ent5 changed", ""},
		{"padmin@vios1", "chdev -dev ent5 -attr thread=0", "ent5 changed", ""},
		{"padmin@vios1", "lsdev -dev ent5 -attr", "real_adapter    ent0", ""},
		{"padmin@vios1", "lsdev -dev ent0 -attr", "flow_ctrl", ""},
		{"vios1", "chdev -l ent4 -a max_buf_huge=128 -P", "ent4 changed", ""},
		{"vios1", "chdev -l ent4 -a min_buf_huge=64 -P", "ent4 changed", ""},
		{"vios1", "chdev -l ent4-a min_buf_huge=64 -P", "", "Usage"},
		{"vios1", "chdev -l ent4 -a max_buf_medium=512 -P", "ent4 changed", ""},
		{"vios1", "chdev -l ent4 -a max_buf_small=4096 -P", "ent4 changed", ""},
		{"vios1", "chdev -l ent4 -a min_buf_small=4097 -P", "", "0514-018"},
		{"vios1", "chdev -l ent4 -a max_buf_tiny=4096 -P", "ent4 changed", ""},
		{"vios1", "chdev -l ent4 -a min_buf_tiny=2048 -P", "ent4 changed", ""},
		{"vios1", "lsattr -El ent4 -a min_buf_tiny", "min_buf_tiny 2048", ""},
		{"vios1", "chdev -l ent4 -a dcbflush_local=yes -P", "ent4 changed", ""},
		{"vios1", "chdev -l ent4 -a dcbflush_local=yes –P", "", "Usage"},
		{"lpar1", "chdev -l en0 -a thread=on", "en0 changed", ""},
		{"lpar1", "ifconfig en0 thread", "", ""},
		{"lpar1", "ifconfig en0 largesend", "", ""},
		{"lpar1", "ifconfig en0", "LARGESEND", ""},
		{"lpar1", "chdev -l ent0 -a buf_mode=max_min", "ent0 changed", ""},
		{"lpar1", "chdev -l ent0 -a buf_mode=min -P", "ent0 changed", ""},
		{"lpar1", "no -o tcp_sendspace=262144 -o tcp_recvspace=262144", "Setting tcp_sendspace to 262144", ""},
		{"lpar1", "no -o tcp_sendspace=524288 -o tcp_recvspace=524288", "Setting tcp_recvspace to 524288", ""},
		{"lpar1", "no -o tcp_recvspace -o tcp_sendspace", "tcp_recvspace = 524288", ""},
		{"lpar1", "lparstat -i", "Entitled Capacity", ""},
		{"lpar1", "entstat -d ent0", "Max Buffers", ""},
	} {
		out, errs, status := l.run(x.who, x.line)
		switch {
		case x.errs == "" && status != 0:
			t.Errorf("%s: %s: got status %d, stderr %q, want 0", x.who, x.line, status, errs)
		case x.errs != "" && (status == 0 || !strings.Contains(errs, x.errs)):
			t.Errorf("%s: %s: got status %d, stderr %q, want %q", x.who, x.line, status, errs, x.errs)
		case !strings.Contains(out, x.out):
			t.Errorf("%s: %s: got %q, want %q in it", x.who, x.line, out, x.out)
		}
	}
}

// A 100 Gbit/s port has the queues of its driver.
func TestHundredGigabit(t *testing.T) {
	top, err := topology.Load(t.Context(), "dedicated")
	if err != nil {
		t.Fatal(err)
	}
	for i := range top.Systems {
		top.Systems[i].Nodes[0].Adapters[0].LineRate = 100e9
	}
	l := labOf(t, top)
	l.must("lpar1", "ifconfig en0 detach")
	l.must("lpar1", "chdev -l ent0 -a queues_rx=20 -a queues_tx=12 -a rx_max_pkts=2048 -a tx_send_cnt=16")
	l.want("queues_rx", l.value("lpar1", "ent0", "queues_rx"), "20")
	l.must("lpar1", "chdev -l en0 -a state=up")
	l.want("rate", l.end("lpar1", "en0").RateBits, uint64(100_000_000_000*(1500+14)/(1500+38))) // less preamble, checksum and gap
}
