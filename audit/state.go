package audit

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// bridging says what an SEA bridges: all, partial or none; "" if it prints none
// of these.
func (s *session) bridging(e *element) string {
	mode := strings.ToLower(e.is.BridgeMode)
	if mode != "all" && mode != "partial" && mode != "none" {
		return ""
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: e.Name + " Bridge Mode: " + e.is.BridgeMode})
	return mode
}

// flow says whether a port and its switch use pause frames: on or off; "" if the
// driver does not print it.
func (s *session) flow(e *element) string {
	if e.is.FlowControl == nil {
		return ""
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: e.Name + map[bool]string{true: " flow control status: enabled", false: " flow control status: disabled"}[*e.is.FlowControl]})
	return map[bool]string{true: "on", false: "off"}[*e.is.FlowControl]
}

// within says whether a path was given whose other end is on e's managed system.
func (s *session) within(e *element) bool {
	peers, err := s.peers(e)
	return err == nil && e.Machine != "" && slices.ContainsFunc(peers, func(p *element) bool { return p.Machine == e.Machine })
}

// twice lists the VLANs that two trunk adapters of one VIOS bring to SEAs from the
// same hypervisor switch.
func (s *session) twice(e *element) ([]int, error) {
	var out []int
	for _, mine := range e.is.Trunks {
		a, err := s.joins.named(e, mine)
		if err != nil {
			return nil, err
		}
		own, err := s.vlans(a)
		if err != nil {
			return nil, err
		}
		for _, x := range s.joins.byHost[e.Host] {
			if x == a || x.is.Kind != inventory.Virtual || x.is.Trunk == nil || !*x.is.Trunk || x.is.VSwitch != a.is.VSwitch || len(s.owners(x)) == 0 {
				continue
			}
			others, err := s.vlans(x)
			if err != nil {
				return nil, err
			}
			for _, v := range others {
				if slices.Contains(own, v) && !slices.Contains(out, v) {
					out = append(out, v)
					s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("VLAN %d is on both %s and %s", v, a.Name, x.Name)})
				}
			}
		}
	}
	return out, nil
}
