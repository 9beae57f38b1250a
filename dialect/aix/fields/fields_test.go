package fields

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAndPrint(t *testing.T) {
	for _, c := range []struct {
		format  string
		names   []string
		aligned bool
		values  []string
		want    string
	}{
		{"name:type:description", []string{"name", "type", "description"}, false, []string{"ent3", "eth", "VLAN"}, "ent3:eth:VLAN"},
		{"name type", []string{"name", "type"}, true, []string{"ent3", "eth"}, "ent3   eth"},
		{"value", []string{"value"}, true, []string{"on"}, "on"},
		{"attribute=value;", []string{"attribute", "value"}, false, []string{"mtu", "9000"}, "mtu=9000;"},
	} {
		s := Parse(c.format)
		if d := cmp.Diff(c.names, s.Names); d != "" {
			t.Errorf("%q: names differ (-want +got):\n%s", c.format, d)
		}
		if s.Aligned() != c.aligned {
			t.Errorf("%q: aligned is %v, want %v", c.format, s.Aligned(), c.aligned)
		}
		if got := s.Print(c.values, []int{6, 4}); got != c.want {
			t.Errorf("%q: got %q, want %q", c.format, got, c.want)
		}
	}
}

func TestSplitGivesExtraSeparatorsToOneColumn(t *testing.T) {
	s := Parse("attribute:value:user_settable")
	got, ok := s.Split("netaddr6:fe80::1:True", 1)
	if !ok {
		t.Fatal("the line was not split")
	}
	if d := cmp.Diff([]string{"netaddr6", "fe80::1", "True"}, got); d != "" {
		t.Errorf("parts differ (-want +got):\n%s", d)
	}
	if got, ok := s.Split("mtu:1500", 1); ok {
		t.Errorf("two parts for three columns were taken: %q", strings.Join(got, "|"))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("name:type:description", "ent3:eth:VLAN", 1)
	f.Add("name type", "ent3  eth", 0)
	f.Fuzz(func(t *testing.T, format, line string, give int) {
		s := Parse(format)
		if len(s.Names) != len(s.Seps) {
			t.Fatalf("Parse(%q): %d names and %d separators, want as many", format, len(s.Names), len(s.Seps))
		}
		if s.Aligned() {
			return // columns are cut by their widths
		}
		if values, ok := s.Split(line, give); ok && s.Print(values, nil) != line {
			t.Errorf("%q: Print(Split(%q)): got %q", format, line, s.Print(values, nil))
		}
	})
}
