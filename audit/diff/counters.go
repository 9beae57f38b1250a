package diff

import (
	"cmp"
	"regexp"
	"slices"

	"seaworthy/audit/growth"
	"seaworthy/inventory"
)

// Counter is an error counter that grew between the two readings.
type Counter struct {
	inventory.Ref
	Name   string `json:"name"`   // as printed, "receive " or "transmit " before it where both have it
	Growth uint64 `json:"growth"` // 0 with a gap
	Text   string `json:"text"`   // "+60 in 1 d (2.5/h)"
	Gap    string `json:"gap,omitempty"`
}

// troubles are counters of what goes wrong, by words of their names.
var troubles = regexp.MustCompile(`(?i)err|drop|fail|no.?(resource|mbuf|buffer)|retrans|time.?out|timed.?out|overrun|underrun|` +
	`collision|crc|discard|\bbad\b|lost|miss|overflow|out.of.order|duplicate|\bresets?\b|xoff|pause`)

// counters takes those that grew, most first.
func (c *comparison) counters() {
	var grown []Counter
	for name, e := range c.now.Elements {
		if c.before.Elements[name] == nil {
			continue
		}
		span := growth.OfElement(e, c.now, c.before)
		for key, value := range e.Counters.All() {
			if !troubles.MatchString(key) {
				continue
			}
			n, wrapped, gap := span.Gained(key, value)
			if gap == "" && n > 0 {
				grown = append(grown, Counter{Ref: c.at(name), Name: growth.Label(key), Growth: n, Text: span.Text(n, wrapped)})
			}
		}
	}
	for key := range c.now.Protocols.All() {
		if !troubles.MatchString(key) {
			continue
		}
		n, text, gap, ok := growth.Protocol(c.now, c.before, key)
		if ok && gap == "" && n > 0 {
			grown = append(grown, Counter{Ref: c.at("host"), Name: key, Growth: n, Text: text})
		}
	}
	slices.SortFunc(grown, func(a, b Counter) int {
		return cmp.Or(cmp.Compare(b.Growth, a.Growth), a.Ref.Compare(b.Ref), cmp.Compare(a.Name, b.Name))
	})
	c.Counters = append(c.Counters, grown...)
}
