package audit

import (
	"fmt"
	"net/netip"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
)

// However many hosts have one address, or another netmask, each finding names a few.
func TestManySameAddresses(t *testing.T) {
	const most = 4
	want := map[string]int{"R195": 40, "R196": 20}
	for id, addr := range map[string]func(i int) string{
		"R195": func(int) string { return "192.0.2.200/24" },
		"R196": func(i int) string { return fmt.Sprintf("192.0.2.%d/%d", 100+i, 24-i%2) },
	} {
		f := crowd(t, "two-systems", 40, nil, nil)
		n := 0
		for _, h := range f.Hosts {
			if h.Name[:4] == "more" {
				h.Elements["en0"].Addrs = []netip.Prefix{netip.MustParsePrefix(addr(n))}
				n++
			}
		}
		found := 0
		for _, x := range run(t, f, rule.Options{}) {
			if x.Rule != id || x.Verdict != finding.Found {
				continue
			}
			found++
			if len(x.Evidence) > most+1 || len(x.Affects) > most {
				t.Errorf("%s: got %d lines of evidence, %d affected, want %d at most", x.ID, len(x.Evidence), len(x.Affects), most)
			}
		}
		if found != want[id] {
			t.Errorf("%s: got %d findings, want %d", id, found, want[id])
		}
	}
}
