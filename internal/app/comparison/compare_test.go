package comparison_test

import (
	"fmt"
	"testing"

	"seaworthy/internal/app/comparison"
	"seaworthy/internal/inventory/model"
)

func host(name, mac, mtu string) *model.Host {
	h := &model.Host{Name: name, Elements: map[string]*model.Element{
		"en0":  {Name: "en0", Kind: model.Interface, MAC: mac, Attrs: map[string]*model.Attr{}},
		"ent0": {Name: "ent0", Kind: model.Virtual, MAC: mac},
	}}
	if mtu != "" {
		h.Elements["en0"].Attrs["mtu"] = &model.Attr{Name: "mtu", Running: &mtu}
	}
	return h
}

// The odd one comes first; addresses differ everywhere and are no difference; what was not
// read is unknown.
func TestOddOneFirst(t *testing.T) {
	hosts := []*model.Host{host("a", "1", "1500"), host("b", "2", "1500"), host("c", "3", "9000"), host("d", "4", "1500"), host("e", "5", "")}
	for golden, want := range map[string]string{
		"":  "c [{en0 mtu running 9000 1500 3}] 0, a [] 0, b [] 0, d [] 0, e [] 1, ",
		"c": "a [{en0 mtu running 1500 9000 1}] 0, b [{en0 mtu running 1500 9000 1}] 0, d [{en0 mtu running 1500 9000 1}] 0, e [] 1, c [] 0, ",
	} {
		r := comparison.Compare(hosts, golden)
		got := ""
		for _, h := range r.Hosts {
			got += fmt.Sprintf("%s %v %d, ", h.Name, h.Differs, h.Unknown)
		}
		if got != want || r.Own != 2 || len(r.Undecided) != 0 {
			t.Errorf("golden %q: %s own %d, undecided %v; want %s own 2", golden, got, r.Own, r.Undecided, want)
		}
	}
	pair := comparison.Compare([]*model.Host{hosts[0], hosts[2]}, "")
	if len(pair.Undecided) != 1 || pair.Undecided[0].What != "mtu" || pair.Own != 2 {
		t.Errorf("a pair: %+v, want the mtu as undecided", pair)
	}
}
