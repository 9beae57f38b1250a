package assemble

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/linux/protocols"
)

// kernelFeed has the settings and counters of a whole Linux host.
type kernelFeed struct{ *hostBuilder }

var kernelRows = []row{
	{"os-release", feeds(0, kernelFeed.osRelease)},
	{"sysctl", feeds(2, kernelFeed.sysctl)},
	{"proc-sys-net", feeds(2, kernelFeed.procSys)},
	{"proc-net-snmp proc-net-netstat", feeds(2, kernelCounters[linewise.ProtocolTables])},
	{"netstat-s-linux nstat", feeds(2, kernelFeed.counted)},
	{"proc-net-dev", feeds(2, kernelFeed.procNetDev)},
	{"softnet-stat", feeds(2, kernelCounters[linewise.SoftnetTable])},
	{"arp-cache-stat", feeds(2, kernelCounters[linewise.ARPCacheStatistics])}, // not in a container
	{"conntrack-S", feeds(2, kernelCounters[linewise.ConntrackStatistics])},
	{"xfrm-stat", feeds(2, kernelCounters[linewise.XfrmStatistics])},
	{"ovs-datapath", feeds(2, kernelCounters[linewise.Datapaths])},
	{"packet-filter", feeds(2, kernelCounters[linewise.PacketFilter])},
	{"sys-cpu", feeds(2, kernelFeed.sysCPU)},
	{"lparcfg", feeds(2, kernelFeed.lparcfg)},
	{"powerpc-utils", feeds(3, func(b kernelFeed, _ Output, p *linewise.PackageLevel) { b.host.Tools = p.Version })},
}

func (b kernelFeed) osRelease(o Output, f *linewise.EnvFile) {
	b.host.OS = strings.TrimSpace(cmp.Or(said(f, "PRETTY_NAME"), said(f, "NAME")+" "+said(f, "VERSION_ID")))
}

// said is the value of a variable; empty if it has none.
func said(f *linewise.EnvFile, key string) string {
	if i := f.Find(key); i != nil {
		return i.Value
	}
	return ""
}

func (b kernelFeed) sysctl(o Output, s *linewise.SysctlSettings) {
	for _, x := range s.Settings {
		b.tunable(strings.ReplaceAll(x.Name, "/", "."), x.Value, search(o, x.Name))
	}
}

// procSys reads the same from /proc/sys, where there is no sysctl.
func (b kernelFeed) procSys(o Output, f *linewise.FileLines) {
	for _, l := range f.Below("/proc/sys") {
		b.tunable(strings.ReplaceAll(l.Path, "/", "."), l.Value, o.at(l.Number))
	}
}

func (b kernelFeed) tunable(name, value string, from model.Origin) {
	if b.host.Tunables == nil {
		b.host.Tunables = map[string]*model.Attr{}
	}
	if name == "net.netfilter.nf_conntrack_count" { // it counts, nobody sets it
		if n, err := strconv.ParseUint(value, 10, 53); err == nil {
			b.figure(model.Conntrack, float64(n), from)
		}
		return
	}
	a := attr(b.host.Tunables, name)
	value = strings.Join(strings.Fields(value), " ") // the kernel parts the numbers of a list by tabs
	a.Running = &value
	a.From = append(a.From, from)
}

// kernelCounters takes what a table of the kernel counts of the whole host: of protocols, of
// what its CPUs did with received packets, of neighbours, of its firewall, IPsec and switch.
func kernelCounters[T any, Table interface {
	*T
	Counters() map[string]uint64
}](b kernelFeed, _ Output, t Table) {
	maps.Copy(b.protocols, t.Counters())
}

// counted reads the same as commands print them. What nstat prints without -a has
// grown since somebody called it last.
func (b kernelFeed) counted(o Output, c *protocols.Counters) {
	if words := strings.Fields(o.Command); o.ID == "nstat" && !slices.ContainsFunc(words, absolute) {
		b.gap(o.Command, "it does not count from the boot: nstat -az does")
		return
	}
	if _, tables := b.protocols["Tcp.InSegs"]; !tables || b.host.ProtocolsBy != "" {
		b.host.ProtocolsBy = o.Command
	}
	maps.Copy(b.protocols, c.Values)
}

func absolute(word string) bool {
	return word == "--ignore" || strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, "a")
}

// sysCPU reads how many logical CPUs there are, what chooses their clock, and how
// long the deepest of the idle states that are enabled takes to leave.
func (b kernelFeed) sysCPU(o Output, f *linewise.FileLines) {
	idle := map[string]map[string]string{} // state → file → value
	deepest := -1.0
	for _, l := range f.Below("/sys/devices/system/cpu") {
		from := o.at(l.Number)
		switch l.Path {
		case "online":
			if n := listed(l.Value); n > 0 {
				b.figure(model.OnlineCPUs, float64(n), from)
			}
		case "cpu0/cpufreq/scaling_driver", "cpu0/cpufreq/scaling_governor":
			b.tunable("cpufreq."+path.Base(l.Path), l.Value, from)
		}
		if m := idleFile.FindStringSubmatch(l.Path); m != nil {
			if idle[m[1]] == nil {
				idle[m[1]] = map[string]string{}
			}
			idle[m[1]][m[2]] = l.Value
		}
	}
	for number, state := range idle {
		if n, err := strconv.ParseUint(state["latency"], 10, 32); err == nil && state["disable"] == "0" && float64(n) > deepest {
			deepest = float64(n)
			b.figure(model.IdleLatency, deepest, model.Origin{Command: o.Command,
				Text: "cpuidle state " + number + ": " + state["name"] + ", latency " + state["latency"]})
		}
	}
}

var idleFile = parse.Lazy(`^cpu0/cpuidle/state([0-9]{1,2})/(name|latency|disable)$`)

// listed counts the numbers of a kernel list, "0-3,8"; 0 if it is none.
func listed(list string) int {
	total := 0
	for _, r := range ranges(list) {
		total += r[1] - r[0] + 1
	}
	return total
}

// ranges are the first and last numbers of the parts of a kernel list; nil if it is none.
func ranges(list string) (out [][2]int) {
	for part := range strings.SplitSeq(list, ",") {
		from, to, ranged := strings.Cut(part, "-")
		a, err := strconv.ParseUint(from, 10, 16)
		b := a
		if err == nil && ranged {
			b, err = strconv.ParseUint(to, 10, 16)
		}
		if err != nil || b < a {
			return nil
		}
		out = append(out, [2]int{int(a), int(b)})
	}
	return out
}

// procNetDev reads the counters of the devices that another output names; where none
// does, of all but the loopback. What the kernel dropped and what the device missed is
// one number there; who needs them apart has them from sysfs.
func (b kernelFeed) procNetDev(_ Output, t *linewise.NetDeviceTable) {
	for _, d := range t.Devices {
		e := b.host.Elements[d.Name]
		if e == nil && !b.links && d.Name != "lo" {
			e = b.element(d.Name, model.Interface)
		}
		if e != nil {
			e.Counters = e.Counters.With(d.Counters)
		}
	}
}

// lparcfg reads what a Linux partition knows of itself. The kernel prints the
// entitlement in hundredths of a core.
func (b kernelFeed) lparcfg(o Output, f *linewise.EnvFile) {
	whole := func(key string) *int {
		if n, err := strconv.Atoi(said(f, key)); err == nil && n >= 0 {
			return &n
		}
		return nil
	}
	b.managed(o, said(f, "system_type"), said(f, "serial_number"))
	p := &b.host.Partition
	p.Name = said(f, "partition_name")
	p.Number = whole("partition_id")
	p.VirtualCPUs = whole("partition_active_processors")
	if n := whole("partition_entitled_capacity"); n != nil && *n > 0 {
		p.Entitled = new(float64(*n) / 100)
	}
	shared, capped := said(f, "shared_processor_mode"), said(f, "capped")
	switch shared {
	case "1":
		p.Type = "Shared"
		p.Weight = whole("capacity_weight")
	case "0":
		p.Type = "Dedicated"
	}
	switch {
	case capped == "1":
		p.Mode = "Capped"
	case capped == "0" && shared == "1":
		p.Mode = "Uncapped"
	}
}

// within drops what a container shows of the machine that it shares with others, and
// says so: neither are the drops its own, nor can it set the clock. why is empty on a
// host that is none.
func (b kernelFeed) within(why string) {
	before := len(b.protocols) + len(b.host.Tunables)
	if why == "" {
		return
	}
	maps.DeleteFunc(b.protocols, func(name string, _ uint64) bool { return strings.HasPrefix(name, "softnet.") })
	for name := range b.host.Tunables {
		if strings.HasPrefix(name, "cpufreq.") {
			delete(b.host.Tunables, name)
		}
	}
	if len(b.protocols)+len(b.host.Tunables) < before {
		b.gap("/proc/net/softnet_stat, cpufreq", "the machine's, not this host's: "+why)
	}
}
