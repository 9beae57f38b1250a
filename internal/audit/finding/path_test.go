package finding

import (
	"slices"
	"testing"

	"seaworthy/internal/inventory/model"
)

func TestOnPath(t *testing.T) {
	at := func(host, element string) model.Ref { return model.Ref{Host: host, Element: element} }
	en0, sea := at("lpar1", "en0"), at("vios1", "ent5")
	path := &model.Path{Hops: []model.Hop{{Ref: &en0}, {Kind: "hypervisor-switch"}, {Ref: &sea}}}
	all := []Finding{
		{ID: "interface", Element: en0}, {ID: "another interface", Element: at("lpar1", "en1")}, {ID: "SEA", Element: sea},
		{ID: "options", Element: at("lpar1", "no")}, {ID: "options of another host", Element: at("lpar9", "no")},
		{ID: "affects the SEA", Element: at("vios1", "ent0"), Affects: []model.Ref{at("vios1", "ent4"), sea}},
		{ID: "affects others", Element: at("vios1", "ent9"), Affects: []model.Ref{at("vios1", "ent4")}},
	}
	var got []string
	for _, f := range OnPath(all, path) {
		got = append(got, f.ID)
	}
	if want := []string{"interface", "SEA", "options", "affects the SEA"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
