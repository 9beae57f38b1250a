package topology

import (
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuiltins(t *testing.T) {
	names := Builtins()
	if len(names) < 2 {
		t.Fatalf("built-in topologies: got %v, want at least dedicated and two-systems", names)
	}
	for _, name := range names {
		top, err := Load(t.Context(), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if top.Name != name {
			t.Errorf("%s: got name %q", name, top.Name)
		}
		if _, data, _ := Source(t.Context(), name); Title(data) == "" {
			t.Errorf("%s: no title in its first line", name)
		}
	}
	if !json.Valid(Schema) {
		t.Error("schema.json is not JSON")
	}
}

func TestTwoSystems(t *testing.T) {
	top, err := Load(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	_, v, ok := top.Node("vios2")
	if !ok {
		t.Fatal("vios2: not found")
	}
	sea := v.Adapters[2]
	if sea.Kind != SEA || sea.Real != "ent0" || len(sea.Trunks) != 1 || sea.Trunks[0] != "ent4" || sea.MAC != v.Adapters[0].MAC {
		t.Errorf("vios2 ent5: got %+v, want an SEA of ent0 and ent4 with ent0's MAC", sea)
	}
	if got := v.Set["ent5"]["large_receive"]; got != "yes" {
		t.Errorf("vios2 ent5 large_receive: got %q, want yes", got)
	}
	if got := v.Adapters[0].LineRate; got != 10e9 {
		t.Errorf("vios2 ent0: got %d bit/s, want the port's 10 Gbit/s", got)
	}
	again, _ := Load(t.Context(), "two-systems")
	if a, b := top.Systems[0].Nodes[0].Adapters[0].MAC, again.Systems[0].Nodes[0].Adapters[0].MAC; a != b || a == "" {
		t.Errorf("MAC of lpar1 ent0: got %q then %q, want the same", a, b)
	}
}

func TestLinux(t *testing.T) {
	top, err := Load(t.Context(), "linux-peer")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for s, n := range top.Hosts() {
		system := "none"
		if s != nil {
			system = s.Name
		}
		all = append(all, n.Name+" "+n.OS+" "+string(n.Role)+" "+system)
	}
	if diff := cmp.Diff([]string{"lpar1  lpar cec1", "vios1  vios cec1", "linux1 linux lpar cec1", "server1 linux server none"}, all); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
	if _, _, found := top.Node("linux1"); found {
		t.Error("linux1 is among the simulated nodes")
	}
	if en := top.Servers[0].Interfaces[0]; en.Gateway != netip.MustParseAddr("10.10.20.254") {
		t.Errorf("server1 eth0: got gateway %s, want that of the switch", en.Gateway)
	}
}

func TestLinuxErrors(t *testing.T) {
	const good = `name: x
switch: {name: sw1, ports: {sw1/1: {}, sw1/2: {}}}
systems:
  - name: cec1
    nodes:
      - {name: a, role: lpar, os: linux, adapters: {eth0: {kind: virtual}}, interfaces: {eth0: {address: 10.0.0.1/24}}}
servers:
  - {name: b, adapters: {eth0: {kind: physical, port: sw1/1}}, interfaces: {eth0: {address: 10.0.0.2/24}}}
`
	if _, err := Parse("f", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ old, new, want string }{
		{"os: linux", "os: windows", `node a: os "windows", expected linux`},
		{"role: lpar", "role: vios", "os: linux is not for a vios"},
		{"os: linux", "os: linux, level: 7200-05-03-2148", "level belongs to AIX and VIOS"},
		{"os: linux", "os: linux, next_boot: {eth0: {mtu: 9000}}", "next_boot belongs to AIX and VIOS"},
		{"os: linux", "os: linux, set: {eth0: {mtu: 99}}", `eth0 mtu="99", expected mtu=576 to 9216`},
		{"os: linux", "os: linux, set: {eth0: {jumbo_frames: yes}}", `eth0 jumbo_frames="yes", expected`},
		{"os: linux", "os: linux, set: {eth7: {mtu: 9000}}", "set eth7: no such device"},
		{"os: linux", "os: linux, sysctls: {net.core.rmem_max: 1}", `net.core.rmem_max="1", expected numbers for one of net.core.somaxconn`},
		{"os: linux", "os: linux, sysctls: {net.ipv4.tcp_rmem: 4096}", `net.ipv4.tcp_rmem="4096", expected`},
		{"os: linux", "os: linux, routes: {10.20.0.1/16: 10.0.0.254}", `route to "10.20.0.1/16", expected a network`},
		{"os: linux", "os: linux, routes: {0.0.0.0/0: 10.0.0.254}", "the default route is an interface's gateway"},
		{"os: linux", "os: linux, routes: {10.20.0.0/16: 10.9.0.254}", `gateway "10.9.0.254", expected an address in a network`},
		{"name: b", "name: b, sysctls: {net.ipv4.tcp_sack: two}", `net.ipv4.tcp_sack="two", expected`},
		{"{kind: virtual}", "{kind: virtual, trunk: yes}", `key "trunk" does not belong to a virtual adapter`},
		{"{kind: virtual}", "{kind: sea}", `kind "sea", expected virtual, physical or bond`},
		{"{eth0: {kind: virtual", "{enp101s0f0np0: {kind: virtual", "expected a device name of at most 10"},
		{"{kind: physical, port: sw1/1}", "{kind: virtual}", "server b: a virtual adapter belongs to a partition"},
		{"name: b", "name: a", "node a is there twice"},
		{"os: linux", "os: linux, type: Shared-SMT-8", "type belongs to AIX and VIOS"},
		{"address: 10.0.0.2/24", "address: 10.0.0.2/24, aliases: [10.0.0.1/24]", "address 10.0.0.1 belongs to a eth0"},
		{"address: 10.0.0.2/24", "address: 10.0.0.2/24, aliases: [10.0.0.3]", `alias "10.0.0.3", expected IPv4 with prefix length`},
		{"address: 10.0.0.2/24", "address: 10.0.0.2/24, aliases: [10.0.0.255/24]", "is the broadcast address of its subnet"},
		{"10.0.0.2/24", "10.0.0.1/24", "address 10.0.0.1 belongs to a eth0"},
		{"interfaces: {eth0: {address: 10.0.0.2", "interfaces: {eth1: {address: 10.0.0.2", `interface "eth1", expected enN on one of eth0`},
	} {
		_, err := Parse("f", []byte(strings.Replace(good, x.old, x.new, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", x.new, err, x.want)
		}
	}
}

func TestBonds(t *testing.T) {
	_, data, err := Source(t.Context(), "bond")
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	top, err := Parse("f", data)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{LACP, ActiveBackup} {
		b := top.Servers[i].Adapter("bond0")
		if diff := cmp.Diff([]string{"eth0", "eth1"}, b.Members); diff != "" || b.Mode != want || b.MAC != "" {
			t.Errorf("%s: got %+v, want mode %s and its ports (-want +got):\n%s", top.Servers[i].Name, b, want, diff)
		}
	}
	for _, x := range []struct{ old, new, want string }{
		{"mode: 802.3ad", "mode: balance-rr", `mode "balance-rr", expected 802.3ad or active-backup`},
		{", mode: 802.3ad", "", `mode "", expected 802.3ad or active-backup`},
		{"members: [eth0, eth1], mode: 802.3ad", "mode: 802.3ad", "needs the key members"},
		{"members: [eth0, eth1], mode: 802.3ad", "members: [eth0, eth7], mode: 802.3ad", `members "eth7", expected a physical adapter`},
		{"members: [eth0, eth1], mode: 802.3ad", "members: [eth0, eth0], mode: 802.3ad", "eth0 belongs to bond0 already"},
		{"mode: 802.3ad", "mode: active-backup", "lacp1 eth0: port sw1/1 is in the switch's aggregate po1"},
		{"sw1/2: {rate: 1G, lag: po1}", "sw1/2: {rate: 1G}", "lacp1 bond0: mode 802.3ad, expected ports of one aggregate"},
		{"sw1/2: {rate: 1G, lag: po1}", "sw1/2: {rate: 1G, lag: po2}", "lacp1 bond0: mode 802.3ad, expected ports of one aggregate"},
		{"mode: active-backup", "mode: 802.3ad", "backup1 bond0: mode 802.3ad, expected ports of one aggregate"},
		{"      bond0: {address: 10.10.30.21", "      eth0: {address: 10.10.30.21", "its adapter eth0 belongs to bond0"},
		{"bond0: {kind: bond,", "bond0: {kind: bond, mac: 32:43:00:00:00:01,", `key "mac" does not belong to a bond adapter`},
	} {
		bad := strings.Replace(good, x.old, x.new, 1)
		if _, err := Parse("f", []byte(bad)); bad == good || err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", x.new, err, x.want)
		}
	}
	// An aggregate of the switch leads to one place.
	two := strings.NewReplacer("sw1/3: {rate: 1G}", "sw1/3: {rate: 1G, lag: po1}", "sw1/4: {rate: 1G}", "sw1/4: {rate: 1G, lag: po1}",
		"mode: active-backup", "mode: 802.3ad").Replace(good)
	if _, err := Parse("f", []byte(two)); err == nil || !strings.Contains(err.Error(), "aggregate po1, which leads to lacp1 bond0") {
		t.Errorf("two bonds on one aggregate: got %v", err)
	}
}

// Each case replaces one piece of a good file; the message must name the line
// and what was expected.
func TestErrors(t *testing.T) {
	_, data, err := Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	cases := []struct{ old, new, want string }{
		{"pvid: 1}\n        interfaces:\n          en0: {address: " +
			"10.10.10.11", "pvvid: 1}\n        interfaces:\n          en0: {address: 10.10.10.11",
			`unknown key "pvvid", expected one of backup, base, ctl_chan, kind, mac`},
		{"real: ent0, trunks: [ent4]}", "real: ent9, trunks: [ent4]}", `real "ent9", expected a physical adapter`},
		{"real: ent0, trunks: [ent4]}", "real: ent0, trunks: [ent0]}", `expected a virtual trunk adapter`},
		{"      - name: lpar1\n", "      - name: lpar1\n        weight: 256\n", `weight "256", expected a number from 0 to 255`},
		{"      - name: lpar1\n", "      - name: lpar1\n        weight: 64\n        mode: Capped\n", "weight belongs to an uncapped node"},
		{"trunk: true}", "trunk: perhaps}", `trunk "perhaps", expected true or false`},
		{"port: sw1/1", "port: sw1/7", `expected one of sw1/1, sw1/2`},
		{"port: sw1/1", "port: sw1/2", "port sw1/2 is cabled to"},
		{"10.10.10.12/24", "10.10.10.11/24", "belongs to lpar1 en0"},
		{"10.10.10.12/24", "10.10.10.12", "expected IPv4 with prefix length"},
		{"10.10.10.12/24", "10.10.10.0/24", "is that of the subnet itself"},
		{"10.10.10.12/24", "10.10.10.255/24", "is the broadcast address"},
		{"10.10.10.12/24", "10.10.10.12/0", "expected /8 to /30"},
		{"10.10.10.12/24", "10.10.10.12/31", "expected /8 to /30"},
		{"10.10.10.12/24", "127.0.0.2/24", "is not one that an interface can have"},
		{"10.10.10.12/24", "239.1.1.1/24", "is not one that an interface can have"},
		{"10.10.10.12/24", "0.0.0.0/24", "is not one that an interface can have"},
		{"name: lpar2", "name: lpar1", "there twice"},
		{"name: lpar2", "name: ../x", "expected small letters"},
		{"          en5: {address: 10.10.10.21/24}", "          en0: {address: 10.10.10.21/24}", "belongs to ent5"},
		{"role: lpar", "role: vio", "expected lpar or vios"},
		{"rate: 10G", "rate: fast", "expected bit/s"},
		{"rate: 10G", "rate: 10G, delay: 250", "expected a time from 10us to 100ms"},
		{"rate: 10G", "rate: 10G, delay: 1s", "expected a time from 10us to 100ms"},
		{"rate: 10G}\n    sw1/2: {mtu: 1500,", "rate: 10G, lag: both, delay: 1ms}\n    sw1/2: {lag: both, mtu: 1500,",
			"port sw1/1 of the same lag both has 1ms"},
		{"mtu: 1500", "mtu: 15", "from 576 to 9216"},
		{"          ent5: {largesend: 1", "          ent6: {largesend: 1", "no such device"},
		{"number: 1\n", "number: 5\n", "partition number 5 belongs to"},
		{"systems:", "systems: [}", "not YAML"},
		{"  name: sw1", "  nam: sw1", "unknown key"},
		{"switch:\n", "switch: 3\nother:\n", "expected a mapping"},
		{"name: two-systems\n", "", `key "name" is missing`},
		{"name: two-systems\n", "name: a\nname: b\n", "already defined"},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1, port: sw1/1}", `does not belong to a virtual adapter`},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1, vlans: [7, 7]}", "VLAN 7 is there twice"},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1, vlans: [1]}", "VLAN 1 is there twice"},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1, vlans: [2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]}",
			"21 tagged VLANs, expected at most 20"},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1}\n          ent1: {kind: vlan, base: ent0}", "needs the keys base and tag"},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1}\n          ent1: {kind: vlan, base: ent2, tag: 9}", `base "ent2"`},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1}\n          ent1: {kind: vlan, base: ent1, tag: 9}", `base "ent1"`},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1}\n          ent1: {kind: vlan, base: ent0, tag: 4095}", "from 1 to 4094"},
		{"kind: virtual, pvid: 1}", "kind: virtual, pvid: 1}\n          ent1: {kind: vlan, base: ent0, tag: 9}\n       " +
			"   ent2: {kind: vlan, base: ent0, tag: 9}", "VLAN 9 of ent0 belongs to ent"},
		{"trunks: [ent4]}", "trunks: [ent4]}\n          ent6: {kind: vlan, base: ent0, tag: 9}", "base ent0 belongs to ent5"},
		{"kind: virtual, pvid: 1, trunk: true}", "kind: virtual, pvid: 1, trunk: true, priority: 2}\n          ent7: " +
			"{kind: virtual, pvid: 2, vlans: [1], trunk: true, priority: 2}", "trunk priority 2 on VLAN 1 belongs to"},
	}
	for _, c := range cases {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Errorf("%q is not in the file", c.old)
			continue
		}
		_, err := Parse("site.yaml", []byte(bad))
		var e *Error
		if !errors.As(err, &e) || e.Line == 0 || e.File != "site.yaml" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want file, line and %q", c.new, c.old, err, c.want)
		}
	}
}

func TestErrorLine(t *testing.T) {
	_, err := Parse("f.yaml", []byte("name: a\nswitch: {name: sw1}\nsystems:\n  - name: c\n    nodes:\n      - "+
		"name: n\n        role: lpar\n        adapters:\n          ent0: {kind: physical, port: x}\n"))
	var e *Error
	if !errors.As(err, &e) || e.Line != 9 {
		t.Errorf("got %v, want line 9", err)
	}
}

func TestLoadUnknown(t *testing.T) {
	if _, err := Load(t.Context(), "nowhere"); err == nil || !strings.Contains(err.Error(), "two-systems") {
		t.Errorf("got %v, want an error that names the built-ins", err)
	}
	if _, err := Load(t.Context(), "./nowhere.yaml"); err == nil {
		t.Error("a missing file: got no error")
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Builtins() {
		_, data, _ := Source(f.Context(), name)
		f.Add(data)
	}
	f.Add([]byte("name: *x"))
	f.Add([]byte("systems: [{}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		top, err := Parse("f.yaml", data)
		if err == nil && (top.Name == "" || len(top.Systems) == 0) {
			t.Errorf("accepted a topology without name or systems: %+v", top)
		}
	})
}

func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"10G", "100M", "10000000000", "18446744073709551615G", "0M"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := ParseRate(text); err == nil && (v < 1e6 || v > 1e12) {
			t.Errorf("ParseRate(%q): got %d bit/s, want 1M to 1000G or an error", text, v)
		}
	})
}
