package replica_test

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
	"seaworthy/lab/replica"
	"seaworthy/lab/topology"
)

// hostile are texts that would be more than data if anything but a reader of values took them.
var hostile = []string{
	"", ".", "..", "../../../../etc/passwd", "/dev/sda", "$(touch /tmp/owned)", "`reboot`", "a;halt", "a\nsystems: []", "a\x00b", "a: &b [*b]",
	"{{.Node}}", "'\"", "-rf", "ent0 ent1", strings.Repeat("9", 400), strings.Repeat("x", 1<<16), "\xff\xfe", "٣", "ent99999", "en-1", "switch", "hmc1",
}

// Whatever a snapshot says, its copy is a topology with plain names, or there is none.
func TestHostileSnapshots(t *testing.T) {
	dice := draw.Rand(t)
	text := func() string { return hostile[dice.IntN(len(hostile))] }
	attr := func() *model.Attr { return &model.Attr{Running: new(text()), NextBoot: new(text())} }
	for range 40 {
		f := fleet()
		h := f.Hosts[dice.IntN(len(f.Hosts))]
		switch dice.IntN(8) {
		case 0:
			h.Name = text()
		case 1:
			h.Level, h.IOSLevel, h.MachineID = text(), text(), text()
			h.Partition.Mode, h.Partition.Type = text(), text()
		case 2:
			for _, e := range h.Elements {
				e.MAC, e.VSwitch = text(), text()
				e.Driver, e.State = text(), text()
			}
		case 3:
			for _, e := range h.Elements {
				e.SpeedMb, e.PVID, e.Priority = new(int64(math.MaxInt64)), new(math.MinInt), new(math.MaxInt)
				e.VLANs = []int{-1, 0, math.MaxInt, 4095}
			}
			h.Partition = model.Partition{Number: new(math.MaxInt), Entitled: new(math.Inf(1)), VirtualCPUs: new(-1), Weight: new(math.MinInt), Mode: "Uncapped"}
		case 4:
			for name, e := range h.Elements {
				e.Attrs = map[string]*model.Attr{"mtu": attr(), "alias4": attr(), "mtu_bypass": attr(), text(): attr(), "mode": attr(), "netaddr": attr()}
				e.Members, e.Trunks = []string{text(), name}, []string{text(), name}
				e.Real, e.Control, e.On = text(), name, text()
			}
		case 5:
			e := &model.Element{Name: text(), Kind: model.Physical, Addrs: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), {}}}
			h.Elements[e.Name] = e
			h.Routes = []model.Route{{}, {To: netip.MustParsePrefix("10.0.0.0/8"), Gateway: netip.MustParseAddr("::1")}}
		case 6:
			h.Platform = model.Linux
			h.Tunables = map[string]*model.Attr{"net.ipv4.tcp_rmem": attr(), "kernel.core_pattern": attr(), "net.ipv4." + text(): attr()}
		case 7:
			f.HMCs = []*model.HMC{{Name: text(), Adapters: []model.AdapterProfile{
				{Kind: model.Virtual, System: h.MachineID, LPAR: text(), MAC: text(), PVID: new(9999), VSwitch: text(), Trunk: new(false)},
				{Kind: model.Virtual, System: h.MachineID, LPAR: text(), MAC: text(), PVID: new(10), Trunk: new(false)}}}}
			h.Learnt = []model.Neighbour{{MAC: text()}, {Address: netip.MustParseAddr("192.0.2.9"), MAC: text()}}
			f.Hosts[1].Elements["ent5"].Clients = []model.SEAClient{{MAC: text(), IP: text(), VLAN: new(-1)}}
		}
		c, err := replica.Of(f, knowledgeOf(t), replica.Options{})
		if err != nil {
			if errors.Is(err, replica.ErrNothing) {
				continue
			}
			t.Fatalf("%v of %+v", err, h)
		}
		top, err := topology.Parse("copy.yaml", c.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range top.Hosts() {
			if !topology.NameForm.MatchString(n.Name) {
				t.Errorf("node %q", n.Name)
			}
			for name, value := range n.Sysctls {
				if !topology.TakesSysctl(name, value) {
					t.Errorf("sysctl %s=%q", name, value)
				}
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	f := &model.Fleet{}
	for i := range 1200 {
		f.Hosts = append(f.Hosts, &model.Host{Name: fmt.Sprintf("lpar%d", i), Platform: model.AIX, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: new(1)}}}})
	}
	_, err := replica.Of(f, knowledgeOf(t), replica.Options{})
	if !errors.Is(err, replica.ErrTooLarge) {
		t.Errorf("1200 hosts: got %v, want %v", err, replica.ErrTooLarge)
	}
	c, err := replica.Of(f, knowledgeOf(t), replica.Options{Hosts: []string{"lpar3", "lpar77"}})
	if err != nil || len(c.Nodes) != 2 {
		t.Errorf("two of them: got %v", err)
	}
}
