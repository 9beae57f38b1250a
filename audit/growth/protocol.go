package growth

import (
	"fmt"

	"seaworthy/inventory"
)

// Protocol gives a counter of a host's protocols: what it gained since an
// earlier snapshot, or without one the total. Protocols have no age; a host
// whose counters fell was started again, or they were zeroed. The text is for
// people; a gap says why the growth is not known. False: the host has no such
// counter.
func Protocol(now, before *inventory.Host, name string) (n uint64, text, gap string, ok bool) {
	v, ok := now.Protocols.Get(name)
	if !ok || before == nil {
		return v, fmt.Sprint(v), "", ok
	}
	then, had := before.Protocols.Get(name)
	switch {
	case !had:
		return 0, "", "the earlier snapshot does not have it", true
	case v < then || protocolsFell(now, before) || restarted(now, before):
		return 0, "", "the counters began anew between the snapshots", true
	}
	v -= then
	return v, Span{Grows: true, Seconds: int64(between(now, before).Seconds())}.Text(v, false), "", true
}
