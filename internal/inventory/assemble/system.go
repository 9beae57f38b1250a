package assemble

import (
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/linewise"
)

func (b *builder) devices(o Output, l *lsdev.List) {
	for _, d := range l.Devices {
		b.device(d.Name, d.Status, d.Location, d.Description)
	}
	if b.host.Platform == model.VIOS && o.ID != "lsdev-Cc-if" {
		b.virtualSCSI(o, l)
	}
}

// oslevel reads oslevel -s or -r. What is only a list of levels does not say
// which of them the host has. -s says more than -r, whichever comes first.
func (b *builder) oslevel(o Output, l *linewise.AIXLevels) {
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

func (b *builder) ioslevel(o Output) error {
	for _, w := range strings.Fields(string(o.Text)) {
		if ios.MatchString(w) {
			b.host.IOSLevel = w
			return nil
		}
	}
	b.gap(o.Command, "no level in what it printed")
	return nil
}

// netstatS keeps the protocol counters that rules ask for.
func (b *builder) netstatS(o Output, s *protocols.Statistics) {
	for _, p := range s.Protocols {
		if p.Name == "" {
			continue
		}
		p.Each(func(key string, n uint64) {
			b.protocols[p.Name+"."+key] = n
		})
	}
}

// hostnames are the host's own name, as it runs and as inet0 has it.
func (b *builder) hostnames() *model.Attr {
	if b.host.Hostname == nil {
		b.host.Hostname = &model.Attr{Name: "hostname"}
	}
	return b.host.Hostname
}

func (b *builder) hostname(o Output, n *linewise.Uname) {
	if n.Node != "" {
		b.hostnames().Running = &n.Node
	}
}

// arpAn takes what was set by hand, which does not come back by itself, and what was learnt.
func (b *builder) arpAn(o Output, t *linewise.ARPTable) {
	for _, e := range t.Entries {
		n := model.Neighbour{Address: e.Address, MAC: e.MAC, Published: e.Published}
		switch {
		case e.MAC == "":
		case e.Permanent:
			b.host.ARP = append(b.host.ARP, n)
		default:
			b.host.Learnt = append(b.host.Learnt, n)
		}
	}
}

// clusterManagers move addresses from host to host: those of PowerHA.
var clusterManagers = []string{"clstrmgrES", "clstrmgr"}

func (b *builder) lssrc(o Output, l *linewise.SubsystemList) {
	for _, s := range l.Subsystems {
		if s.Active() && slices.Contains(clusterManagers, s.Name) && !slices.Contains(b.host.Clusters, s.Name) {
			b.host.Clusters = append(b.host.Clusters, s.Name)
		}
	}
}

// linkDown is how drivers log that a link is gone: ETHERNET DOWN, Physical link down, LINK ERROR.
var linkDown = parse.Lazy(`(?i)\b(?:link|ethernet|carrier)\b.*\b(?:down|lost|error)\b|\b(?:lost|no) (?:link|carrier)\b`)

// errpt counts the entries about a port's lost link, and about hosts that have an address
// of this one. A port without an entry has none.
func (b *builder) errpt(o Output, r *linewise.ErrorReport) {
	count := map[string]uint64{}
	var duplicate []int
	for _, e := range r.Entries {
		if linkDown.MatchString(e.Description) {
			count[e.Resource]++
		}
		if e.Label == "AIXIF_ARP_DUP_ADDR" || strings.Contains(e.Description, "DUPLICATE IP ADDRESS") {
			duplicate = append(duplicate, e.Line)
		}
	}
	b.count(o, model.DuplicateIP, duplicate)
	for name, e := range b.host.Elements {
		if e.Kind == model.Physical {
			e.Counters = e.Counters.With(map[string]uint64{"errpt link down": count[name]})
		}
	}
}
