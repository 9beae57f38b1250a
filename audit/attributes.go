package audit

import (
	"fmt"
	"strings"
)

// known says whether a value of an attribute was read.
func (s *session) known(e *element, name string) (bool, error) {
	_, ok := s.value(e.is.Attrs[name])
	return ok, nil
}

// num gives an attribute that is a whole number.
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

// nums gives an attribute that is several numbers, as "4096 131072 6291456".
func (s *session) nums(e *element, name string) ([]int, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, f := range strings.Fields(v) {
		n, ok := number(f)
		if !ok {
			return nil, missing(describe(e, fmt.Sprintf("%s: %q is not a list of numbers", name, v), s.howToRead(e, name)))
		}
		all = append(all, n)
	}
	return all, nil
}

// on says whether an attribute is one of the words for yes.
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

// off says whether an attribute is one of the words for no.
func (s *session) off(e *element, name string) (bool, error) {
	v, err := s.on(e, name)
	return !v, err
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

// defaultOf gives the default that the host itself names.
func (s *session) defaultOf(e *element, name string) (string, error) {
	a := e.is.Attrs[name]
	if a == nil || a.Default == nil {
		return "", missing(describe(e, "default of "+name, "no -L"))
	}
	return *a.Default, nil
}
