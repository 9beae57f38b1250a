package growth

import (
	"fmt"
	"slices"
	"strings"

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

// spans gives the span of every adapter that counted in both snapshots.
func spans(now, before *inventory.Host) map[string]Span {
	out := map[string]Span{}
	for name, e := range now.Elements {
		if b := before.Elements[name]; e != nil && b != nil && e.Counters.Len() > 0 && b.Counters.Len() > 0 {
			out[name] = spanOf(e, b, between(now, before))
		}
	}
	return out
}

// restarted says whether all adapters began to count anew, as after a boot.
func restarted(now, before *inventory.Host) bool {
	aged := false
	for name, s := range spans(now, before) {
		if now.Elements[name].CountedS == nil {
			continue
		}
		if !s.reset {
			return false
		}
		aged = true
	}
	return aged
}

// traffic are parts of the names of protocol counters that only grow; netstat
// and the kernel also give states among them, which may fall.
var traffic = []string{"packets", "insegs", "outsegs", "inreceives", "outrequests", "indatagrams", "outdatagrams"}

// protocolsFell says whether a protocol counter of traffic fell.
func protocolsFell(now, before *inventory.Host) bool {
	for name, then := range before.Protocols.All() {
		n, ok := now.Protocols.Get(name)
		if !ok || n >= then {
			continue
		}
		name = strings.ToLower(name)
		if slices.ContainsFunc(traffic, func(word string) bool { return strings.Contains(name, word) }) {
			return true
		}
	}
	return false
}
