package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
	"seaworthy/lab/fault"
)

// counter is the sum of what a command prints behind a label.
func counter(t *testing.T, text, label string) (n int) {
	t.Helper()
	all := regexp.MustCompile(label+`: (\d+)`).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		t.Fatalf("no %s in\n%s", label, text)
	}
	for _, m := range all {
		v, _ := strconv.Atoi(m[1])
		n += v
	}
	return n
}

// Several faults at once do not hide each other, a fault is mended once, and a
// stream outlives all that its path survives.
func TestFaultsTogether(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "dual-vios")
	must(t, l, "lpar2", "iperf -s -D; until netstat -an | grep -q '[.]5001 .*LISTEN'; do sleep 0.05; done")
	must(t, l, "lpar1", "iperf -c 10.10.10.12 -t 60 >/tmp/out 2>&1 & echo $! >/tmp/pid; sleep 0.3")
	alive := func(when string) {
		t.Helper()
		// What a stream has sent grows, whatever TCP has to make good.
		read := func() int {
			return counter(t, must(t, l, "lpar1", "entstat ent0"), "Packets")
		}
		before := read()
		for range 200 {
			must(t, l, "lpar1", "sleep 0.1")
			if read() > before+100 {
				return
			}
		}
		t.Errorf("%s: the stream stands still at %d packets", when, read())
	}
	alive("all is well")
	// The first VIOS dies while its partner's cable is bad.
	breakIt(t, l, fault.Fault{Kind: "loss", Target: "vios1b:ent0", Value: "2"})
	breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios1a"})
	alive("over the partner, with loss")
	lost := 0
	for i := 0; lost == 0 && i < 200; i++ {
		lost = counter(t, must(t, l, "vios1b", "sleep 0.1; entstat ent0"), "Receive Errors")
	}
	if lost == 0 {
		t.Error("vios1b: no Receive Errors, want those of the bad cable")
	}
	if out := must(t, l, "vios1b", "entstat -d ent5"); !strings.Contains(out, "State: PRIMARY") {
		t.Errorf("vios1b took over: got\n%s\nwant it PRIMARY", out)
	}
	// Nobody is left in the other system but one; the crash of a node that has
	// crashed is the same crash.
	breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios1a"})
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "vios2b:ent0"})
	alive("and a port of the other system")
	mend(t, l, fault.Fault{Target: "vios1a"})
	alive("the first VIOS is back")
	if err := l.Query(t.Context(), "mend", fault.Fault{Target: "vios1a"}, nil); err == nil {
		t.Error("mended twice: got success, want to hear that nothing is broken")
	}
	mend(t, l, fault.Fault{})
	alive("all is mended")
	must(t, l, "lpar1", "kill $(cat /tmp/pid)")
	// A lab that ends while it is broken ends all the same: see up.
	breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios2a"})
	breakIt(t, l, fault.Fault{Kind: "flap", Target: "vios2b:ent0", Value: "200ms"})
}
