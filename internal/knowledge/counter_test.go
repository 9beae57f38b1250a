package knowledge

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Every counter of the table is a base, is weighed by rules that ask for it, or says why not.
func TestCounters(t *testing.T) {
	all, err := Counters()
	if err != nil {
		t.Fatal(err)
	}
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	asks := map[string]string{}
	for _, r := range cat.Rules() {
		for _, k := range r.Checks {
			asks[r.ID] += strings.Join([]string{k.When, k.Condition, k.Harm, fmt.Sprint(k.Grades, k.Advice)}, " ")
			for _, p := range PortCounters(cat) {
				if strings.Contains(asks[r.ID], `"@`+p.Fact+`"`) {
					asks[r.ID] += " " + strings.Join(p.Names, " ")
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.Name] || c.Counts == "" {
			t.Errorf("%s: want one entry, with what it counts", c.Name)
		}
		seen[c.Name] = true
		if n := len(slices.DeleteFunc([]bool{c.Base, len(c.Weighed) > 0, c.Unweighed != ""}, func(is bool) bool { return !is })); n != 1 {
			t.Errorf("%s: want one of base, weighed and unweighed", c.Name)
		}
		if base, ok := CounterOf(c.Per); c.Per != "" && (!ok || base.Name != c.Per) {
			t.Errorf("%s: its base %s has no entry", c.Name, c.Per)
		}
		for _, id := range c.Weighed {
			text, ok := asks[id]
			if !ok {
				t.Errorf("%s: there is no rule %s", c.Name, id)
			}
			label := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(c.Name, "*"), "tx."), "rx.")
			if !strings.Contains(text, label) && c.Name != "mbuf.failed" { // that one is the fact mbufs_failed
				t.Errorf("%s: rule %s does not ask for it", c.Name, id)
			}
		}
	}
}

// What rules ask of AIX's protocols stands in the table, as weighed or as a base.
func TestCountersOfRules(t *testing.T) {
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range cat.Rules() {
		for _, k := range r.Checks {
			for _, name := range protocolNames(k.When + " " + k.Condition) {
				if c, ok := CounterOf(name); !ok || !c.Base && !slices.Contains(c.Weighed, r.ID) {
					t.Errorf("rule %s asks for %s, which the table does not say", r.ID, name)
				}
			}
		}
	}
}

// protocolNames are the counters of AIX's protocols in an expression.
func protocolNames(expression string) (names []string) {
	for _, part := range strings.Split(expression, `el.protocol("`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if protocol, _, ok := strings.Cut(name, "."); ok && slices.Contains([]string{"tcp", "udp", "ip", "ipv6", "icmp"}, protocol) {
			names = append(names, name)
		}
	}
	return names
}

// Every counter that netstat -s of AIX is known to print stands in the table.
func TestCountersAreKnown(t *testing.T) {
	text, err := os.ReadFile("testdata/netstat-s.keys")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(text)) {
		if _, ok := CounterOf(name); !ok {
			t.Errorf("%s has no entry", name)
		}
	}
	if c, ok := CounterOf("tcp.of_a_later_level"); ok {
		t.Errorf("a counter that nobody knows: got %+v", c)
	}
}
