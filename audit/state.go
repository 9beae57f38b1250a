package audit

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// bridgeMode says what an SEA bridges: all, partial or none; "" if it prints none
// of these.
func (s *session) bridgeMode(e *element) string {
	mode := strings.ToLower(e.is.BridgeMode)
	if mode != "all" && mode != "partial" && mode != "none" {
		return ""
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: e.Name + " Bridge Mode: " + e.is.BridgeMode})
	return mode
}

// flowControl says whether a port and its switch use pause frames: on or off; "" if the
// driver does not print it.
func (s *session) flowControl(e *element) string {
	if e.is.FlowControl == nil {
		return ""
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: e.Name + map[bool]string{true: " flow control status: enabled", false: " flow control status: disabled"}[*e.is.FlowControl]})
	return map[bool]string{true: "on", false: "off"}[*e.is.FlowControl]
}

// peerWithin says whether a path was given whose other end is on e's managed system.
func (s *session) peerWithin(e *element) bool {
	peers, err := s.peers(e)
	return err == nil && e.Machine != "" && slices.ContainsFunc(peers, func(p *element) bool { return p.Machine == e.Machine })
}

// duplicateVLANs lists the VLANs that two trunk adapters of one VIOS bring to SEAs from the
// same hypervisor switch.
func (s *session) duplicateVLANs(e *element) ([]int, error) {
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

// sharedVLANs gives the VLANs that an SEA which shares says it bridges (VID
// shared); none on levels that do not print it.
func (s *session) sharedVLANs(e *element) []int {
	if len(e.is.Shared) > 0 {
		s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s VID shared: %s", e.Name, strings.Trim(fmt.Sprint(e.is.Shared), "[]"))})
	}
	return e.is.Shared
}

// flag says whether an interface or driver flag is set. Of a damaged list a flag
// that is not in it is not known.
func (s *session) flag(e *element, name string) (bool, error) {
	has := flagged(e.is.Flags, name)
	shown := map[bool]string{true: "ifconfig " + e.Name, false: "entstat -d " + e.Name}[e.is.Kind == inventory.Interface]
	switch {
	case len(e.is.Flags) == 0:
		return false, missing(describe(e, "flags", shown))
	case e.is.FlagsCut && !has:
		return false, missing(describe(e, "whether "+name+" is set: the list of flags is damaged", shown))
	}
	s.seen.add(Evidence{Host: e.Host, Command: shown, Text: e.Name + " flags: " + strings.Join(e.is.Flags, ",")})
	return has, nil
}

// flagged looks for a flag, also for one that a narrow terminal broke in two.
func flagged(flags []string, name string) bool {
	for i, f := range flags {
		if strings.EqualFold(f, name) || i > 0 && strings.EqualFold(flags[i-1]+f, name) {
			return true
		}
	}
	return false
}
