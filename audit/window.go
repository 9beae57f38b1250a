package audit

import (
	"slices"
	"strings"

	"seaworthy/inventory"
)

// TCP options of a connection come from the program (setsockopt), else from
// the interface (ISNO) while use_isno is 1, else from no. An interface whose
// ODM value is empty may still bring one of its own: what is in force is what
// ifconfig prints. Only if ifconfig was read and printed none does the value
// of no hold.

// isno says whether an interface's own options count: use_isno is not off, as
// far as is known.
func (s *session) isno(e *element) bool {
	v, ok := s.value(s.tunables(e).is.Attrs["use_isno"])
	on, known := boolean(v)
	return !ok || !known || on
}

// option gives the value in force for connections over an interface.
func (s *session) option(e *element, name string) (string, error) {
	t := s.tunables(e)
	if !s.isno(e) {
		return s.attr(t, name)
	}
	v, ok := s.value(e.is.Attrs[name])
	if ok && v != "" {
		return s.attr(e, name)
	}
	if ok && e.is.Attrs[name].Running != nil && s.ifconfigRead(e) {
		return s.attr(t, name)
	}
	return "", missing(describe(e, name+" in force", "ifconfig "+e.Name))
}

// ifconfigRead says whether the interface's flags, which only ifconfig prints,
// were read.
func (s *session) ifconfigRead(e *element) bool {
	return slices.ContainsFunc(e.is.Flags, func(f string) bool { return strings.EqualFold(f, "UP") || strings.EqualFold(f, "BROADCAST") })
}

// effective gives the number in force for connections over an interface.
func (s *session) effective(e *element, name string) (int, error) {
	v, err := s.option(e, name)
	if err != nil {
		return 0, err
	}
	if n, ok := number(v); ok {
		return n, nil
	}
	return 0, missing(describe(e, name+" in force: "+v+" is not a number", ""))
}

// tunables gives the no or sysctl options of e's host as an element.
func (s *session) tunables(e *element) *element {
	if t := s.lastTunables; t != nil && t.of == e.of {
		return t // hosts are judged one after the other
	}
	name := "no"
	if e.of.Platform == inventory.Linux {
		name = "sysctl"
	}
	s.lastTunables = &element{Kind: kindTunables, Name: name, Host: e.Host, Platform: e.Platform, of: e.of, join: e.join,
		is: &inventory.Element{Name: name, Attrs: e.of.Tunables}}
	return s.lastTunables
}

// largestBuffer gives the largest TCP socket buffer that no or an interface of
// the host asks for.
func (s *session) largestBuffer(e *element) (int, error) {
	t := s.tunables(e)
	largest := 0
	for _, name := range []string{"tcp_sendspace", "tcp_recvspace"} {
		n, err := s.num(t, name)
		if err != nil {
			return 0, err
		}
		largest = max(largest, n)
		for _, i := range s.joins.byHost[e.Host] {
			if i.is.Kind != inventory.Interface {
				continue
			}
			if v, ok := s.value(i.is.Attrs[name]); ok {
				if n, ok := number(v); ok && n > largest {
					largest = n
					s.note(i, name, v)
				}
			}
		}
	}
	return largest, nil
}
