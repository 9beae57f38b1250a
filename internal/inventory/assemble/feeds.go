package assemble

import (
	"fmt"
	"strings"

	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/registry"
)

// feed makes part of a host out of one kind of output. Lower orders come
// first: devices, then what the ODM says of them, then what runs.
type feed struct {
	order int
	with  func(*builder, Output) error
}

// feeds is a feed of what the registry's codec makes of an output.
func feeds[T any](order int, with func(*builder, Output, *T)) feed {
	return feed{order, func(b *builder, o Output) error {
		v, err := registry.Find(o.ID).Parse(o.Text, o.Command)
		if err != nil {
			return err
		}
		x, ok := any(v).(*T)
		if !ok {
			return fmt.Errorf("%s: its codec gives a %T", o.ID, v)
		}
		b.said(o, v.Reading())
		with(b, o, x)
		return nil
	}}
}

// table are the feeds by the id of the output in the registry. Lower orders come first.
var table = func() map[string]feed {
	out := map[string]feed{}
	for _, x := range []struct {
		ids string
		feed
	}{
		{"lsdev-Cc-adapter lsdev-Cc-if lsdev", feeds(0, (*builder).devices)},
		{"lsattr-El lsdev-dev-attr", feeds(1, (*builder).attributes)},
		{"lsattr-Rl", feeds(2, (*builder).allowed)},
		{"no-a", feeds(2, (*builder).options)},
		{"no-L no-o", feeds(3, (*builder).options)},
		{"lsmap-all-net lsmap", feeds(2, (*builder).lsmap)}, // lsmap: -all -vnic among others
		{"lsdev-slots", feeds(1, (*builder).slots)},
		{"lscfg", feeds(1, (*builder).lscfg)},
		{"vnicstat", feeds(3, (*builder).vnicstat)},
		{"seastat", feeds(4, (*builder).seastat)},
		{"lsseas", feeds(2, (*builder).lsseas)},
		{"lsattr-Dl", feeds(2, (*builder).defaults)},
		{"oslevel-s oslevel-r", feeds(2, (*builder).oslevel)},
		{"ioslevel", feed{2, (*builder).ioslevel}},
		{"netstat-v", feeds(2, (*builder).entstat)}, // imported: every adapter in one text; entstat of one says more
		{"entstat-all entstat-d", feeds(3, (*builder).entstat)},
		{"ifconfig-a", feeds(3, (*builder).ifconfig)},
		{"netstat-in", feeds(3, (*builder).netstatIn)},
		{"netstat-s", feeds(3, (*builder).netstatS)},
		{"uname-a", feed{3, (*builder).uname}}, // oslevel says it better and comes first
		{"lparstat-i", feeds(2, (*builder).lparstat)},
		{"prtconf", feeds(3, (*builder).prtconf)},
		{"netstat-rn", feeds(3, (*builder).netstatRn)},
		{"arp-an", feeds(3, (*builder).arpAn)},
		{"hostname", feeds(3, (*builder).hostname)},
		{"lssrc-a", feeds(3, (*builder).lssrc)},
		{"lparstat", feeds(3, (*builder).load)},
		{"ps-etime", feeds(3, (*builder).uptime)},
		{"errpt", feeds(5, (*builder).errpt)},
		{"rules-diff", feeds(3, (*builder).rulesDiff)},
		{"ping", feeds(4, (*builder).ping)},
		{"instfix-ik", feeds(3, (*builder).fixes)},

		// Linux. What ip and ethtool say comes last: it wins over sysfs.
		{"os-release", feeds(0, (*builder).osRelease)},
		{"ip-link", feeds(0, (*builder).ipLink)},
		{"ip-addr ip-addr-text", feeds(1, (*builder).ipLink)},
		{"ifconfig-linux netstat-i-linux", feeds(0, (*builder).netTools)},
		{"ip-route ip-route-text", feeds(2, (*builder).ipRoute)},
		{"sys-class-net", feeds(2, (*builder).sysNet)},
		{"proc-net-bonding", feeds(2, (*builder).procBond)},
		{"irq-affinity", feeds(2, (*builder).interrupts)},
		{"ethtool-i", feed{3, (*builder).ethtool}},
		{"ethtool ethtool-k ethtool-S ethtool-g ethtool-l ethtool-c ethtool-a ethtool-x", feed{4, (*builder).ethtool}},
		{"sysctl", feeds(2, (*builder).sysctl)},
		{"proc-sys-net", feeds(2, (*builder).procSys)},
		{"proc-net-snmp proc-net-netstat", feeds(2, kernelCounters[linewise.ProtocolTables])},
		{"netstat-s-linux nstat", feeds(2, (*builder).counted)},
		{"tc-qdisc", feeds(3, (*builder).disciplines)},
		{"proc-net-dev", feeds(2, (*builder).procNetDev)},
		{"softnet-stat", feeds(2, kernelCounters[linewise.SoftnetTable])},
		{"arp-cache-stat", feeds(2, kernelCounters[linewise.ARPCacheStatistics])}, // not in a container
		{"sys-cpu", feeds(2, (*builder).sysCPU)},
		{"lparcfg", feeds(2, (*builder).lparcfg)},
		{"bridge-fdb", feeds(5, (*builder).learned)},
		{"ovs-vsctl-list ovs-vsctl-show", feeds(5, (*builder).openVSwitch)},
		{"virsh-dumpxml", feeds(6, (*builder).domains)},
		{"boot-files", feeds(5, (*builder).bootFiles)},
		{"nmcli", feeds(6, (*builder).connections)}, // what NetworkManager has, no file sets
	} {
		for id := range strings.FieldsSeq(x.ids) {
			out[id] = x.feed
		}
	}
	return out
}()

// answersBlank reports whether a command that prints nothing has answered.
func answersBlank(id string) bool {
	e := registry.Find(id)
	return e != nil && e.Blank
}
