package expr

import "seaworthy/audit/graph"

// TCP options of a connection come from the program (setsockopt), else from
// the interface (ISNO) while use_isno is 1, else from no. An interface whose
// ODM value is empty may still bring one of its own: what is in force is what
// ifconfig prints. Only if ifconfig was read and printed none does the value
// of no hold.

// isno says whether an interface's own options count: use_isno is not off, as
// far as is known.
func (s *Session) isno(e *graph.Element) bool {
	v, ok := s.value(e.Tunables().Is.Attrs["use_isno"])
	on, known := Bool(v)
	return !ok || !known || on
}

// option gives the value in force for connections over an interface.
func (s *Session) option(e *graph.Element, name string) (string, error) {
	t := e.Tunables()
	if !s.isno(e) {
		return s.attr(t, name)
	}
	v, ok := s.value(e.Is.Attrs[name])
	if ok && v != "" {
		return s.attr(e, name)
	}
	if ok && e.Is.Attrs[name].Running != nil && ifconfigRead(e) {
		return s.attr(t, name)
	}
	return "", e.Missing(name+" in force", "ifconfig "+e.Name)
}

// effective gives the number in force for connections over an interface.
func (s *Session) effective(e *graph.Element, name string) (int, error) {
	v, err := s.option(e, name)
	if err != nil {
		return 0, err
	}
	if n, ok := number(v); ok {
		return n, nil
	}
	return 0, e.Missing(name+" in force: "+v+" is not a number", "")
}
