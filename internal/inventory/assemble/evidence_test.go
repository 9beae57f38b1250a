package assemble

import (
	"fmt"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	o := Output{index: &index{text: []byte("one\n  two \n\nfour")}}
	for _, c := range []struct {
		number int
		want   string
	}{{1, "one"}, {2, "two"}, {4, "four"}, {5, ""}, {9, ""}, {3, ""}, {0, ""}} {
		if got := o.at(c.number).Text; got != c.want {
			t.Errorf("line %d: got %q, want %q", c.number, got, c.want)
		}
	}
	if got := (Output{index: &index{}}).at(1).Text; got != "" {
		t.Errorf("line 1 of nothing: got %q, want none", got)
	}
}

// A host with any number of interfaces is read in time that grows with what it
// prints, and no more of it is kept than any real one has.
func TestManyInterfaces(t *testing.T) {
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "en%d: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT>\n\t tcp_sendspace %d tcp_recvspace 262144 rfc1323 1\n", i, i)
	}
	h := Host(About{Name: "lpar1", Platform: "aix"}, []Output{{ID: "ifconfig-a", Command: "ifconfig -a", Text: []byte(text.String())}})
	if len(h.Elements) != maxElements || len(h.Gaps) == 0 || h.Gaps[0].What != "lpar1" {
		t.Errorf("got %d elements and gaps %v, want %d and that lpar1 was not read completely", len(h.Elements), h.Gaps, maxElements)
	}
	if from := h.Elements["en8000"].Attrs["mtu_bypass"].From; len(from) == 0 || from[0].Line != 16001 {
		t.Errorf("evidence of en8000: got %+v, want line 16001", from)
	}
}

// A tunable's evidence is its own line, not that of a longer name with the same
// end.
func TestTunableEvidence(t *testing.T) {
	h := Host(About{Name: "lpar1", Platform: "aix"}, []Output{{ID: "no-a", Command: "no -a", Text: []byte("   tcp_sack = 1\n       sack = 0\n")}})
	a := h.Tunables["sack"]
	if a == nil || len(a.From) != 1 || a.From[0].Line != 2 || a.From[0].Text != "sack = 0" {
		t.Errorf("evidence of sack: got %+v, want line 2, \"sack = 0\"", a)
	}
}
