package assemble

import (
	"slices"

	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/aix/lssrc"
	"seaworthy/dialect/aix/uname"
	"seaworthy/inventory"
)

// hostnames are the host's own name, as it runs and as inet0 has it.
func (b *builder) hostnames() *inventory.Attr {
	if b.host.Hostname == nil {
		b.host.Hostname = &inventory.Attr{Name: "hostname"}
	}
	return b.host.Hostname
}

func (b *builder) hostname(o Output, n *uname.Names) {
	if n.Node != "" {
		b.hostnames().Running = &n.Node
	}
}

// arpAn takes what was set by hand; what was learnt comes back by itself.
func (b *builder) arpAn(o Output, t *arp.Table) {
	for _, e := range t.Entries {
		if e.Permanent && e.MAC != "" {
			b.host.ARP = append(b.host.ARP, inventory.Neighbour{Address: e.Address, MAC: e.MAC, Published: e.Published})
		}
	}
}

// clusterManagers move addresses from host to host: those of PowerHA.
var clusterManagers = []string{"clstrmgrES", "clstrmgr"}

func (b *builder) lssrc(o Output, l *lssrc.Output) {
	for _, s := range l.Subsystems {
		if s.Active() && slices.Contains(clusterManagers, s.Name) && !slices.Contains(b.host.Clusters, s.Name) {
			b.host.Clusters = append(b.host.Clusters, s.Name)
		}
	}
}
