package report

import (
	"bytes"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/doc"
)

// bridged are two VIOSes that share a client's VLANs, the first over an
// EtherChannel of two ports, one of them down.
func bridged() *model.Fleet {
	virtual := func(name, owner string, pvid int, vlans ...int) *model.Element {
		return &model.Element{Name: name, Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: &pvid, VLANs: vlans, VSwitch: "ETHERNET0"}, MemberOf: owner, LinkUp: new(true)}
	}
	port := func(name, owner string, up bool) *model.Element {
		return &model.Element{Name: name, Kind: model.Physical, MemberOf: owner, LinkUp: &up, PortFacts: model.PortFacts{SpeedMb: new(int64(10000))},
			Attrs: map[string]*model.Attr{"jumbo_frames": {Name: "jumbo_frames", Running: new("no")}}}
	}
	trunk := virtual("ent2", "ent5", 1, 10, 11, 12, 20)
	trunk.Counters = model.CountersOf(map[string]uint64{"rx.Packets": 30735607, "tx.Packets": 5095070})
	h := func(name string, p model.Platform, els ...*model.Element) *model.Host {
		host := &model.Host{Name: name, Platform: p, MachineID: "9009-22A*214D2E4", Elements: map[string]*model.Element{}}
		for _, e := range els {
			host.Elements[e.Name] = e
		}
		return host
	}
	return &model.Fleet{Hosts: []*model.Host{
		h("vios1", model.VIOS,
			&model.Element{Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent4", Trunks: []string{"ent2"}, Control: "ent3", HAState: "PRIMARY"}},
			&model.Element{Name: "ent4", Kind: model.EtherChannel, Members: []string{"ent0", "ent1"}, MemberOf: "ent5", LinkUp: new(true)},
			port("ent0", "ent4", true), port("ent1", "ent4", false), trunk, virtual("ent3", "ent5", 4095)),
		h("vios2", model.VIOS,
			&model.Element{Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", Trunks: []string{"ent2", "ent9"}, HAState: "BACKUP"}},
			port("ent0", "ent5", true), virtual("ent2", "ent5", 1, 10, 11, 12, 20)),
		h("lpar1", model.AIX, virtual("ent0", "", 10),
			&model.Element{Name: "en0", Kind: model.Interface, On: "ent0", Addrs: []netip.Prefix{netip.MustParsePrefix("10.1.1.11/24")}}),
		h("lpar2", model.AIX, virtual("ent0", "", 99)),
	}}
}

func treeText(t *testing.T, f *model.Fleet) string {
	t.Helper()
	var d Document
	Tree(&d, graph.Of(f).Trees())
	var b bytes.Buffer
	if err := doc.WriteText(&b, &d, doc.Screen{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTree(t *testing.T) {
	b := treeText(t, bridged())
	want := `vios1  vios  9009-22A*214D2E4
network                        state    link               packets in  packets out  VLANs, interfaces, clients
ent5 (SEA)                     PRIMARY  -                           -            -
 |\--ent4 (EC)                 -        up                          -            -
 |    |\--ent0 (PHYS)          -        up 10000 Mbit/s             -            -
 |     \--ent1 (PHYS)          -        down                        -            -
 |\--ent2 (VETH)               -        up                   30735607      5095070  PVID 1  VLANs 10-12,20  on ETHERNET0
 |     \--lpar1:ent0 (client)  active   -                           -            -  VLAN 10
  \--ent3 (CTL)                -        up                          -            -  PVID 4095  on ETHERNET0

vios2  vios  9009-22A*214D2E4
network                        state   link              packets in  packets out  VLANs, interfaces, clients
ent5 (SEA)                     BACKUP  -                          -            -
 |\--ent0 (PHYS)               -       up 10000 Mbit/s            -            -
 |\--ent2 (VETH)               -       up                         -            -  PVID 1  VLANs 10-12,20  on ETHERNET0
 |     \--lpar1:ent0 (client)  backup  -                          -            -  VLAN 10
  \--ent9                      -       -                          -            -

lpar1  aix  9009-22A*214D2E4
network      state  link   packets in   packets out  VLANs, interfaces, clients
ent0 (VETH)  -      up              -             -  PVID 10  on ETHERNET0  en0 10.1.1.11/24

lpar2  aix  9009-22A*214D2E4
network      state  link   packets in   packets out  VLANs, interfaces, clients
ent0 (VETH)  -      up              -             -  PVID 99  on ETHERNET0
`
	got := b
	head, gaps, _ := strings.Cut(got, "  gap ")
	if diff := cmp.Diff(squeeze(want), squeeze(head)); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	if !strings.Contains(gaps, "lpar2:ent0") || !strings.Contains(gaps, "VLAN 99") {
		t.Errorf("the client without an SEA is not reported: %q", gaps)
	}
}

// squeeze leaves out how wide columns are: their own tests check that.
func squeeze(s string) string { return regexp.MustCompile(`(\S)  +`).ReplaceAllString(s, "$1  ") }

// Elements that stand on each other in a circle end.
func TestTreeCircle(t *testing.T) {
	f := &model.Fleet{Hosts: []*model.Host{{Name: "a", Elements: map[string]*model.Element{
		"ent1": {Name: "ent1", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent2"}}, "ent2": {Name: "ent2", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent1"}},
	}}}}
	b := treeText(t, f)
	if n := strings.Count(b, "\n"); n > 60 {
		t.Errorf("%d lines of a circle of two", n)
	}
}

func TestRanges(t *testing.T) {
	for want, list := range map[string][]int{"": nil, "7": {7}, "1-3,7": {3, 1, 2, 7}, "1-2": {1, 2, 2}} {
		if got := ranges(list); got != want {
			t.Errorf("%v: got %q, want %q", list, got, want)
		}
	}
}

// What two VLAN devices stand on is there once, with its ports and packets.
func TestTreeHasABaseOnce(t *testing.T) {
	vlan := func(name string, tag int) *model.Element {
		return &model.Element{Name: name, Kind: model.VLANDevice, On: "ent2", VirtualFacts: model.VirtualFacts{VLANs: []int{tag}}}
	}
	f := &model.Fleet{Hosts: []*model.Host{{Name: "lpar1", Elements: map[string]*model.Element{
		"ent0": {Name: "ent0", Kind: model.Physical, MemberOf: "ent2", Counters: model.CountersOf(map[string]uint64{"rx.Packets": 7})},
		"ent2": {Name: "ent2", Kind: model.EtherChannel, Members: []string{"ent0"}},
		"ent3": vlan("ent3", 10), "ent4": vlan("ent4", 20),
	}}}}
	b := treeText(t, f)
	if got := strings.Count(b, "ent0 (PHYS)"); got != 1 {
		t.Errorf("ent0 is there %d times, want once:\n%s", got, b)
	}
	if got := strings.Count(b, "ent2 (EC)"); got != 2 {
		t.Errorf("ent2 is there %d times, want below both VLAN devices:\n%s", got, b)
	}
}
