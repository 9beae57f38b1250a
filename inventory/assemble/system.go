package assemble

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/dialect/aix/oslevel"
	"seaworthy/inventory"
)

// devices reads any form of lsdev.
func (b *builder) devices(o Output, l *lsdev.List) {
	for _, d := range l.Devices {
		b.device(d.Name, d.Status, d.Location, d.Description)
	}
	if b.host.Platform == inventory.VIOS && o.ID != "lsdev-Cc-if" {
		b.virtualSCSI(o, l)
	}
}

// oslevel reads oslevel -s or -r. What is only a list of levels does not say
// which of them the host has. -s says more than -r, whichever comes first.
func (b *builder) oslevel(o Output, l *oslevel.Output) {
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

var ios = dialect.Lazy(`^[0-9]+(\.[0-9]+){2,4}$`)

// ioslevel reads the VIOS level.
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
