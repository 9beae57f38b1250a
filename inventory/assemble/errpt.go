package assemble

import (
	"seaworthy/dialect"
	"seaworthy/dialect/aix/errpt"
	"seaworthy/inventory"
)

// linkDown is how drivers log that a link is gone: ETHERNET DOWN, Physical link down, LINK ERROR.
var linkDown = dialect.Lazy(`(?i)\b(?:link|ethernet|carrier)\b.*\b(?:down|lost|error)\b|\b(?:lost|no) (?:link|carrier)\b`)

// errpt counts the entries about a port's lost link. A port without an entry has none.
func (b *builder) errpt(_ Output, r *errpt.Report) {
	count := map[string]uint64{}
	for _, e := range r.Entries {
		if linkDown.MatchString(e.Description) {
			count[e.Resource]++
		}
	}
	for name, e := range b.host.Elements {
		if e.Kind == inventory.Physical {
			e.Counters = e.Counters.With(map[string]uint64{"errpt link down": count[name]})
		}
	}
}
