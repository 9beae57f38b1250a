package assemble_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

func addr(t *testing.T, s string) netip.Addr {
	t.Helper()
	a, err := netip.ParseAddr(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// link is one device as ip -j -d link prints it.
func link(name, flags, more string) string {
	return fmt.Sprintf(`{"ifname":%q,"flags":[%s],"mtu":1500,"link_type":"ether"%s}`, name, flags, more)
}

func links(list ...string) assemble.Output {
	return text("ip-link", "", "["+strings.Join(list, ",")+"]\n")
}

func TestLinuxKinds(t *testing.T) {
	up := `"UP","LOWER_UP"`
	for _, c := range []struct {
		name, more, driver string
		want               model.Kind
	}{
		{"ibmveth", "", "ibmveth", model.Virtual},
		{"ibmvnic", "", "ibmvnic", model.VNIC},
		{"a port", `,"parentbus":"pci"`, "mlx5_core", model.Physical},
		{"a driver nobody knows", "", "lighthouse9000", model.Physical},
		{"virtio", `,"parentbus":"virtio"`, "virtio_net", model.Interface},
		{"no driver said", "", "", model.Interface},
		{"bond", `,"linkinfo":{"info_kind":"bond"}`, "bonding", model.EtherChannel},
		{"bond without ethtool", `,"linkinfo":{"info_kind":"bond"}`, "", model.EtherChannel},
		{"vlan", `,"link":"eth0","linkinfo":{"info_kind":"vlan","info_data":{"id":7}}`, "802.1Q VLAN Support", model.VLANDevice},
		{"bridge", `,"linkinfo":{"info_kind":"bridge"}`, "bridge", model.Interface},
		{"veth", `,"linkinfo":{"info_kind":"veth"}`, "veth", model.Interface},
	} {
		t.Run(c.name, func(t *testing.T) {
			outputs := []assemble.Output{links(link("x0", up, c.more))}
			if c.driver != "" {
				outputs = append(outputs, text("ethtool-i", "x0", "driver: "+c.driver+"\nversion: 1\n"))
			}
			if e := host(model.Linux, outputs...).Elements["x0"]; e == nil || e.Kind != c.want {
				t.Errorf("got %+v, want kind %s", e, c.want)
			}
		})
	}
}

// An ip without JSON says the same in its own form.
func TestIPText(t *testing.T) {
	h := host(model.Linux, text("ip-addr-text", "", "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n"+
		"2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc pfifo_fast state UP qlen 1000\n    link/ether 32:43:01:05:00:00 brd ff:ff:ff:ff:ff:ff promiscuity 0\n    inet 10.10.10.15/24 brd 10.10.10.255 scope global eth0\n       valid_lft forever preferred_lft forever\n    inet6 fe80::1/64 scope link\n"+
		"3: eth0.7@eth0: <BROADCAST> mtu 15"), text("ethtool-i", "eth0", "driver: ibmveth\nversion: 1.05\n"))
	e := h.Elements["eth0"]
	got := fmt.Sprint(len(h.Elements), " ", e.Kind, " ", e.MAC, " ", e.Addrs, " ", value(h, "eth0", "mtu"), " ", value(h, "eth0", "txqueuelen"), " ", show(e.Up), " ", show(e.LinkUp))
	if want := "1 virtual-adapter 32:43:01:05:00:00 [10.10.10.15/24] 9000 1000 true true"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !slices.ContainsFunc(h.Gaps, func(g model.Gap) bool {
		return g.What == "ip-addr-text" && strings.Contains(g.Why, "middle of a line")
	}) {
		t.Errorf("gaps: got %v, want one for the line that was cut off", h.Gaps)
	}
}

func TestLinuxStructure(t *testing.T) {
	up := `"UP","LOWER_UP"`
	h := host(model.Linux, links(
		link("eth10", up, `,"master":"bond0"`), link("eth9", up, `,"master":"bond0"`),
		link("bond0", up, `,"master":"br0","linkinfo":{"info_kind":"bond","info_data":{"mode":"active-backup","miimon":100}}`),
		link("br0", up, `,"linkinfo":{"info_kind":"bridge"}`), link("vnet3", up, `,"master":"br0","linkinfo":{"info_kind":"tun"}`),
		link("br0.7", up, `,"link":"br0","linkinfo":{"info_kind":"vlan","info_data":{"id":7}}`),
		link("dummy0", ``, `,"linkinfo":{"info_kind":"dummy"}`), link("dummy1", up, `,"linkinfo":{"info_kind":"dummy"}`),
		link("v0", up, `,"link":"v1","linkinfo":{"info_kind":"veth"}`), link("v1", up, `,"link":"v0","linkinfo":{"info_kind":"veth"}`),
		link("eth2", `"NO-CARRIER","UP"`, ``), link("eth3", ``, ``),
		`{"ifname":"lo","flags":["LOOPBACK","UP"],"link_type":"loopback"}`,
	))
	got := map[string]string{}
	for name, e := range h.Elements {
		got[name] = fmt.Sprint(e.Kind, " on=", e.On, " of=", e.MemberOf, " has=", e.Members, " up=", show(e.Up), " link=", show(e.LinkUp), " vlans=", e.VLANs)
	}
	want := map[string]string{
		"eth9":   "interface on= of=bond0 has=[] up=true link=true vlans=[]",
		"eth10":  "interface on= of=bond0 has=[] up=true link=true vlans=[]",
		"bond0":  "etherchannel on= of=br0 has=[eth9 eth10] up=true link=true vlans=[]",
		"br0":    "interface on= of= has=[bond0 vnet3] up=true link=true vlans=[]",
		"vnet3":  "interface on= of=br0 has=[] up=true link=true vlans=[]",
		"br0.7":  "vlan on=br0 of= has=[] up=true link=true vlans=[7]",
		"dummy1": "interface on= of= has=[] up=true link=true vlans=[]",
		"v0":     "interface on= of= has=[] up=true link=true vlans=[]",
		"v1":     "interface on= of= has=[] up=true link=true vlans=[]",
		"eth2":   "interface on= of= has=[] up=true link=false vlans=[]",
		"eth3":   "interface on= of= has=[] up=false link=- vlans=[]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("elements (-want +got):\n%s", diff)
	}
	if got := value(h, "bond0", "bonding-mode") + " " + value(h, "bond0", "miimon") + " " + value(h, "bond0", "xmit_hash_policy"); got != "active-backup 100 -" {
		t.Errorf("bond0: got %q, want active-backup 100 -", got)
	}
}

// ip tells a bond's partner; where the bonding driver's own files say it too, they are the evidence.
func TestPartnerByIP(t *testing.T) {
	ip := text("ip-addr-text", "", "3: bond0: <MASTER,UP> mtu 1500 qdisc noqueue\n    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"+
		"    bond mode 802.3ad arp_interval 0 ad_num_ports 1 ad_partner_mac 02:00:00:00:00:09\n"+
		"4: eth0@NONE: <UP> mtu 1500\n    link/ether 02:00:00:00:00:02 brd ff:ff:ff:ff:ff:ff\n")
	file := text("proc-net-bonding", "bond0", "Ethernet Channel Bonding Driver: v5\n\nBonding Mode: IEEE 802.3ad Dynamic link aggregation\n"+
		"Active Aggregator Info:\n\tNumber of ports: 2\n\tPartner Mac Address: 02:00:00:00:00:0a\n")
	other := text("ip-addr-text", "", "2: eth0: <UP> mtu 1500\n    link/ether 02:00:00:00:00:02 brd ff:ff:ff:ff:ff:ff\n"+
		"3: bond1: <UP> mtu 1500\n    link/ether 02:00:00:00:00:03 brd ff:ff:ff:ff:ff:ff\n    bond mode balance-rr miimon 100\n")
	if from := host(model.Linux, other).Elements["bond1"].Attrs["bonding-mode"].From; len(from) != 1 || from[0].Line != 3 {
		t.Errorf("bonding-mode: got %+v, want it from line 3, where the device begins", from)
	}
	for want, outputs := range map[string][]assemble.Output{
		"02:00:00:00:00:09 1 0 -": {ip},
		"02:00:00:00:00:0a 2 0 -": {file, ip},
	} {
		h := host(model.Linux, outputs...)
		got := value(h, "bond0", "ad_partner_mac") + " " + value(h, "bond0", "ad_num_ports") + " " + value(h, "bond0", "arp_interval") + " " +
			value(h, "bond0", "primary")
		if got != want || h.Elements["eth0"].On != "" {
			t.Errorf("got %s, eth0 on %q; want %s, on nothing", got, h.Elements["eth0"].On, want)
		}
	}
}

func TestEthtool(t *testing.T) {
	rings := "Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t4096\nTX:\t\t4096\nCurrent hardware settings:\nRX:\t\t512\nTX:\t\t256\n"
	for _, c := range []struct {
		name   string
		output assemble.Output
		get    func(*model.Host) string
		want   string
		gap    bool
	}{
		{"asked for and not in force", text("ethtool-k", "eth0", "Features for eth0:\ntcp-segmentation-offload: off [requested on]\n"),
			func(h *model.Host) string { return value(h, "eth0", "tso") + " " + settable(h, "tso") }, "off true", false},
		{"asked for, but the firmware has it not", text("ethtool-k", "eth0", "Features for eth0:\ntx-checksumming: on\nscatter-gather: on\ntcp-segmentation-offload: off [requested on]\n"),
			func(h *model.Host) string { return value(h, "eth0", "tso") + " " + settable(h, "tso") }, "off false", false},
		{"fixed", text("ethtool-k", "eth0", "Features for eth0:\nlarge-receive-offload: off [fixed]\n"),
			func(h *model.Host) string { return value(h, "eth0", "lro") + " " + settable(h, "lro") }, "off false", false},
		{"fixed, as one of several is", text("ethtool-k", "eth0", "Features for eth0:\nrx-checksumming: off [fixed]\ntx-checksumming: off\n\ttx-checksum-ipv4: off [fixed]\n\ttx-checksum-ip-generic: off [fixed]\nscatter-gather: on\n\ttx-scatter-gather: on\n\ttx-scatter-gather-fraglist: off [fixed]\ntcp-segmentation-offload: off\n\ttx-tcp-segmentation: off\n"),
			func(h *model.Host) string {
				return settable(h, "tx") + " " + settable(h, "sg") + " " + settable(h, "tso")
			}, "false true false", false},
		{"not all of several fixed", text("ethtool-k", "eth0", "Features for eth0:\ntx-checksumming: off\n\ttx-checksum-ipv4: off\n\ttx-checksum-sctp: off [fixed]\ntcp-segmentation-offload: off\n\ttx-tcp-segmentation: off\n"),
			func(h *model.Host) string { return settable(h, "tx") + " " + settable(h, "tso") }, "true true", false},
		{"on for AccECN alone", text("ethtool-k", "eth0", "Features for eth0:\ntx-checksumming: off\n\ttx-checksum-ip-generic: off\nscatter-gather: on\ntcp-segmentation-offload: on\n\ttx-tcp-segmentation: off [requested on]\n\ttx-tcp-accecn-segmentation: on\n"),
			func(h *model.Host) string { return value(h, "eth0", "tso") + " " + settable(h, "tso") }, "off true", false},
		{"not printed", text("ethtool-k", "eth0", "Features for eth0:\nrx-checksumming: on\n"), func(h *model.Host) string { return value(h, "eth0", "tso") }, "-", false},
		{"rings", text("ethtool-g", "eth0", rings), func(h *model.Host) string {
			return value(h, "eth0", "rings") + " of " + fmt.Sprint(h.Elements["eth0"].Attrs["rings"].Allowed)
		}, "512 of [1...4096 (+1)]", false},
		{"another device", text("ethtool-g", "eth7", rings), func(h *model.Host) string { return value(h, "eth7", "rings") + value(h, "eth0", "rings") }, "--", true},
		{"half a number", text("ethtool-S", "eth0", "NIC statistics:\n     rx_dropped: 12\n     rx_no_buffer: 70"), func(h *model.Host) string {
			return fmt.Sprint(h.Elements["eth0"].Counters)
		}, "map[rx_dropped:12]", true},
		{"speed", text("ethtool", "eth0", "Settings for eth0:\n\tSpeed: 25000Mb/s\n\tLink detected: yes\n"), linkOf, "25000 true", false},
		{"no speed", text("ethtool", "eth0", "Settings for eth0:\n\tSpeed: Unknown!\n\tLink detected: no\n"), linkOf, "- false", false},
		{"speed as -1", text("ethtool", "eth0", "Settings for eth0:\n\tSpeed: 4294967295Mb/s\n"), linkOf, "- -", false},
		{"without rights", text("ethtool", "eth0", "Settings for eth0:\nCannot get wake-on-lan settings: Operation not permitted\n\tLink detected: yes\n"), linkOf, "- true", false},
		{"queues that are used", text("ethtool-x", "eth0", "RX flow hash indirection table for eth0 with 4 RX ring(s):\n    0:      0     1     0     1\nRSS hash key:\nOperation not supported\n"), func(h *model.Host) string {
			return value(h, "eth0", "rss-queues") + " of " + h.Elements["eth0"].Attrs["rss-queues"].Allowed[0]
		}, "2 of 1...4 (+1)", false},
		{"pause differs", text("ethtool-a", "eth0", "Pause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\ton\n"), func(h *model.Host) string { return value(h, "eth0", "pause") }, "rx off tx on", false},
		{"no statistics", text("ethtool-S", "eth0", "no stats available\n"), func(h *model.Host) string { return fmt.Sprint(len(h.Elements)) }, "0", false},
		{"not installed", text("ethtool-k", "eth0", "sh: ethtool: command not found\n"), func(h *model.Host) string { return fmt.Sprint(len(h.Elements)) }, "0", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := host(model.Linux, c.output)
			if got := c.get(h); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			named := slices.ContainsFunc(h.Gaps, func(g model.Gap) bool { return g.What == c.output.ID+" "+c.output.Element })
			if named != c.gap {
				t.Errorf("gaps: got %v, want one that names the command: %t", h.Gaps, c.gap)
			}
		})
	}
}

func settable(h *model.Host, name string) string {
	return show(h.Elements["eth0"].Attrs[name].Settable)
}

func linkOf(h *model.Host) string {
	return show(h.Elements["eth0"].SpeedMb) + " " + show(h.Elements["eth0"].LinkUp)
}

// Where ip and ethtool are missing, sysfs alone still makes a host.
func TestSysfsAlone(t *testing.T) {
	p := "/sys/class/net/eth0/"
	h := host(model.Linux,
		text("sys-class-net", "eth0", p+"address:02:00:00:00:00:07\n"+p+"carrier:1\n"+p+"flags:0x1003\n"+p+"mtu:9000\n"+p+"speed:-1\n"+p+"type:1\n"+p+"device/uevent:DRIVER=mlx5_core\n"+
			p+"queues/rx-0/rps_cpus:00000000,0000000f\n"+p+"queues/rx-1/rps_cpus:00000000,00000000\n"+p+"statistics/rx_dropped:5\n"),
		text("sys-class-net", "bond0", "/sys/class/net/bond0/uevent:DEVTYPE=bond\n/sys/class/net/bond0/bonding/mode:802.3ad 4\n/sys/class/net/bond0/bonding/xmit_hash_policy:layer3+4 1\n/sys/class/net/bond0/bonding/miimon:100\n"),
		text("sys-class-net", "lo", "/sys/class/net/lo/type:772\n/sys/class/net/lo/mtu:65536\n"),
		text("proc-sys-net", "", "/proc/sys/net/ipv4/tcp_rmem:4096\t131072\t6291456\n"),
		text("uname-a", "", "Linux h 3.10.0-1160.el7.ppc64le #1 SMP ppc64le GNU/Linux\n"),
	)
	e := h.Elements["eth0"]
	got := fmt.Sprint(len(h.Elements), " ", e.Kind, " ", e.MAC, " ", show(e.Up), " ", show(e.LinkUp), " ", show(e.SpeedMb), " ", value(h, "eth0", "mtu"), " ", value(h, "eth0", "rps_cpus"), " ", e.Counters, " ", show(h.Tunables["net.ipv4.tcp_rmem"].Running), " ", h.Level)
	if bond := h.Elements["bond0"]; bond == nil || bond.Kind != model.EtherChannel || value(h, "bond0", "bonding-mode")+value(h, "bond0", "xmit_hash_policy")+value(h, "bond0", "miimon") != "802.3adlayer3+4100" {
		t.Errorf("bond0: got %+v, want an EtherChannel with its mode, hash and interval", bond)
	}
	want := "2 physical-adapter 02:00:00:00:00:07 true true - 9000 00000000,00000000 map[rx_dropped:5] 4096 131072 6291456 3.10.0-1160.el7.ppc64le"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
