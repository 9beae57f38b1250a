package expr

import (
	"slices"
	"strings"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// priority gives a trunk adapter's number: of several for one VLAN the lowest
// bridges.
func (s *Session) priority(e *graph.Element) (int, error) {
	of := e.Is
	if sea := e.Of.Elements[of.MemberOf]; of.Priority == nil && sea != nil && sea.Priority != nil {
		of = sea // it is printed once for all trunk adapters of an SEA
	}
	if of.Priority == nil {
		return 0, e.Missing("trunk priority", "entstat -d "+e.Name)
	}
	s.evidence(e, "entstat -d "+of.Name, "%s Priority: %d", of.Name, *of.Priority)
	return *of.Priority, nil
}

// guest gives the virtual machine that a tap device leads to.
func (s *Session) guest(e *graph.Element) (string, error) {
	g, how := e.Is.Guest, "virsh dumpxml"
	if g == nil {
		return "", e.Missing("the virtual machine that it leads to", how)
	}
	if g.Learned {
		how = "bridge fdb show"
	}
	s.evidence(e, how, "%s is an interface of virtual machine %s", e.Name, g.Name)
	return g.Name, nil
}

// flag says whether an interface or driver flag is set. Of a damaged list a flag
// that is not in it is not known.
func (s *Session) flag(e *graph.Element, name string) (bool, error) {
	has := flagged(e.Is.Flags, name)
	command := "entstat -d " + e.Name
	if e.Is.Kind == inventory.Interface {
		command = "ifconfig " + e.Name
	}
	switch {
	case len(e.Is.Flags) == 0:
		return false, e.Missing("flags", command)
	case e.Is.FlagsCut && !has:
		return false, e.Missing("whether "+name+" is set: the list of flags is damaged", command)
	}
	s.evidence(e, command, "%s flags: %s", e.Name, strings.Join(e.Is.Flags, ","))
	return has, nil
}

// flagRead says whether it was read that a flag is set, or that it is not.
func (s *Session) flagRead(e *graph.Element, name string) (bool, error) {
	return len(e.Is.Flags) > 0 && (!e.Is.FlagsCut || flagged(e.Is.Flags, name)), nil
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

// ifconfigRead says whether the interface's flags, which only ifconfig prints,
// were read.
func ifconfigRead(e *graph.Element) bool {
	return slices.ContainsFunc(e.Is.Flags, func(f string) bool { return strings.EqualFold(f, "UP") || strings.EqualFold(f, "BROADCAST") })
}
