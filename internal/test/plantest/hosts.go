package plantest

import (
	"net/netip"
	"strings"
	"testing"

	"seaworthy/inventory"
)

// Prefixes reads ADDRESS/BITS.
func Prefixes(t *testing.T, s ...string) []netip.Prefix {
	t.Helper()
	var out []netip.Prefix
	for _, x := range s {
		p, err := netip.ParsePrefix(x)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// Attrs makes attributes from name=value, or name=running/next-boot.
func Attrs(list ...string) map[string]*inventory.Attr {
	m := map[string]*inventory.Attr{}
	for _, s := range list {
		name, v, _ := strings.Cut(s, "=")
		run, next, differ := strings.Cut(v, "/")
		if !differ {
			next = run
		}
		m[name] = &inventory.Attr{Name: name, Running: &run, NextBoot: &next}
	}
	return m
}

// Pair is an AIX client and its VIOS.
func Pair(t *testing.T) (lpar, vios *inventory.Host) {
	t.Helper()
	addr := inventory.Element{Name: "en0", Kind: inventory.Interface, On: "ent0"}
	addr.Attrs = Attrs("mtu_bypass=off", "mtu=1500", "tcp_sendspace=", "tcp_recvspace=65536", "rfc1323=0", "use_a_value_with_quote=x")
	addr.Addrs = Prefixes(t, "10.0.0.1/24")
	lpar = &inventory.Host{
		Name: "lpar1", Platform: inventory.AIX, User: "root",
		Elements: map[string]*inventory.Element{
			"en0":  &addr,
			"ent0": {Name: "ent0", Kind: inventory.Virtual, Attrs: Attrs("chksum_offload=no", "min_buf_small=512", "max_buf_small=2048")},
		},
		Tunables: Attrs("sb_max=1048576"),
	}
	vios = &inventory.Host{
		Name: "vios1", Platform: inventory.VIOS, User: "padmin",
		Elements: map[string]*inventory.Element{
			"ent5": {Name: "ent5", Kind: inventory.SEA, Real: "ent0", Attrs: Attrs("largesend=0", "jumbo_frames=no")},
			"ent0": {Name: "ent0", Kind: inventory.Physical, MemberOf: "ent5", Attrs: Attrs("large_send=no", "jumbo_frames=no")},
		},
	}
	return lpar, vios
}

// Behind is a pair of VIOSes with an SEA each and a Linux and an AIX client.
func Behind(t *testing.T, kernel string) *inventory.Fleet {
	t.Helper()
	one, yes := 1, true
	trunk := func(name string) *inventory.Element {
		return &inventory.Element{Name: name, Kind: inventory.Virtual, PVID: &one, VSwitch: "ETHERNET0", Trunk: &yes, MemberOf: "ent5",
			Attrs: Attrs("max_buf_small=2048", "min_buf_small=512")}
	}
	vios := func(name, state string) *inventory.Host {
		return &inventory.Host{Name: name, Platform: inventory.VIOS, User: "padmin", MachineID: "9009-22A*1", IOSLevel: "3.1.4.10",
			Elements: map[string]*inventory.Element{
				"ent0": {Name: "ent0", Kind: inventory.Physical, MemberOf: "ent5", Attrs: Attrs("large_receive=no", "jumbo_frames=no",
					"large_send=yes", "chksum_offload=yes")},
				"ent4": trunk("ent4"), "ent6": trunk("ent6"),
				"ent5": {Name: "ent5", Kind: inventory.SEA, Real: "ent0", Trunks: []string{"ent4", "ent6"}, HAState: state,
					Attrs: Attrs("large_receive=no", "jumbo_frames=no", "largesend=1", "ha_mode=auto", "adapter_reset=yes")},
			}}
	}
	client := func(name string, p inventory.Platform, level, iface string) *inventory.Host {
		return &inventory.Host{Name: name, Platform: p, MachineID: "9009-22A*1", Level: level, Elements: map[string]*inventory.Element{
			"ent0": {Name: "ent0", Kind: inventory.Virtual, PVID: &one, VSwitch: "ETHERNET0", Attrs: Attrs("chksum_offload=yes")},
			"en0": {Name: "en0", Kind: inventory.Interface, On: "ent0", Addrs: Prefixes(t, "10.0.0.1/24"), Up: &yes,
				Flags: []string{"UP", "LARGESEND"},
				Attrs: Attrs("mtu_bypass=on", "mtu=1500", "state=up")},
		}, Tunables: Attrs("net.ipv4.ip_forward=0", "ipforwarding=0")}
	}
	return &inventory.Fleet{Hosts: []*inventory.Host{
		vios("vios1", "PRIMARY"), vios("vios2", "BACKUP"),
		client("lpar1", inventory.AIX, "7200-05-06-2320", "en0"), client("linux1", inventory.Linux, kernel, "eth0"),
	}}
}

// Cabled is a host with a port of its own on the switch.
func Cabled(t *testing.T, name, addr, mtu string) *inventory.Host {
	t.Helper()
	yes := true
	return &inventory.Host{Name: name, Platform: inventory.AIX, MachineID: "M*" + name, Elements: map[string]*inventory.Element{
		"ent0": {Name: "ent0", Kind: inventory.Physical, MAC: "00:09:6b:00:00:0" + name[len(name)-1:], Location: "U78-P1-T1",
			Attrs: Attrs("jumbo_frames=yes")},
		"en0": {Name: "en0", Kind: inventory.Interface, On: "ent0", Up: &yes, Addrs: Prefixes(t, addr+"/24"),
			Attrs: Attrs("mtu="+mtu, "state=up")},
	}}
}
