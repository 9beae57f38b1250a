package pathmtu

import (
	"net/netip"
	"testing"

	"seaworthy/internal/inventory/model"
)

// Between a virtual machine and the switch are the devices of its KVM host, each with an
// MTU of its own.
func TestBridgeOfAVirtualMachine(t *testing.T) {
	jumbo := map[string]int{"a": 9000, "b": 9000, "c": 9000}
	n, p, _ := lan(t, jumbo, map[string]int{"a": 9000, "b": 1500, "c": 9000})
	guest := n.fleet.Host("b").Elements
	delete(guest, "ent0")
	guest["en0"].On, guest["en0"].Tap = "", &model.Ref{Host: "kvm", Element: "vnet0"}
	device := func(name string, kind model.Kind, mtu string) *model.Element {
		return &model.Element{Name: name, Kind: kind, MemberOf: "br0", Attrs: map[string]*model.Attr{"mtu": {Running: &mtu}}}
	}
	kvm := &model.Host{Name: "kvm", Platform: model.Linux, Elements: map[string]*model.Element{
		"vnet0": device("vnet0", model.Interface, "9000"), "br0": device("br0", model.Interface, "1500"),
		"eno1": device("eno1", model.Physical, "9000"),
		"en0":  {Name: "en0", Kind: model.Interface, Addrs: []netip.Prefix{netip.MustParsePrefix("198.51.100.1/24")}},
	}}
	kvm.Elements["vnet0"].Guest = &model.Guest{Name: "web"}
	kvm.Elements["br0"].MemberOf, kvm.Elements["br0"].Members = "", []string{"eno1", "vnet0"}
	n.fleet.Hosts = append(n.fleet.Hosts, kvm)
	ways, err := p.Between(t.Context(), "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if w := ways[0]; w.Largest != 1500 || w.Verdict != BlackHole || len(w.Suspect) != 1 || w.Suspect[0].Is != "kvm:br0" {
		t.Errorf("got %d, %q, %+v, want a black hole above 1500 bytes at kvm:br0", w.Largest, w.Verdict, w.Suspect)
	}
}
