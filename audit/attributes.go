package audit

import (
	"fmt"
	"strings"
)

func (s *session) num(e *element, name string) (int, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return 0, err
	}
	if n, ok := number(v); ok {
		return n, nil
	}
	return 0, missing(describe(e, fmt.Sprintf("%s: %q is not a number", name, v), s.howToRead(e, name)))
}

func (s *session) on(e *element, name string) (bool, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return false, err
	}
	if b, ok := boolean(v); ok {
		return b, nil
	}
	return false, missing(describe(e, fmt.Sprintf("%s: %q is neither on nor off", name, v), s.howToRead(e, name)))
}

// allowed gives the largest value the host itself allows (lsattr -R).
func (s *session) allowed(e *element, name string) (int, error) {
	a := e.is.Attrs[name]
	if a != nil && len(a.Allowed) > 0 {
		last := a.Allowed[len(a.Allowed)-1]
		if _, to, ok := strings.Cut(last, "..."); ok {
			last, _, _ = strings.Cut(to, " ")
		}
		if n, ok := number(last); ok {
			return n, nil
		}
	}
	return 0, missing(describe(e, "largest allowed "+name, "lsattr -Rl "+e.Name+" -a "+name))
}

// changed says whether an attribute is not at its default.
func (s *session) changed(e *element, name string) (bool, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return false, err
	}
	a := e.is.Attrs[name]
	if a.Default == nil {
		return false, missing(describe(e, "default of "+name, "no -L"))
	}
	return v != *a.Default, nil
}
