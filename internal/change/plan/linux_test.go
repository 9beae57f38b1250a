package plan_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

func running(list ...string) map[string]*model.Attr {
	m := attrs(list...)
	for _, a := range m {
		a.NextBoot = nil // Linux keeps it in files of the distribution
	}
	return m
}

func linuxHost() *model.Host {
	no := false
	h := &model.Host{Name: "linux1", Platform: model.Linux, User: "root", Elements: map[string]*model.Element{
		"eth0": {Name: "eth0", Kind: model.Virtual, Driver: "ibmveth", Addrs: nil,
			Attrs: running("tso=off", "tx=off", "sg=on", "gro=off", "lro=off", "mtu=1500", "threaded=0", "pause=on", "rings=512",
				"gro_flush_timeout=0", "napi_defer_hard_irqs=0", "coalescing=8", "txqueuelen=1000", "channels=8", "rps_cpus=0")},
		"bond0": {Name: "bond0", Kind: model.EtherChannel, Attrs: running("xmit_hash_policy=layer2", "bonding-mode=802.3ad",
			"pause=rx on tx off")},
	}, Tunables: running("net.ipv4.tcp_rmem=4096 131072 6291456")}
	h.Elements["eth0"].Attrs["lro"].Settable = &no
	return h
}

func linuxPlan(t *testing.T, want ...string) *plan.Plan {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{linuxHost()}}, cat, desired(want...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What a host lacks the program for is not planned, and the plan says which package it takes.
func TestLinuxLacksTheProgram(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	h := linuxHost()
	h.Gaps = []model.Gap{{What: "ip", Why: model.NotInstalled + " (package iproute2)"}}
	p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{h}}, cat, desired("linux1:eth0:mtu=9000", "linux1:eth0:tso=on"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, "ip is not installed (package iproute2)") || len(p.Steps) != 1 {
		t.Errorf("got %d steps, refused %v; want tso alone, and the package that mtu needs", len(p.Steps), p.Refused)
	}
}

func TestLinuxLines(t *testing.T) {
	for _, c := range []struct {
		name, setting   string
		do, undo, check string
	}{
		{"mtu", "linux1:eth0:mtu=9000", "ip link set dev eth0 mtu 9000", "ip link set dev eth0 mtu 1500", "cat /sys/class/net/eth0/mtu"},
		{"queue", "linux1:eth0:txqueuelen=5000", "ip link set dev eth0 txqueuelen 5000", "ip link set dev eth0 txqueuelen 1000",
			"cat /sys/class/net/eth0/tx_queue_len"},
		{"rings", "linux1:eth0:rings=4096", "ethtool -G eth0 rx 4096", "ethtool -G eth0 rx 512",
			`ethtool -g eth0 | sed -n '/^Current/,$s/^RX:[[:blank:]]*//p'`},
		{"coalescing", "linux1:eth0:coalescing=64", "ethtool -C eth0 rx-usecs 64", "ethtool -C eth0 rx-usecs 8",
			`ethtool -c eth0 | sed -n 's/^rx-usecs:[[:blank:]]*//p'`},
		{"pause", "linux1:eth0:pause=off", "ethtool -A eth0 rx off tx off", "ethtool -A eth0 rx on tx on",
			`ethtool -a eth0 | sed -n 's/^RX:[[:blank:]]*//p'`},
		{"threaded", "linux1:eth0:threaded=1", "echo 1 > /sys/class/net/eth0/threaded", "echo 0 > /sys/class/net/eth0/threaded",
			"cat /sys/class/net/eth0/threaded"},
		{"coalescing by software", "linux1:eth0:gro_flush_timeout=20000", "echo 20000 > /sys/class/net/eth0/gro_flush_timeout",
			"echo 0 > /sys/class/net/eth0/gro_flush_timeout", "cat /sys/class/net/eth0/gro_flush_timeout"},
		{"deferred interrupts", "linux1:eth0:napi_defer_hard_irqs=10", "echo 10 > /sys/class/net/eth0/napi_defer_hard_irqs",
			"echo 0 > /sys/class/net/eth0/napi_defer_hard_irqs", "cat /sys/class/net/eth0/napi_defer_hard_irqs"},
		{"hash", "linux1:bond0:xmit_hash_policy=layer3+4", "ip link set dev bond0 type bond xmit_hash_policy layer3+4",
			"ip link set dev bond0 type bond xmit_hash_policy layer2", "sed 's/ .*//' /sys/class/net/bond0/bonding/xmit_hash_policy"},
		{"sysctl", "linux1:sysctl:net.ipv4.tcp_rmem=4096 131072 67108864", "sysctl -w net.ipv4.tcp_rmem='4096 131072 67108864'",
			"sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'", `sysctl -n net.ipv4.tcp_rmem | tr -s '\t' ' '`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := linuxPlan(t, c.setting)
			p.Steps = slices.DeleteFunc(p.Steps, func(s plan.Step) bool { return s.Manual != nil })
			if len(p.Refused) > 0 || len(p.Steps) != 1 {
				t.Fatalf("got %d steps, refused %+v; want one step", len(p.Steps), p.Refused)
			}
			s := p.Steps[0]
			if diff := cmp.Diff([]string{c.do, c.undo, c.check}, slices.Concat(s.Do, s.Undo, []string{s.Verify[0].Command})); diff != "" {
				t.Errorf("do, undo, verify (-want +got):\n%s", diff)
			}
			// What a rollback finds on the host has no next-boot value either.
			if after := s.Changes[0].After; after.NextBoot != nil || after.Running == nil {
				t.Errorf("after: got %s, want a running value alone", after)
			}
			if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "running value only") }) {
				t.Errorf("notes: got %q, want that the change does not last", s.Notes)
			}
		})
	}
}

// ibmveth closes its port for another MTU, not for offloads.
func TestLinuxClassOfDriver(t *testing.T) {
	for setting, want := range map[string]knowledge.Class{"linux1:eth0:mtu=4000": knowledge.O2, "linux1:eth0:tso=on": knowledge.O0} {
		p := linuxPlan(t, setting)
		if s := p.Steps[len(p.Steps)-1]; s.Class != string(want) {
			t.Errorf("%s: class %s, want %s", setting, s.Class, want)
		}
	}
}

// tx is needed for tso: in one call the kernel puts them in order.
func TestLinuxFeaturesInOneCall(t *testing.T) {
	p := linuxPlan(t, "linux1:eth0:tso=on", "linux1:eth0:tx=on", "linux1:eth0:gro=on", "linux1:eth0:sg=on")
	if len(p.Steps) != 1 {
		t.Fatalf("got %d steps, refused %+v; want one", len(p.Steps), p.Refused)
	}
	s := p.Steps[0]
	if diff := cmp.Diff([]string{"ethtool -K eth0 gro on tso on tx on", "ethtool -K eth0 gro off tso off tx off"},
		slices.Concat(s.Do, s.Undo)); diff != "" {
		t.Errorf("do, undo (-want +got):\n%s", diff)
	}
	if len(s.Verify) != 3 {
		t.Errorf("got %d checks, want one each", len(s.Verify))
	}
}

func TestLinuxRefused(t *testing.T) {
	for setting, why := range map[string]string{
		"linux1:bond0:bonding-mode=active-backup": "only while it has no members",
		"linux1:eth0:channels=4":                  "ethtool -l",
		"linux1:eth0:rps_cpus=ff":                 "mask of its own",
		"linux1:bond0:pause=on":                   "the two directions differ",
		"linux1:eth0:lro=on":                      "cannot be set",
		"linux1:eth0:mtu=70000":                   "at most 65535",
		"linux1:eth0:mtu_bypass=on":               "no attribute mtu_bypass",
		"linux1:sysctl:net.core.rmem_max=1":       "no tunable",
	} {
		p := linuxPlan(t, setting)
		if len(p.Steps) != 0 || len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, why) {
			t.Errorf("%s: got %d steps, refused %+v; want a refusal with %q", setting, len(p.Steps), p.Refused, why)
		}
	}
}

// The lines that read back are run by a real shell over texts in ethtool's and
// sysctl's form.
func TestLinuxReadBack(t *testing.T) {
	bin := t.TempDir()
	tool := func(name, script string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tool("ethtool", `case $1 in
-k) printf 'Features for eth0:\nrx-checksumming: on [fixed]\ntcp-segmentation-offload: on\n\ttx-tcp-segmentation: on\n' ;
	printf 'generic-receive-offload: off [requested on]\n' ;;
-g) printf 'Ring parameters for eth0:\nPre-set maximums:\nRX:\t\t8192\nTX:\t\t8192\n' ;
	printf 'Current hardware settings:\nRX:\t\t4096\nRX Mini:\tn/a\nTX:\t\t1024\n' ;;
-c) printf 'Coalesce parameters for eth0:\nAdaptive RX: on  TX: on\nrx-usecs:\t64\nrx-usecs-irq:\t0\n' ;;
-a) printf 'Pause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\nRX negotiated: off\n' ;;
esac
`)
	tool("sysctl", `printf '4096\t131072\t67108864\n'`)
	readBack := func(setting, want string) {
		t.Helper()
		c := linuxPlan(t, setting).Steps[0].Verify[0]
		cmd := exec.Command("/bin/sh", "-c", c.Command)
		cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin"}
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != want {
			t.Errorf("%s: %s: got %q, %v; want %q", setting, c.Command, got, err, want)
		}
	}
	readBack("linux1:eth0:tso=on", "on")
	readBack("linux1:eth0:rings=4096", "4096")
	readBack("linux1:eth0:coalescing=64", "64")
	readBack("linux1:eth0:pause=off", "off")
	readBack("linux1:sysctl:net.ipv4.tcp_rmem=4096 131072 67108864", "4096 131072 67108864")
	// Without checksums Linux 6.18 leaves segmentation to AccECN alone.
	tool("ethtool", `printf 'tcp-segmentation-offload: on\n\ttx-tcp-segmentation: off [requested on]\n\ttx-tcp-accecn-segmentation: on\n'`)
	readBack("linux1:eth0:tso=on", "off")
}

// Where a value is kept follows from what sets the host up; what nothing keeps
// changes what runs, and says why.
func TestLinuxKept(t *testing.T) {
	unread := &model.Persistence{}
	manager := func(by string, name string) *model.Persistence {
		return &model.Persistence{By: by, Name: name, Label: by + " " + name, Units: true}
	}
	for _, c := range []struct {
		name    string
		eth0    *model.Persistence
		setting string
		by      string // empty: nothing keeps it
		in      string
		says    string
	}{
		{"NetworkManager", manager("NetworkManager", "a-b"), "eth0:rings=4096", "NetworkManager", "a-b", "NetworkManager a-b"},
		{"which has no place", manager("NetworkManager", "a-b"), "eth0:threaded=1", "systemd unit", "", "seaworthy-eth0-threaded"},
		{"networkd", manager("systemd-networkd", "a.network"), "eth0:mtu=9000", "systemd-networkd", "a.network", "a.network"},
		{"rings of it", manager("systemd-networkd", "a.network"), "eth0:rings=4096", "systemd unit", "", "no place"},
		{"netplan", manager("netplan", "lan"), "eth0:mtu=9000", "netplan", "ethernets/lan", "90-seaworthy-eth0.yaml"},
		{"ifupdown", manager("ifupdown", "/etc/network/interfaces"), "eth0:rings=4096", "ifupdown", "", "if-up.d"},
		{"unit", manager("systemd unit", ""), "eth0:mtu=9000", "systemd unit", "", "systemd unit"},
		{"no units", &model.Persistence{By: "ifcfg", Name: "/etc/sysconfig/network/ifcfg-eth0"}, "eth0:rings=4096", "", "",
			"running value only"},
		{"lacks it", &model.Persistence{By: "systemd-networkd", Name: "a.network", Lacks: map[string]string{"mtu": "shared by all"}},
			"eth0:mtu=9000", "", "", "shared by all"},
		{"container", &model.Persistence{Why: "it is a container"}, "eth0:mtu=9000", "", "", "a container"},
		{"not read", nil, "eth0:mtu=9000", "", "", "was not read"},
		{"sysctl", unread, "sysctl:net.ipv4.tcp_rmem=4096 131072 67108864", "sysctl.d", "", "60-seaworthy.conf"},
		{"no place in a file", unread, "sysctl:net.ipv4.tcp_congestion_control=#bbr", "", "", "running value only"},
		{"sysctl set later", unread, "sysctl:net.ipv4.tcp_wmem=4096 16384 67108864", "", "", "90-db.conf is read after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := linuxHost()
			h.Elements["eth0"].Persistence = c.eth0
			h.Persistence = &model.Persistence{By: "sysctl.d", Label: "/etc/sysctl.d/60-seaworthy.conf",
				Later: map[string]string{"net.ipv4.tcp_wmem": "/etc/sysctl.d/90-db.conf"}}
			h.Tunables = running("net.ipv4.tcp_rmem=4096 131072 6291456", "net.ipv4.tcp_wmem=4096 16384 4194304",
				"net.ipv4.tcp_congestion_control=cubic")
			unset := ""
			for _, a := range h.Tunables {
				a.NextBoot = &unset
			}
			for _, a := range h.Elements["eth0"].Attrs {
				if c.eth0 != nil && c.eth0.By != "" {
					a.NextBoot = &unset
				}
			}
			cat, err := knowledge.Load()
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{h}}, cat, desired("linux1:"+c.setting))
			if err != nil {
				t.Fatal(err)
			}
			p.Steps = slices.DeleteFunc(p.Steps, func(s plan.Step) bool { return s.Manual != nil })
			if len(p.Steps) != 1 {
				t.Fatalf("got %d steps, refused %+v; want one", len(p.Steps), p.Refused)
			}
			s := p.Steps[0]
			k := s.Changes[0].Persist
			switch {
			case (k != nil) != (c.by != ""):
				t.Errorf("got kept by %+v, want %q", k, c.by)
			case k != nil && (k.By != c.by || k.Name != c.in || *s.Changes[0].After.NextBoot != *s.Changes[0].After.Running):
				t.Errorf("got kept by %+v, %s; want %q %q", k, s.Changes[0].After, c.by, c.in)
			}
			if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, c.says) }) {
				t.Errorf("notes: got %q, want one with %q", s.Notes, c.says)
			}
		})
	}
}

// Netplan's generator leaves every device without configuration if a file has a device
// under another kind: what netplan cannot be told is not kept by it.
func TestNetplanKinds(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	unset := ""
	for _, c := range []struct {
		name, driver string
		kind         model.Kind
		want         string // empty: refused
	}{
		{"eth0", "ibmveth", model.Virtual, "ethernets"}, {"ens3", "virtio_net", model.Interface, "ethernets"},
		{"eno1", "tg3", model.Physical, "ethernets"},
		{"bond0", "bond", model.EtherChannel, "bonds"}, {"bond1", "", model.EtherChannel, "bonds"}, {"v5", "vlan", model.VLANDevice, "vlans"},
		{"v6", "802.1Q VLAN Support", model.VLANDevice, "vlans"}, {"br0", "bridge", model.Interface, "bridges"},
		{"gre1", "gre", model.Interface, "tunnels"}, {"sit1", "sit", model.Interface, "tunnels"}, {"wg0", "wireguard", model.Interface, "tunnels"},
		{"vx0", "vxlan", model.Interface, ""}, {"red", "vrf", model.Interface, ""}, {"d0", "dummy", model.Interface, ""},
		{"ve0", "veth", model.Interface, ""}, {"team0", "team", model.EtherChannel, ""}, {"wlan0", "iwlwifi", model.Physical, ""},
		{"wwan0", "cdc_mbim", model.Physical, ""}, {"x0", "macvlan", model.Interface, ""}, {"x1", "", model.Interface, ""},
		{"tap0", "tun", model.Interface, ""}, {"ipip0", "ipip", model.Interface, "tunnels"}, {"gn0", "geneve", model.Interface, ""},
		{"ipv0", "ipvlan", model.Interface, ""}, {"ms0", "macsec", model.Interface, ""}, {"xf0", "xfrm", model.Interface, ""},
		{"ovsbr0", "openvswitch", model.Interface, ""}, {"ib0", "ib_ipoib", model.Interface, ""},
	} {
		e := &model.Element{Name: c.name, Kind: c.kind, Driver: c.driver, Attrs: running("mtu=1500"),
			Persistence: &model.Persistence{By: "netplan", Name: c.name, Label: "netplan's definition", Units: true}}
		e.Attrs["mtu"].NextBoot = &unset
		h := &model.Host{Name: "linux1", Platform: model.Linux, User: "root", Elements: map[string]*model.Element{c.name: e}}
		p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{h}}, cat, desired("linux1:"+c.name+":mtu=1400"))
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(p.Steps, func(s plan.Step) bool { return s.Manual == nil })
		if at < 0 {
			t.Fatalf("%s: no step, refused %+v", c.name, p.Refused)
		}
		s, got := p.Steps[at], ""
		if k := s.Changes[0].Persist; k != nil {
			got = k.Name
		}
		switch {
		case c.want != "" && got != c.want+"/"+c.name:
			t.Errorf("%s (%s): kept as %q, want %s; notes %q", c.name, c.driver, got, c.want, s.Notes)
		case c.want == "" && (got != "" || !strings.Contains(strings.Join(s.Notes, "\n"), "running value only: ")):
			t.Errorf("%s (%s): kept as %q, notes %q; want the running value alone, with the reason", c.name, c.driver, got, s.Notes)
		}
	}
}
