package assemble_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// booting is a Linux host with two ports, what grep prints of its files, and
// what nmcli says.
func booting(files, nmcli string) *model.Host {
	outputs := []assemble.Output{
		{ID: "ip-link", Command: "ip -j -d link", Text: []byte(`[{"ifname":"eth0","link_type":"ether","mtu":1500,"txqlen":1000,"flags":["UP"]},
			{"ifname":"eth1","link_type":"ether","mtu":1500,"flags":["UP"]}]`)},
		{ID: "sysctl", Command: "sysctl -e", Text: []byte("net.core.rmem_max = 212992\nnet.ipv4.tcp_rmem = 4096\t131072\t6291456\n")},
		{ID: "boot-files", Command: "grep", Text: []byte("/proc/1/comm:systemd\n/sys/class/net/eth0/ifindex:2\n/sys/class/net/eth1/ifindex:3\n" +
			files)},
	}
	if strings.HasPrefix(files, "/proc/1/comm") {
		outputs[2].Text = []byte(files)
	}
	// A virtual device has no interrupts of its own.
	outputs = append(outputs, assemble.Output{ID: "irq-affinity", Element: "eth0", Command: "grep -sH ."})
	if nmcli != "" {
		outputs = append(outputs, assemble.Output{ID: "nmcli", Command: "nmcli", Text: []byte(nmcli)})
	}
	return assemble.Host(assemble.About{Name: "l", Platform: model.Linux}, outputs)
}

func TestPersistence(t *testing.T) {
	const links, interfaces = "/run/systemd/netif/links/", "/etc/network/interfaces:"
	const uuid = "0c2b8b1c-5a9e-4c43-8d36-0d3f6a1f1c11"
	managed := func(version, id, more string) string {
		return "nmcli tool, version " + version + "\nconnection.id:" + id + "\nconnection.uuid:" + uuid + "\n" + more + "GENERAL.DEVICES:eth0\n"
	}
	for name, c := range map[string]struct {
		files, nmcli string
		by           string
		name         string
		mtu          string // of the next boot; "-": not known
		other        string
	}{
		"systemd alone": {by: "systemd unit", other: "systemd unit"},
		"a unit of ours": {files: "/etc/systemd/system/seaworthy-eth0-mtu.service:# seaworthy eth0 mtu 9000\n", by: "systemd unit",
			mtu: "9000", other: "systemd unit"},
		"ifupdown": {files: interfaces + "iface lo inet loopback\n" + interfaces + "iface eth0 inet static\n" + interfaces + "\tmtu 1400\n" +
			interfaces + "iface eth9 inet dhcp\n" + interfaces + "  mtu 9000\n",
			by: "ifupdown", name: "/etc/network/interfaces", mtu: "1400", other: "systemd unit"},
		"ifupdown and ours": {files: interfaces + "iface eth0 inet static\n" + interfaces + " mtu 1400\n" +
			"/etc/network/if-up.d/seaworthy-eth0-mtu:# seaworthy eth0 mtu 9000\n",
			by: "ifupdown", name: "/etc/network/interfaces", mtu: "9000", other: "systemd unit"},
		"interfaces.d": {files: "/etc/network/interfaces.d/lan:iface eth0 inet dhcp\n", by: "ifupdown",
			name: "/etc/network/interfaces.d/lan", other: "systemd unit"},
		"networkd": {files: links + "2:ADMIN_STATE=configured\n" + links + "2:NETWORK_FILE=/etc/systemd/network/10-lan.network\n" +
			links + "3:ADMIN_STATE=unmanaged\n/etc/systemd/network/10-lan.network:Name=eth0\n/etc/systemd/network/10-lan.network:MTUBytes=1400\n",
			by: "systemd-networkd", name: "10-lan.network", mtu: "1400", other: "systemd unit"},
		"networkd, drop-in": {files: links + "2:ADMIN_STATE=configured\n" + links + "2:NETWORK_FILE=/run/systemd/network/10-lan.network\n" +
			"/run/systemd/network/10-lan.network:Name=eth0\n/etc/systemd/network/10-lan.network.d/60-seaworthy-mtu.conf:# seaworthy eth0 mtu 9000\n" +
			"/etc/systemd/network/10-lan.network.d/60-seaworthy-mtu.conf:MTUBytes=9000\n",
			by: "systemd-networkd", name: "10-lan.network", mtu: "9000", other: "systemd unit"},
		"netplan": {files: links + "2:ADMIN_STATE=configured\n" + links + "2:NETWORK_FILE=/run/systemd/network/10-netplan-lan.network\n" +
			"/run/systemd/network/10-netplan-lan.network:Name=eth0\n", by: "netplan", name: "lan", other: "systemd unit"},
		"ifcfg": {files: "/etc/sysconfig/network-scripts/ifcfg-eth0:MTU=\"9000\"\n", by: "ifcfg",
			name: "/etc/sysconfig/network-scripts/ifcfg-eth0", mtu: "9000", other: "systemd unit"},
		"NetworkManager": {nmcli: managed("1.42.4", "lan", "802-3-ethernet.mtu:9000\n"), by: "NetworkManager",
			name: uuid, mtu: "9000", other: "systemd unit"},
		"NetworkManager, its default": {files: "/etc/sysconfig/network-scripts/ifcfg-eth0:MTU=1400\n",
			nmcli: managed("1.42.4", "lan", "802-3-ethernet.mtu:auto\n"), by: "NetworkManager", name: uuid, other: "systemd unit"},
		"netplan by NetworkManager": {nmcli: managed("1.46.0", "netplan-lan", ""), by: "netplan",
			name: "lan", other: "systemd unit"},
		"NetworkManager has nothing": {nmcli: "nmcli tool, version 1.42.4\n", files: "/etc/network/interfaces:iface eth0 inet dhcp\n",
			by: "ifupdown", name: "/etc/network/interfaces", other: "systemd unit"},
		"another init": {files: "/proc/1/comm:init\n/etc/network/interfaces:iface eth0 inet dhcp\n", by: "ifupdown",
			name: "/etc/network/interfaces"},
		"a container":              {files: "/proc/1/comm:bash\n/etc/network/interfaces:iface eth0 inet dhcp\n", mtu: "-"},
		"a container with systemd": {files: "/proc/1/comm:systemd\n/run/systemd/container:lxc\n", mtu: "-"},
		"a container, NetworkManager": {files: "/proc/1/comm:systemd\n/run/systemd/container:lxc\n",
			nmcli: managed("1.42.4", "lan", ""), mtu: "-"},
	} {
		h := booting(c.files, c.nmcli)
		e := h.Elements["eth0"]
		p := e.Persistence
		if p == nil || p.By != c.by || p.Name != c.name || (p.By == "") != (p.Why != "") {
			t.Errorf("%s: got %+v, want by %q, name %q", name, p, c.by, c.name)
			continue
		}
		got := "-"
		if next := e.Attrs["mtu"].NextBoot; next != nil {
			got = *next
		}
		if got != c.mtu {
			t.Errorf("%s: mtu at next boot: got %q, want %q", name, got, c.mtu)
		}
		if p := h.Elements["eth1"].Persistence; p.By != c.other {
			t.Errorf("%s: eth1: got %+v, want by %q", name, p, c.other)
		}
		if len(h.Gaps) > 0 {
			t.Errorf("%s: got gaps %v, want none", name, h.Gaps)
		}
	}
}

// What a connection holds is read by attribute, and what this version has no
// place for is said.
func TestConnection(t *testing.T) {
	own := func(version string) *model.Persistence {
		return booting("/etc/systemd/system/seaworthy-eth0-threaded.service:# seaworthy eth0 threaded 1\n", "nmcli tool, version "+version+
			"\nconnection.id:lan\nconnection.uuid:a-b\nbond.options:mode=802.3ad,miimon=100\nethtool.feature-tso:on\nethtool.ring-rx:4096\n"+
			"ethtool.coalesce-rx-usecs:0\nGENERAL.DEVICES:eth0\n").Elements["eth0"].Persistence
	}
	want := map[string]string{"miimon": "100", "tso": "on", "rings": "4096", "coalescing": "0", "threaded": "1"}
	if diff := cmp.Diff(want, own("1.30.6").Own); diff != "" {
		t.Errorf("1.30.6 (-want +got):\n%s", diff)
	}
	if p := own("1.18.8"); p.Lacks["rings"] == "" || p.Lacks["tso"] != "" {
		t.Errorf("1.18.8: got %v, want that it has features and no rings", p.Lacks)
	}
}

// A .network file for several devices cannot hold the MTU of one.
func TestSharedNetworkFile(t *testing.T) {
	for match, shared := range map[string]bool{"Name=eth*": true, "Name=eth0 eth1": true, "Name=eth0": false, "Name=!eth1": true,
		"MACAddress=02:00:00:00:00:01": false} {
		p := booting("/run/systemd/netif/links/2:ADMIN_STATE=configured\n/run/systemd/netif/links/2:NETWORK_FILE=a.network\n"+
			"/etc/systemd/network/a.network:"+match+"\n", "").Elements["eth0"].Persistence
		if (p.Lacks["mtu"] != "") != shared {
			t.Errorf("%s: got %v, want shared %v", match, p.Lacks, shared)
		}
	}
}

func TestSysctlFiles(t *testing.T) {
	h := booting("/etc/sysctl.conf:net.core.rmem_max = 1\n"+
		"/etc/sysctl.d/60-seaworthy.conf:net.core.rmem_max = 4194304\n/etc/sysctl.d/60-seaworthy.conf:net.ipv4.tcp_rmem = 4096 131072 67108864\n"+
		"/usr/lib/sysctl.d/50-x.conf:net.core.rmem_max=2\n/etc/sysctl.d/90-db.conf:-net/ipv4/tcp_rmem=4096\t87380\t8388608\n"+
		"/usr/lib/sysctl.d/90-db.conf:net.core.rmem_max=3\n", "")
	for name, want := range map[string]string{"net.core.rmem_max": "4194304", "net.ipv4.tcp_rmem": "4096 87380 8388608"} {
		if got := h.Tunables[name].NextBoot; got == nil || *got != want {
			t.Errorf("%s at next boot: got %v, want %q", name, got, want)
		}
	}
	p := h.Persistence
	if diff := cmp.Diff(map[string]string{"net.ipv4.tcp_rmem": "/etc/sysctl.d/90-db.conf"}, p.Later); diff != "" {
		t.Errorf("read after ours (-want +got):\n%s", diff)
	}
	if p.Own["net.core.rmem_max"] != "4194304" {
		t.Errorf("ours: got %v, want 4194304", p.Own)
	}
	// sysctl --system, which other inits run, reads /etc/sysctl.conf last.
	h = booting("/proc/1/comm:init\n/etc/init.d/procps:# Provides: procps\n/etc/sysctl.d/60-seaworthy.conf:net.core.rmem_max = 2\n"+
		"/etc/sysctl.conf:net.core.rmem_max = 1\n", "")
	if got := h.Tunables["net.core.rmem_max"].Current(); *h.Tunables["net.core.rmem_max"].NextBoot != "1" || got != "212992" {
		t.Errorf("got %+v, want 1 at next boot", h.Tunables["net.core.rmem_max"])
	}
	if h := booting("/proc/1/comm:bash\n", ""); h.Persistence.Why == "" || h.Tunables["net.core.rmem_max"].NextBoot != nil {
		t.Errorf("in a container: got %+v, want that nothing keeps sysctls", h.Persistence)
	}
}

// tuned sets its profile's sysctls, with what that includes, before those of /etc unless
// it is told not to set these again.
func TestTuned(t *testing.T) {
	const running = "/run/tuned/tuned.pid:812\n/etc/tuned/active_profile:site\n"
	const profile = "/etc/tuned/site/tuned.conf:include=base\n/etc/tuned/site/tuned.conf:net.core.rmem_max=16777216\n" +
		"/usr/lib/tuned/base/tuned.conf:net.core.rmem_max = 1\n/usr/lib/tuned/base/tuned.conf:net.ipv4.tcp_rmem=\"4096 131072 33554432\"\n" +
		"/usr/lib/tuned/other/tuned.conf:net.core.rmem_max=3\n/usr/lib/sysctl.d/50-x.conf:net.core.rmem_max=2\n"
	const ours = "/etc/sysctl.d/60-seaworthy.conf:net.core.rmem_max = 4194304\n"
	for name, c := range map[string]struct {
		files           string
		rmemMax, rmem   string
		later, override string
	}{
		"not running":     {"/etc/tuned/active_profile:site\n" + profile, "2", "", "", ""},
		"no file of ours": {running + profile, "16777216", "4096 131072 33554432", "", "none"},
		"ours again":      {running + profile + ours + "/etc/tuned/tuned-main.conf:reapply_sysctl = 1\n", "4194304", "4096 131072 33554432", "", "none"},
		"ours taken": {running + profile + ours + "/etc/tuned/tuned-main.conf:reapply_sysctl=0\n", "16777216", "4096 131072 33554432",
			"tuned's profile site", "net.core.rmem_max"},
		"no profile's file": {running + "/usr/lib/sysctl.d/50-x.conf:net.core.rmem_max=2\n", "2", "", "", ""},
		"a circle":          {running + profile + "/usr/lib/tuned/base/tuned.conf:include=site\n", "16777216", "4096 131072 33554432", "", "none"},
	} {
		h := booting(c.files, "")
		next := func(name string) string { return *h.Tunables[name].NextBoot }
		if next("net.core.rmem_max") != c.rmemMax || next("net.ipv4.tcp_rmem") != c.rmem {
			t.Errorf("%s: at next boot: got %q and %q, want %q and %q", name, next("net.core.rmem_max"), next("net.ipv4.tcp_rmem"), c.rmemMax, c.rmem)
		}
		if got := h.Persistence.Later["net.core.rmem_max"]; got != c.later {
			t.Errorf("%s: set after ours by %q, want %q", name, got, c.later)
		}
		got := ""
		if a := h.Tunables["tuned.overrides"]; a != nil {
			got = a.Current()
		}
		if got != c.override {
			t.Errorf("%s: overrides: got %q, want %q", name, got, c.override)
		}
	}
}

// What a container shows of its machine is not judged as its own, and that is said.
func TestContainer(t *testing.T) {
	for comm, gone := range map[string]bool{"systemd": false, "bash": true} {
		h := assemble.Host(assemble.About{Name: "l", Platform: model.Linux}, []assemble.Output{
			{ID: "softnet-stat", Command: "cat /proc/net/softnet_stat", Text: []byte("0000000a 00000002 00000001" + strings.Repeat(" 00000000", 10) + "\n")},
			{ID: "sys-cpu", Command: "grep -s .", Text: []byte("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor:powersave\n")},
			{ID: "boot-files", Command: "grep", Text: []byte("/proc/1/comm:" + comm + "\n")},
		})
		dropped := strings.Contains(fmt.Sprint(h.Protocols), "softnet.dropped")
		if dropped == gone || (h.Tunables["cpufreq.scaling_governor"] == nil) != gone || (len(h.Gaps) > 0) != gone {
			t.Errorf("%s: got %v, %v, gaps %v; want them gone %v", comm, h.Protocols, h.Tunables, h.Gaps, gone)
		}
	}
}
