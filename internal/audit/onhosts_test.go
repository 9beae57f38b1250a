package audit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// What a host says of an attribute stands beside the catalogue, and where the two
// differ it is reported: the host's own answer is the one that counts.
func TestAttributeOnHosts(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	onHosts := func(f *model.Fleet, attr string) []OnHost {
		t.Helper()
		list, err := OnHosts(t.Context(), f, cat, attr)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, c := range []struct {
		name, attr, at string
		value          map[string]any
		want           []string
	}{
		{"the host agrees", "mtu_bypass", "lpar1:en0", map[string]any{"running": "on", "default": "off", "allowed": []any{"on", "off"}}, nil},
		{"another default", "mtu_bypass", "lpar1:en0", map[string]any{"running": "on", "default": "on"}, []string{"its default is on, the catalogue has off"}},
		{"the host takes more", "mtu_bypass", "lpar1:en0", map[string]any{"running": "on", "allowed": []any{"on", "off", "plso"}}, []string{"it allows plso, which the catalogue does not have"}},
		{"the host takes less", "buf_mode", "lpar1:ent0", map[string]any{"running": "min", "allowed": []any{"min", "max"}}, []string{"it does not allow max_min, which the catalogue has"}},
		{"another ceiling", "max_buf_medium", "lpar1:ent0", map[string]any{"running": "256", "allowed": []any{"128...1024 (+1)"}},
			[]string{"it allows 128...1024 (+1), the catalogue has ceiling 1024"}},
		{"a default of another level", "buf_mode", "lpar1:ent0", map[string]any{"running": "min", "default": "min"}, []string{"its default is min, the catalogue has max_min for this level"}},
		{"a number written otherwise", "queue_size", "vios1:ent5", map[string]any{"running": "8192", "default": "0x2000"}, nil},
		{"the host said neither", "largesend", "vios1:ent5", map[string]any{"running": "1"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fleet(t, "two-systems", map[string]any{c.at: map[string]any{"attrs": map[string]any{c.attr: c.value}}})
			var got *OnHost
			for _, x := range onHosts(f, c.attr) {
				if x.Ref.String() == c.at {
					got = &x
				}
			}
			if got == nil {
				t.Fatalf("%s of %s: not found", c.attr, c.at)
			}
			if len(got.Differs) != len(c.want) || len(c.want) > 0 && !strings.HasPrefix(got.Differs[0], c.want[0]) {
				t.Errorf("differences: got %q, want %q", got.Differs, c.want)
			}
		})
	}
	f := fleet(t, "two-systems", nil)
	var at []string
	for _, x := range onHosts(f, "tcp_sendspace") {
		at = append(at, x.Ref.String())
	}
	want := []string{"lpar1:en0", "lpar1:no", "lpar2:en0", "lpar2:no", "vios1:en5", "vios1:no", "vios2:en5", "vios2:no"}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Errorf("tcp_sendspace (-want +got):\n%s", diff)
	}
	if got := onHosts(&model.Fleet{}, "mtu"); got == nil || len(got) > 0 {
		t.Errorf("no host: got %v, want an empty list", got)
	}
}
