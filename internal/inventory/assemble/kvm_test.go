package assemble_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

const up = `"UP","LOWER_UP"`

// tap is a device of Open vSwitch, or of a machine on it, as ip prints it.
func tap(name, kind string) string {
	return link(name, up, fmt.Sprintf(`,"master":"ovs-system","linkinfo":{"info_kind":%q}`, kind))
}

// switched returns what Open vSwitch's tables say, of the ports and interfaces given.
func switched(config, ports, interfaces string) assemble.Output {
	return text("ovs-vsctl-list", "", `{"data":[["3.1.0",["map",[`+config+`]]]],"headings":["ovs_version","other_config"]}`+"\n"+
		`{"data":[["br0",["set",[["uuid","br0"],["uuid","bond1"],["uuid","vnet0"],["uuid","gone"],["uuid","int0"]]]],`+
		`["br1",["set",[["uuid","br1"],["uuid","patch1"]]]]],"headings":["name","ports"]}`+"\n"+
		`{"data":[`+ports+`],"headings":["_uuid","name","interfaces","tag","trunks","bond_mode","lacp"]}`+"\n"+
		`{"data":[`+interfaces+`],"headings":["_uuid","name","type","mtu","link_state","link_speed","options"]}`+"\n")
}

func kvmHost() *model.Host {
	port := func(uuid, interfaces, tag, bond string) string {
		return fmt.Sprintf(`[["uuid",%q],%[1]q,%s,%s,["set",[]],%s]`, uuid, interfaces, tag, bond)
	}
	device := func(name, kind, options string) string {
		return fmt.Sprintf(`[["uuid",%q],%[1]q,%q,1500,"up",["set",[]],["map",[%s]]]`, name, kind, options)
	}
	none, id := `["set",[]]`, func(u string) string { return `["uuid","` + u + `"]` }
	return host(model.Linux,
		links(link("eno1", up, `,"master":"ovs-system","parentbus":"pci"`), link("eno2", up, `,"master":"ovs-system"`),
			link("ovs-system", ``, `,"linkinfo":{"info_kind":"openvswitch"}`), link("br0", up, `,"linkinfo":{"info_kind":"openvswitch"}`),
			link("br1", up, `,"linkinfo":{"info_kind":"openvswitch"}`), tap("int0", "openvswitch"), tap("vnet0", "tun")),
		text("ethtool-i", "eno1", "driver: mlx5_core\nversion: 1\n"), text("ethtool-i", "eno2", "driver: mlx5_core\nversion: 1\n"),
		switched(`["hw-offload","true"]`, strings.Join([]string{port("br0", id("br0"), none, none+","+none),
			port("bond1", `["set",[["uuid","eno1"],["uuid","eno2"]]]`, none, `"balance-tcp","active"`), port("vnet0", id("vnet0"), "100", none+","+none),
			port("gone", id("gone"), "100", none+","+none), port("int0", id("int0"), none, none+","+none),
			port("br1", id("br1"), none, none+","+none), port("patch1", id("patch1"), none, none+","+none)}, ","),
			strings.Join([]string{device("br0", "internal", ""), device("br1", "internal", ""), device("eno1", "", ""), device("eno2", "", ""),
				device("vnet0", "", ""), device("gone", "", ""), device("int0", "internal", ""),
				device("patch1", "patch", `["peer","patch0"]`)}, ",")),
		text("virsh-dumpxml", "", "<domain type='kvm' id='1'>\n<name>web</name>\n<vcpu placement='static' current='2'>4</vcpu>\n<devices>\n"+
			"<interface type='bridge'>\n<mac address='52:54:00:AA:00:01'/>\n<source bridge='br0'/>\n<target dev='vnet0'/>\n<model type='virtio'/>\n</interface>\n"+
			"<interface type='bridge'>\n<mac address='52:54:00:aa:00:02'/>\n<target dev='vnet9'/>\n<model type='e1000'/>\n</interface>\n</devices>\n</domain>\n"))
}

func TestOpenVSwitchAndDomains(t *testing.T) {
	h := kvmHost()
	got := map[string]string{}
	for name, e := range h.Elements {
		got[name] = fmt.Sprint(e.Kind, " ", e.Driver, " on=", e.On, " of=", e.MemberOf, " has=", e.Members, " tag=", show(e.PVID), " guest=", show(e.Guest))
	}
	want := map[string]string{
		"eno1":       "physical-adapter mlx5_core on= of=bond1 has=[] tag=- guest=-",
		"eno2":       "physical-adapter mlx5_core on= of=bond1 has=[] tag=- guest=-",
		"bond1":      "etherchannel openvswitch on= of=br0 has=[eno1 eno2] tag=- guest=-",
		"br0":        "interface openvswitch on= of= has=[bond1 int0 vnet0] tag=- guest=-",
		"br1":        "interface openvswitch on= of= has=[patch1] tag=- guest=-",
		"patch1":     "patch-port openvswitch on= of=br1 has=[] tag=- guest=-",
		"int0":       "interface openvswitch on= of=br0 has=[] tag=- guest=-",
		"vnet0":      "interface tun on= of=br0 has=[] tag=100 guest={web 52:54:00:aa:00:01 false}",
		"ovs-system": "interface openvswitch on= of= has=[] tag=- guest=-",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("elements (-want +got):\n%s", diff)
	}
	for name, want := range map[string]string{
		"br0 hw-offload": "true", "br1 hw-offload": "true", "bond1 ovs-bond-mode": "balance-tcp", "bond1 ovs-lacp": "active", "vnet0 guest-model": "virtio",
		"vnet0 guest-backend": "auto", "vnet0 guest-queues": "1", "vnet0 guest-cpus": "2", "patch1 mtu": "-", "eno1 hw-tc-offload": "-",
	} {
		element, a, _ := strings.Cut(name, " ")
		if got := value(h, element, a); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if len(h.Gaps) > 0 {
		t.Errorf("gaps: got %v, want none", h.Gaps)
	}
}

// A machine that was read itself is joined to its host, and its path goes through it.
func TestGuestsPath(t *testing.T) {
	guest := host(model.Linux, text("ip-addr", "", `[{"ifname":"eth0","flags":["UP","LOWER_UP"],"mtu":1500,"link_type":"ether","address":"52:54:00:aa:00:01",`+
		`"addr_info":[{"family":"inet","local":"192.0.2.5","prefixlen":24,"scope":"global"}]}]`+"\n"), text("ethtool-i", "eth0", "driver: virtio_net\n"))
	far := host(model.Linux, text("ip-addr", "", `[{"ifname":"eth0","flags":["UP"],"mtu":1500,"link_type":"ether","address":"02:00:00:00:00:09",`+
		`"addr_info":[{"family":"inet","local":"192.0.2.9","prefixlen":24,"scope":"global"}]}]`+"\n"))
	kvm := kvmHost()
	guest.Name, kvm.Name, far.Name = "guest", "kvm", "far"
	f := &model.Fleet{Hosts: []*model.Host{guest, kvm, far}}
	f.MergeHMC()
	f.MergeHMC() // changes nothing
	p, err := graph.Of(f).Path("guest", "far")
	if err != nil {
		t.Fatal(err)
	}
	var hops []string
	for _, h := range p.Hops {
		name := h.Kind
		if h.Ref != nil {
			name = h.Ref.String()
		}
		hops = append(hops, strings.TrimSpace(name+" "+h.Note))
	}
	want := []string{"guest:eth0", "kvm:vnet0 virtual machine web", "kvm:br0 port vnet0, VLAN 100", "kvm:bond1 port of br0", "kvm:eno1 member", "kvm:eno2 member",
		"ethernet-switch not visible from any host", "far:eth0"}
	if diff := cmp.Diff(want, hops); diff != "" || len(p.Gaps) > 0 {
		t.Errorf("gaps %v, hops (-want +got):\n%s", p.Gaps, diff)
	}
	ports, gaps := graph.Of(f).At(model.Ref{Host: "guest", Element: "eth0"}).Uplinks()
	if fmt.Sprint(ports, gaps) != "[kvm:eno1 kvm:eno2] []" {
		t.Errorf("uplinks: got %v, %v, want both ports and no gap", ports, gaps)
	}
}

// Tunnels know the bytes that they add, and the device by which their packets leave: the
// one that is named, or that of the route.
func TestTunnels(t *testing.T) {
	h := host(model.Linux, links(link("eth0", up, ""), link("eth1", up, ""), link("br0", up, `,"linkinfo":{"info_kind":"openvswitch"}`),
		link("vx1", up, `,"linkinfo":{"info_kind":"vxlan","info_data":{"id":1,"local":"192.0.2.5","link":"eth1","port":4789}}`),
		link("vx2", up, `,"linkinfo":{"info_kind":"vxlan","info_data":{"id":2,"remote6":"2001:db8::7"}}`),
		link("vx3", up, `,"linkinfo":{"info_kind":"vxlan","info_data":{"external":true}}`),
		link("gn1", up, `,"linkinfo":{"info_kind":"geneve","info_data":{"id":10,"remote":"198.51.100.7"}}`)),
		text("ethtool-i", "eth0", "driver: mlx5_core\n"), text("ip-route", "", `[{"dst":"default","gateway":"192.0.2.1","dev":"eth0","flags":[]},{"dst":"198.51.100.0/24","dev":"eth1","flags":[]}]`+"\n"),
		text("ovs-vsctl-show", "", "    Bridge br0\n        Port gre0\n            Interface gre0\n                type: gre\n                options: {remote_ip=\"203.0.113.9\"}\n"+
			"        Port any\n            Interface any\n                type: vxlan\n                options: {key=flow, remote_ip=flow}\n"))
	for name, want := range map[string]string{"vx1": "eth1 50", "vx2": " 70", "vx3": " -", "gn1": "eth1 50", "gre0": "eth0 38"} {
		e := h.Elements[name]
		if e == nil {
			t.Errorf("%s: not read", name)
		} else if got := e.On + " " + value(h, name, "tunnel-overhead"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if e := h.Elements["gre0"]; e.Kind != model.TunnelPort || e.MemberOf != "br0" || h.Elements["any"] != nil || len(h.Gaps) > 0 {
		t.Errorf("got %+v, %+v, gaps %v; want a port of br0 alone", e, h.Elements["any"], h.Gaps)
	}
	f := &model.Fleet{Hosts: []*model.Host{h}}
	if ports, gaps := graph.Of(f).At(model.Ref{Host: h.Name, Element: "br0"}).Uplinks(); fmt.Sprint(ports, gaps) != "["+h.Name+":eth0] []" {
		t.Errorf("uplinks: got %v, gaps %v, want the port that the tunnel's packets leave by", ports, gaps)
	}
}

// The bridge of one of libvirt's networks is libvirt's: what sets it up at boot is known.
func TestNetworks(t *testing.T) {
	h := host(model.Linux, links(link("virbr0", up, `,"linkinfo":{"info_kind":"bridge"}`), link("br0", up, `,"linkinfo":{"info_kind":"bridge"}`)),
		text("boot-files", "", "/proc/1/comm:systemd\n"),
		text("virsh-dumpxml", "", "<network>\n<name>default</name>\n<forward mode='nat'/>\n<bridge name='virbr0'/>\n<mtu size='9000'/>\n</network>\n"+
			"<network>\n<name>host</name>\n<forward mode='bridge'/>\n<bridge name='br0'/>\n</network>\n<network>\n<name>off</name>\n<bridge name='virbr7'/>\n</network>\n"))
	e := h.Elements["virbr0"]
	if got := value(h, "virbr0", "libvirt-forward") + " " + show(e.Attrs["mtu"].NextBoot) + " " + e.Persistence.Why; got !=
		`nat 9000 libvirt makes this bridge: set it in network "default" (virsh net-edit)` {
		t.Errorf("got %s", got)
	}
	if value(h, "br0", "libvirt-forward") != "-" || h.Elements["br0"].Persistence.By != "systemd unit" || h.Elements["virbr7"] != nil {
		t.Errorf("br0: got %+v; virbr7: %+v", h.Elements["br0"], h.Elements["virbr7"])
	}
}

// Without libvirt a bridge's table says which machine is behind a tap device; a virtual cable
// between two bridges has both ends on this host, one to a container has not.
func TestBridgesOfMachines(t *testing.T) {
	h := host(model.Linux,
		links(link("eno1", up, `,"master":"vmbr0"`), link("vmbr0", up, `,"linkinfo":{"info_kind":"bridge"}`), link("fwbr0", up, `,"linkinfo":{"info_kind":"bridge"}`),
			link("tap0", up, `,"master":"fwbr0","linkinfo":{"info_kind":"tun","info_data":{"type":"tap","vnet_hdr":true}}`),
			link("in", up, `,"link":"out","master":"fwbr0","linkinfo":{"info_kind":"veth"}`), link("out", up, `,"link":"in","master":"vmbr0","linkinfo":{"info_kind":"veth"}`),
			link("c0", up, `,"link_index":2,"link_netnsid":0,"master":"vmbr0","linkinfo":{"info_kind":"veth"}`)),
		text("ethtool-i", "eno1", "driver: mlx5_core\nversion: 1\n"),
		text("ethtool", "tap0", "Settings for tap0:\n\tSpeed: 10Mb/s\n\tDuplex: Full\n\tLink detected: yes\n"),
		text("bridge-fdb", "", "52:54:00:aa:00:01 dev tap0 master fwbr0 \n52:54:00:aa:00:01 dev out master vmbr0 \n02:00:00:00:00:09 dev eno1 master vmbr0 \n"+
			"fe:54:00:aa:00:01 dev tap0 master fwbr0 permanent\n33:33:00:00:00:01 dev tap0 self permanent\n"))
	tap := h.Elements["tap0"]
	got := fmt.Sprint(tap.Driver, tap.Learned, show(tap.SpeedMb), h.Elements["in"].Peer, h.Elements["out"].Peer, h.Elements["c0"].Peer, h.Elements["in"].On,
		h.Elements["eno1"].Learned, len(h.Gaps))
	if want := "tun[52:54:00:aa:00:01]-outin[] 0"; got != want {
		t.Errorf("got %s, want %s; gaps %v", got, want, h.Gaps)
	}
}

// Devices that only Open vSwitch knows; and its text alone, without what the kernel has.
func TestOpenVSwitchAlone(t *testing.T) {
	row := func(name, kind, mtu, speed, tag string) (port, device string) {
		return fmt.Sprintf(`[["uuid","p%s"],%[1]q,["uuid",%[1]q],%s]`, name, tag),
			fmt.Sprintf(`[["uuid",%q],%[1]q,%q,%s,"up",%s,["map",[]]]`, name, kind, mtu, speed)
	}
	none := `["set",[]]`
	p1, d1 := row("dpdk0", "dpdk", "9000", "25000000000", "4095")
	p2, d2 := row("vhu1", "dpdkvhostuserclient", "1500", none, "5000")
	p3, d3 := row("vxlan0", "vxlan", none, none, none)
	h := host(model.Linux, text("ovs-vsctl-list", "", `{"data":[["br0",["set",[["uuid","pdpdk0"],["uuid","pvhu1"],["uuid","pvxlan0"]]]]],"headings":["name","ports"]}`+"\n"+
		`{"data":[`+p1+","+p2+","+p3+`],"headings":["_uuid","name","interfaces","tag"]}`+"\n"+
		`{"data":[`+d1+","+d2+","+d3+`],"headings":["_uuid","name","type","mtu","link_state","link_speed","options"]}`+"\n"))
	dpdk, vhost := h.Elements["dpdk0"], h.Elements["vhu1"]
	got := fmt.Sprint(h.Elements["br0"].Members, dpdk.Kind, " ", show(dpdk.SpeedMb), value(h, "dpdk0", "mtu"), show(dpdk.PVID), show(dpdk.LinkUp), " ",
		vhost.Kind, show(vhost.SpeedMb), value(h, "vhu1", "mtu"), show(vhost.PVID), h.Elements["vxlan0"] == nil, value(h, "br0", "hw-offload"))
	if want := "[dpdk0 vhu1]physical-adapter 2500090004095true interface-1500-true-"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	h = host(model.Linux, text("ovs-vsctl-show", "", "    Bridge br0\n        Port vnet0\n            tag: 7\n            Interface vnet0\n        Port eno1\n"+
		"            Interface eno1\n"), text("virsh-dumpxml", "", "<domain type='kvm'>\n<name>x</name>\n<devices><interface type='bridge'><target dev='vnet0'/></interface></devices>\n</domain>\n"))
	if v := h.Elements["vnet0"]; len(h.Elements) != 3 || v.MemberOf != "br0" || *v.PVID != 7 || v.Guest.Name != "x" || len(v.Attrs) != 0 {
		t.Errorf("text alone: got %+v, %+v", h.Elements, v)
	}
}
