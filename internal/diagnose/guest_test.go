package diagnose_test

import (
	"slices"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
)

// What slows a virtual machine stands on its KVM host, which the path leads through.
func TestCausesOfAVirtualMachine(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	base, _ := cat.Fleet("kvm")
	far := with{"far": with{"platform": "linux", "elements": with{"eth0": with{"kind": "physical-adapter", "addrs": []any{"192.0.2.99/24"}}}}}
	for _, c := range []struct {
		name string
		is   with
		want string // a possible cause, with its certainty
	}{
		{"well", with{}, ""},
		{"emulated", with{"kvm1:vnet0": with{"attrs": with{"guest-model": "rtl8139"}}}, "guest-settings/kvm1:vnet0 possible"},
		{"one queue", with{"kvm1:vnet0": with{"attrs": with{"guest-queues": 1}}}, "guest-settings/kvm1:vnet0 possible"},
		{"larger frames than its host's", with{"guest1:eth0": with{"attrs": with{"mtu": 9000}}}, "mtu-settings/guest1:eth0 likely"},
	} {
		in := diagnose.Input{Failed: map[string]string{}}
		if in.Fleet, err = rule.BuildFleet(base, far, c.is); err != nil {
			t.Fatal(err)
		}
		if in.Path, err = graph.Of(in.Fleet).Path("guest1", "far"); err != nil {
			t.Fatal(err)
		}
		d, err := diagnose.Judge(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range append(d.Causes, d.Possible...) {
			got = append(got, x.At()+" "+x.Certainty)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
