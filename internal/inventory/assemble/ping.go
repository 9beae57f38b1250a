package assemble

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linewise"
)

// ping keeps the round trip from an interface to the farthest of the hosts that
// were read with this one.
func (b *builder) ping(o Output, r *linewise.PingReplies) {
	ms, ok := r.RoundTrip()
	switch {
	case o.Element == "":
		return // imported: from which interface is not known
	case !ok && r.Whole && len(r.Times) > 0:
		b.gap(o.Command, "round trip of "+o.Element+": ping prints whole milliseconds, which is too coarse here")
	case !ok:
		b.gap(o.Command, "round trip of "+o.Element+": no answer")
	}
	if ok {
		least := slices.Min(r.Times)
		text := fmt.Sprintf("shortest of %d round trips: %.3g ms", len(r.Times), least)
		b.figure(model.RoundTripTo(o.Element, o.Attribute), least, model.Origin{Command: "ping " + o.Attribute, Text: text})
	}
	for _, name := range []string{o.Element + " " + model.RoundTrip, "sysctl " + model.RoundTrip} {
		if had, known := b.host.Figures[name]; ok && (!known || ms > had.Value) {
			text := fmt.Sprintf("median of %d round trips: %.3g ms", len(r.Times), ms)
			b.figure(name, ms, model.Origin{Command: "ping " + o.Attribute, Text: text})
		}
	}
}
