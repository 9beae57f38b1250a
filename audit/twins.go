package audit

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// addTwin notes adapters of different hosts that have one MAC address.
func (j *joins) addTwin(e *element) {
	switch e.is.Kind {
	case inventory.Virtual, inventory.VNIC, inventory.Physical:
	default:
		return
	}
	if strings.Trim(e.is.MAC, "0:") == "" {
		return
	}
	first := j.macs[e.is.MAC]
	if first == nil {
		j.macs[e.is.MAC] = e
		return
	}
	if len(j.twins[e.is.MAC]) == 0 {
		j.twins[e.is.MAC] = []*element{first}
	}
	j.twins[e.is.MAC] = append(j.twins[e.is.MAC], e)
}

// mostTwins bounds what is told of each where many copies were made.
const mostTwins = 4

// duplicates gives the adapters of other hosts that have e's MAC address and may be in
// a VLAN with it.
func (s *session) duplicates(e *element) ([]*element, error) {
	if strings.Trim(e.is.MAC, "0:") == "" {
		return nil, missing(describe(e, "MAC address", "entstat -d "+e.Name))
	}
	var out []*element
	for _, x := range s.joins.twins[e.is.MAC] {
		if x.Host == e.Host || apart(e.is, x.is) {
			continue
		}
		if len(out) == mostTwins {
			break
		}
		out = append(out, x)
		s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s has %s, and so has %s of %s", e.Name, e.is.MAC, x.Name, x.Host)})
	}
	return out, nil
}

// apart says that two adapters have no VLAN in common, as far as both told.
func apart(a, b *inventory.Element) bool {
	if a.PVID == nil || b.PVID == nil {
		return false
	}
	theirs := append([]int{*b.PVID}, b.VLANs...)
	return !slices.ContainsFunc(append([]int{*a.PVID}, a.VLANs...), func(v int) bool { return slices.Contains(theirs, v) })
}
