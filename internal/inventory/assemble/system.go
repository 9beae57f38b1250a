package assemble

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// systemFeed has what holds for the whole of an AIX host: level, name, subsystems, error log.
type systemFeed struct{ *hostBuilder }

var systemRows = []row{
	{"oslevel-s oslevel-r", feeds(2, systemFeed.oslevel)},
	{"ioslevel", feedsText(2, systemFeed.ioslevel)},
	{"hostname", feeds(3, systemFeed.hostname)},
	{"lssrc-a", feeds(3, systemFeed.lssrc)},
	{"ps-etime", feeds(3, systemFeed.uptime)},
	{"errpt", feeds(5, systemFeed.errpt)},
	{"netstat-m", feeds(3, systemFeed.mbufs)},
	{"rules-diff", feeds(3, systemFeed.rulesDiff)},
	{"instfix-ik", feeds(3, systemFeed.fixes)},
	{"lslpp-Lc lslpp-L", feeds(3, systemFeed.filesets)},
	{"lsmcode", feeds(3, systemFeed.microcode)},
	{"lsdev-ddins", feeds(3, systemFeed.drivers)},
	{"route-get", feeds(3, systemFeed.routeTimers)},
	{"emgr-l", feeds(3, systemFeed.interimFixes)},
}

// oslevel reads oslevel -s or -r. What is only a list of levels does not say
// which of them the host has. -s says more than -r, whichever comes first.
func (b systemFeed) oslevel(o Output, l *linewise.AIXLevels) {
	now, ok := l.Current()
	switch {
	case !ok:
		b.gap(o.Command, "no level in what it printed that is certain to be the host's")
	case now.TechLevel == nil:
		b.gap(o.Command, "only the version, not the technology level: oslevel -s says it")
	case len(now.String()) > len(b.host.Level):
		b.host.Level = now.String()
	}
}

var ios = parse.Lazy(`^[0-9]+(\.[0-9]+){2,4}$`)

func (b systemFeed) ioslevel(o Output) error {
	for _, w := range strings.Fields(string(o.Text)) {
		if ios.MatchString(w) {
			b.host.IOSLevel = w
			return nil
		}
	}
	b.gap(o.Command, "no level in what it printed")
	return nil
}

func (b systemFeed) hostname(o Output, n *linewise.Uname) {
	if n.Node != "" {
		b.hostnames().Running = &n.Node
	}
}

// clusterManagers move addresses from host to host: those of PowerHA.
var clusterManagers = []string{"clstrmgrES", "clstrmgr"}

// networkServices are the subsystems that rules ask for: clusters, routing, names and NFS.
var networkServices = []string{
	"clstrmgrES", "clstrmgr", "clcomd", "cthags", "had", "gated", "routed", "mrouted", "named", "netcd", "biod", "nfsd", "rpc.mountd",
}

func (b systemFeed) lssrc(o Output, l *linewise.SubsystemList) {
	if b.host.Services == nil {
		b.host.Services = []string{}
	}
	for _, s := range l.Subsystems {
		if s.Active() && slices.Contains(networkServices, s.Name) && !slices.Contains(b.host.Services, s.Name) {
			b.host.Services = append(b.host.Services, s.Name)
		}
		if s.Active() && slices.Contains(clusterManagers, s.Name) && !slices.Contains(b.host.Clusters, s.Name) {
			b.host.Clusters = append(b.host.Clusters, s.Name)
		}
	}
}

func (b systemFeed) fixes(o Output, l *linewise.FixList) {
	for _, f := range l.Fixes {
		if b.host.Fixes == nil {
			b.host.Fixes = map[string]bool{}
		}
		b.host.Fixes[f.Name] = f.State == linewise.FixComplete
	}
}

func (b systemFeed) filesets(_ Output, l *linewise.FilesetList) {
	for _, f := range l.Filesets {
		if b.host.Filesets == nil {
			b.host.Filesets = map[string]string{}
		}
		b.host.Filesets[f.Name] = f.Level
	}
}

func (b systemFeed) interimFixes(_ Output, l *linewise.InterimFixList) {
	if l.None && len(l.Fixes) == 0 {
		b.host.InterimFixes = []model.InterimFix{}
	}
	for _, f := range l.Fixes {
		b.host.InterimFixes = append(b.host.InterimFixes, model.InterimFix{Label: f.Label, State: f.State})
	}
}

// microcode has the firmware of the system, and of adapters that lscfg does not tell it of.
func (b systemFeed) microcode(_ Output, l *linewise.MicrocodeList) {
	if l.System != "" {
		b.host.SystemFirmware = l.System
	}
	for _, m := range l.Devices {
		if e := b.host.Elements[m.Device]; e != nil && e.Firmware == "" {
			e.Firmware = m.Level
		}
	}
}

func (b systemFeed) drivers(_ Output, l *linewise.DriverList) {
	for _, d := range l.Drivers {
		if e := b.host.Elements[d.Device]; e != nil {
			e.Module = d.Driver
		}
	}
}

// routeTimers keeps the longest round-trip time that TCP has learnt on a route.
func (b systemFeed) routeTimers(o Output, r *linewise.RouteEntry) {
	have, read := b.host.Figures[model.RouteRTT]
	if r.RTT != nil && (!read || float64(*r.RTT) > have.Value) {
		b.figure(model.RouteRTT, float64(*r.RTT), o.says(fmt.Sprintf("route to %s: rtt %d ms", r.To, *r.RTT)))
	}
}

// rulesDiff counts what differs from a VIOS's rules.
func (b systemFeed) rulesDiff(o Output, d *linewise.RuleDiff) {
	from := o.says("no difference listed")
	switch {
	case len(d.Differences) > 0 && !o.cut && o.Problem == "":
		// Headings that are not known do no harm to what is listed.
		x := d.Differences[0]
		from = o.at(x.Line)
	case !entire(o, &d.Report):
		return
	}
	b.figure(model.RulesDiffer, float64(len(d.Differences)), from)
}

func (b systemFeed) uptime(o Output, e *linewise.ElapsedTime) {
	if e.Time != nil && entire(o, &e.Report) {
		b.figure(model.Uptime, e.Time.Seconds(), o.says(e.Time.String()))
	}
}
