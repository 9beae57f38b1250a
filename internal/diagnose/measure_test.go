package diagnose_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
)

// pinger is a host whose pings are answered or not, by their size and number.
type pinger struct {
	name     string
	answered func(size, sent int) int // of the sent packets of a command
	err      error
	prints   string // instead of what ping prints
}

func (p *pinger) Name() string { return p.name }
func (p *pinger) Close() error { return nil }
func (p *pinger) Start(context.Context, string) (*remote.Session, error) {
	return nil, io.ErrUnexpectedEOF
}

var (
	pingCount = regexp.MustCompile(`ping .*-c (\d+)`)
	pingSize  = regexp.MustCompile(`ping .*-s (\d+)`)
)

func (p *pinger) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	n, s := pingCount.FindStringSubmatch(c.Line), pingSize.FindStringSubmatch(c.Line)
	switch {
	case n == nil || s == nil:
		return &remote.Result{Exit: 1}, nil
	case p.err != nil:
		return nil, p.err
	case p.prints != "":
		return &remote.Result{Exit: 1, Stderr: []byte(p.prints)}, nil
	}
	sent, _ := strconv.Atoi(n[1])
	size, _ := strconv.Atoi(s[1])
	got := p.answered(size, sent)
	return &remote.Result{Stdout: fmt.Appendf(nil, "PING 192.0.2.1: (192.0.2.1): %d data bytes\n\n--- 192.0.2.1 ping statistics ---\n"+
		"%d packets transmitted, %d packets received, %d%% packet loss\n", size, sent, got, 100-100*got/sent)}, nil
}

// measured returns what a prober measures where lpar1's pings go as told; lpar2's all pass.
func measured(t *testing.T, mtu string, lpar1 *pinger) (out []diagnose.Measured) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		attrs := with{"attrs": with{"mtu": mtu}}
		in := input(t, "two-systems", with{"lpar1:en0": attrs, "lpar2:en0": attrs}, nil)
		lpar1.name = "lpar1"
		all := func(_, sent int) int { return sent }
		p := diagnose.Prober{Fleet: in.Fleet, Hosts: map[string]remote.Host{"lpar1": lpar1,
			"lpar2": &pinger{name: "lpar2", answered: all}}}
		out = p.Path(t.Context(), in.Path)
	})
	return out
}

// A loss is what was counted, not what fits a verdict.
func TestLossAsCounted(t *testing.T) {
	got := measured(t, "1500", &pinger{answered: func(_, sent int) int {
		if sent == 1 {
			return 1
		}
		return 0
	}})[0]
	if got.Sent == 0 || got.Lost != got.Sent || !got.SmallPassed {
		t.Errorf("got %d of %d lost, a small one passed: %v; want all lost, and that one passed", got.Lost, got.Sent, got.SmallPassed)
	}
}

// A path MTU that was measured stays, with the packets that passed later beside it.
func TestPathMTUStays(t *testing.T) {
	got := measured(t, "9000", &pinger{answered: func(size, sent int) int {
		if size > 1500 && sent < 3 { // one or two that ask for the path MTU
			return 0
		}
		return sent
	}})[0]
	if got.MTU == nil || got.MTU.Verdict != pathmtu.BlackHole || got.LargeSent == 0 {
		t.Fatalf("got %+v, want the verdict %q and packets of 9000 bytes sent again", got, pathmtu.BlackHole)
	}
	if got.LargePassed != got.LargeSent {
		t.Errorf("got %d of %d large packets passed, want all", got.LargePassed, got.LargeSent)
	}
}

// While a measurement is missing, the causes that rest on it are neither ruled out nor the path healthy.
func TestMissingMeasurements(t *testing.T) {
	hangs := &pinger{err: errors.New("lpar1: ping: still running after 12s")}
	refuses := &pinger{prints: "ping: Operation not permitted\n"}
	for name, take := range map[string]func(*diagnose.Input){
		"no pings":        func(in *diagnose.Input) { in.Measured = nil },
		"pings that hang": func(in *diagnose.Input) { in.Measured = measured(t, "1500", hangs)[:1] },
		"no permission":   func(in *diagnose.Input) { in.Measured = measured(t, "1500", refuses)[:1] },
		"round trip": func(in *diagnose.Input) {
			for i := range in.Measured {
				in.Measured[i].RTTms = 0
			}
		},
		"loss": func(in *diagnose.Input) {
			for i := range in.Measured {
				in.Measured[i].Sent = 0
			}
		},
		"path MTU": func(in *diagnose.Input) {
			for i := range in.Measured {
				in.Measured[i].MTU = nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tcp := with{"protocols": with{"tcp.packets_sent": 30000, "tcp.packets_sent.data_packets_retransmitted": 0}}
			in := input(t, "two-systems", with{"lpar1": tcp, "lpar2": tcp}, nil)
			whole, err := diagnose.Judge(t.Context(), in)
			if err != nil || whole.Verdict != diagnose.NotNetwork {
				t.Fatalf("with all measurements: got %q, %v, want %q", whole.Verdict, err, diagnose.NotNetwork)
			}
			take(&in)
			d, err := diagnose.Judge(t.Context(), in)
			if err != nil || d.Verdict != diagnose.Inconclusive {
				t.Fatalf("got %q, %v, want %q", d.Verdict, err, diagnose.Inconclusive)
			}
			open := map[string]bool{}
			for _, n := range d.NotSeen {
				if strings.Contains(n.Allow, "seaworthy ") {
					for _, id := range n.IDs {
						open[id] = true
					}
				}
			}
			if len(open) == 0 {
				t.Errorf("got %+v not seen, want causes with the command that measures", d.NotSeen)
			}
			for _, r := range d.RuledOut {
				if open[r.ID] {
					t.Errorf("%s is ruled out, and not looked at", r.ID)
				}
			}
		})
	}
}

// Each measurement that a cause rests on is one that diagnose knows.
func TestMeasurementsOfCauses(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range cat.Measurements() {
		known[m.Name] = m.Title != "" && m.How != ""
	}
	for _, c := range cat.Causes() {
		for _, name := range c.Measured {
			if !known[name] {
				t.Errorf("%s: got the measurement %s, want one with title and how", c.ID, name)
			}
		}
	}
}
