package assemble

import (
	"fmt"

	"seaworthy/dialect/linux/arpstat"
	"seaworthy/dialect/linux/procnet"
	"seaworthy/dialect/linux/softnet"
	"seaworthy/dialect/registry"
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

// table are the feeds by the id of the output in the registry.
var table = map[string]feed{
	"lsdev-Cc-adapter": feeds(0, (*builder).devices),
	"lsdev-Cc-if":      feeds(0, (*builder).devices),
	"lsattr-El":        feeds(1, (*builder).attributes),
	"lsdev-dev-attr":   feeds(1, (*builder).attributes),
	"lsdev":            feeds(0, (*builder).devices),
	"lsattr-Rl":        feeds(2, (*builder).allowed),
	"no-a":             feeds(2, (*builder).options),
	"no-L":             feeds(3, (*builder).options),
	"lsmap-all-net":    feeds(2, (*builder).lsmap),
	"lsmap":            feeds(2, (*builder).lsmap), // -all -vnic among others
	"lsdev-slots":      feeds(1, (*builder).slots),
	"lscfg":            feeds(1, (*builder).lscfg),
	"vnicstat":         feeds(3, (*builder).vnicstat),
	"seastat":          feeds(4, (*builder).seastat),
	"lsseas":           feeds(2, (*builder).lsseas),
	"entstat-all":      feeds(3, (*builder).entstat),
	"lsattr-Dl":        feeds(2, (*builder).defaults),
	"oslevel-s":        feeds(2, (*builder).oslevel),
	"oslevel-r":        feeds(2, (*builder).oslevel),
	"ioslevel":         {2, (*builder).ioslevel},
	"no-o":             feeds(3, (*builder).options),
	"entstat-d":        feeds(3, (*builder).entstat),
	"netstat-v":        feeds(2, (*builder).entstat), // imported: every adapter in one text; entstat of one says more
	"ifconfig-a":       feeds(3, (*builder).ifconfig),
	"netstat-in":       feeds(3, (*builder).netstatIn),
	"netstat-s":        feeds(3, (*builder).netstatS),
	"uname-a":          {3, (*builder).uname}, // oslevel says it better and comes first
	"lparstat-i":       feeds(2, (*builder).lparstat),
	"prtconf":          feeds(3, (*builder).prtconf),
	"netstat-rn":       feeds(3, (*builder).netstatRn),
	"arp-an":           feeds(3, (*builder).arpAn),
	"hostname":         feeds(3, (*builder).hostname),
	"lssrc-a":          feeds(3, (*builder).lssrc),
	"lparstat":         feeds(3, (*builder).load),
	"ps-etime":         feeds(3, (*builder).uptime),
	"errpt":            feeds(5, (*builder).errpt),
	"rules-diff":       feeds(3, (*builder).rulesDiff),
	"ping":             feeds(4, (*builder).ping),
	"instfix-ik":       feeds(3, (*builder).fixes),

	// Linux. What ip and ethtool say comes last: it wins over sysfs.
	"os-release":       feeds(0, (*builder).osRelease),
	"ip-link":          feeds(0, (*builder).ipLink),
	"ip-addr":          feeds(1, (*builder).ipLink),
	"ip-addr-text":     feeds(1, (*builder).ipLink),
	"ifconfig-linux":   feeds(0, (*builder).netTools),
	"netstat-i-linux":  feeds(0, (*builder).netTools),
	"ip-route":         feeds(2, (*builder).ipRoute),
	"ip-route-text":    feeds(2, (*builder).ipRoute),
	"sys-class-net":    feeds(2, (*builder).sysNet),
	"proc-net-bonding": feeds(2, (*builder).procBond),
	"irq-affinity":     feeds(2, (*builder).interrupts),
	"ethtool-i":        {3, (*builder).ethtool},
	"ethtool":          {4, (*builder).ethtool},
	"ethtool-k":        {4, (*builder).ethtool},
	"ethtool-S":        {4, (*builder).ethtool},
	"ethtool-g":        {4, (*builder).ethtool},
	"ethtool-l":        {4, (*builder).ethtool},
	"ethtool-c":        {4, (*builder).ethtool},
	"ethtool-a":        {4, (*builder).ethtool},
	"ethtool-x":        {4, (*builder).ethtool},
	"sysctl":           feeds(2, (*builder).sysctl),
	"proc-sys-net":     feeds(2, (*builder).procSys),
	"proc-net-snmp":    feeds(2, kernelCounters[procnet.Tables]),
	"proc-net-netstat": feeds(2, kernelCounters[procnet.Tables]),
	"netstat-s-linux":  feeds(2, (*builder).counted),
	"nstat":            feeds(2, (*builder).counted),
	"tc-qdisc":         feeds(3, (*builder).disciplines),
	"proc-net-dev":     feeds(2, (*builder).procNetDev),
	"softnet-stat":     feeds(2, kernelCounters[softnet.Table]),
	"arp-cache-stat":   feeds(2, kernelCounters[arpstat.Table]), // not in a container
	"sys-cpu":          feeds(2, (*builder).sysCPU),
	"lparcfg":          feeds(2, (*builder).lparcfg),
	"bridge-fdb":       feeds(5, (*builder).learned),
	"ovs-vsctl-list":   feeds(5, (*builder).openVSwitch),
	"ovs-vsctl-show":   feeds(5, (*builder).openVSwitch),
	"virsh-dumpxml":    feeds(6, (*builder).domains),
	"boot-files":       feeds(5, (*builder).bootFiles),
	"nmcli":            feeds(6, (*builder).connections), // what NetworkManager has, no file sets
}

// answersBlank reports whether a command that prints nothing has answered.
func answersBlank(id string) bool {
	e := registry.Find(id)
	return e != nil && e.Blank
}

func rank(id string) int { return table[id].order }
