package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// value gives an attribute's value in the view that is judged. The ODM's value
// stands for a running one that the host does not show, and the other way.
func (s *Session) value(a *model.Attr) (string, bool) {
	if a == nil {
		return "", false
	}
	first, second := a.Running, a.NextBoot
	if s.NextBoot {
		first, second = second, first
		// An attribute left empty in the ODM keeps getting its value from elsewhere.
		if first != nil && *first == "" && second != nil {
			first = second
		}
	}
	if v := cmp.Or(first, second); v != nil {
		return *v, true
	}
	return "", false
}

// attr gives an attribute's value, or says how it would have been read.
func (s *Session) attr(e *graph.Element, name string) (string, error) {
	a := e.Is.Attrs[name]
	v, ok := s.value(a)
	if !ok {
		return "", e.Missing(name, s.howToRead(e, name))
	}
	if a.Running == nil {
		s.Seen.ODM = true
	}
	s.recordAttr(e, name, v)
	return v, nil
}

// recordAttr records that an attribute was looked at, and whether it will change.
func (s *Session) recordAttr(e *graph.Element, name, v string) {
	a := e.Is.Attrs[name]
	if drifts(a) {
		s.Seen.Drifting = append(s.Seen.Drifting, Attr{e.Ref(), name})
	}
	var o model.Origin
	if n := len(a.From); n > 0 {
		o = a.From[n-1] // the last one is nearest to what is in force
		if i := slices.IndexFunc(a.From, func(x model.Origin) bool { return strings.Contains(x.Text, v) }); i >= 0 && v != "" {
			o = a.From[i]
		}
	} else {
		o.Command = s.howToRead(e, name)
	}
	if o.Text == "" {
		o.Text = e.Name + " " + name + " = " + v
	}
	s.record(finding.Evidence{Host: e.Host, Command: o.Command, Line: o.Line, Text: o.Text})
}

func (s *Session) howToRead(e *graph.Element, name string) string {
	a, ok := s.Catalog.Attribute(e.Layer(), name)
	if !ok || len(a.Read) == 0 {
		return ""
	}
	return strings.ReplaceAll(a.Read[0], "{name}", e.Name)
}

func (s *Session) known(e *graph.Element, name string) (bool, error) {
	_, ok := s.value(e.Is.Attrs[name])
	return ok, nil
}

// parsed gives an attribute in another form, or says that it is not what was
// expected.
func parsed[T any](s *Session, e *graph.Element, name, want string, parse func(string) (T, bool)) (T, error) {
	text, err := s.attr(e, name)
	v, ok := parse(text)
	if err == nil && !ok {
		err = e.Missing(fmt.Sprintf("%s: %q is %s", name, text, want), s.howToRead(e, name))
	}
	return v, err
}

func (s *Session) num(e *graph.Element, name string) (int, error) {
	return parsed(s, e, name, "not a number", number)
}

// nums gives an attribute that is several numbers, as "4096 131072 6291456".
func (s *Session) nums(e *graph.Element, name string) ([]int, error) {
	return parsed(s, e, name, "not a list of numbers", func(text string) (all []int, ok bool) {
		for f := range strings.FieldsSeq(text) {
			n, ok := number(f)
			if !ok {
				return nil, false
			}
			all = append(all, n)
		}
		return all, true
	})
}

func (s *Session) on(e *graph.Element, name string) (bool, error) {
	return parsed(s, e, name, "neither on nor off", Bool)
}

// switched says whether an attribute is on now and after the next boot, as far as
// each is known.
func (s *Session) switched(e *graph.Element, name string) (all []bool, err error) {
	if a := e.Is.Attrs[name]; a != nil {
		for _, p := range []*string{a.Running, a.NextBoot} {
			if p == nil {
				continue
			}
			v, ok := Bool(*p)
			if !ok {
				return nil, e.Missing(name+": "+*p+" is neither on nor off", "")
			}
			all = append(all, v)
			s.recordAttr(e, name, *p)
		}
	}
	if len(all) == 0 {
		return nil, e.Missing(name, s.howToRead(e, name))
	}
	return all, nil
}

func (s *Session) off(e *graph.Element, name string) (bool, error) {
	v, err := s.on(e, name)
	return !v, err
}

// allowed gives the largest value the host itself allows (lsattr -R).
func (s *Session) allowed(e *graph.Element, name string) (int, error) {
	if a := e.Is.Attrs[name]; a != nil {
		if _, high, ok := Range(a.Allowed); ok {
			return int(high), nil
		}
	}
	return 0, e.Missing("largest allowed "+name, "lsattr -Rl "+e.Name+" -a "+name)
}

// Range is the least and the most of ranges and numbers as lsattr -R lists them.
func Range(allowed []string) (low, high int64, ok bool) {
	for i, v := range allowed {
		from, to, ranged := strings.Cut(v, "...")
		if !ranged {
			to = from
		}
		to, _, _ = strings.Cut(to, " ")
		a, err := strconv.ParseInt(strings.TrimSpace(from), 0, 64)
		b, err2 := strconv.ParseInt(strings.TrimSpace(to), 0, 64)
		if err != nil || err2 != nil {
			return 0, 0, false
		}
		low, high = min(low, a), max(high, b)
		if i == 0 {
			low, high = a, b
		}
	}
	return low, high, len(allowed) > 0
}

// defaultOf gives the default that the host itself names.
func (s *Session) defaultOf(e *graph.Element, name string) (string, error) {
	a := e.Is.Attrs[name]
	if a == nil || a.Default == nil {
		return "", e.Missing("default of "+name, "no -L")
	}
	return *a.Default, nil
}

// switchedOn and switchedOff are what Bool takes for on and off.
var (
	switchedOn  = []string{"on", "yes", "1", "true", "enabled", "enable", "plso"}
	switchedOff = []string{"off", "no", "0", "false", "disabled", "disable"}
)

// Bool reads the words AIX and Linux use for on and off.
func Bool(value string) (v, ok bool) {
	value = strings.ToLower(strings.TrimSpace(value))
	on := slices.Contains(switchedOn, value)
	return on, on || slices.Contains(switchedOff, value)
}

// Same says whether two values are the same text, or the same of on and off.
func Same(a, b string) bool {
	x, xok := Bool(a)
	y, yok := Bool(b)
	return a == b || xok && yok && x == y
}

// Alike compares values as platforms write them: yes and on, 0x100 and 256.
func Alike(a, b string) bool {
	n, err := strconv.ParseInt(a, 0, 64)
	m, err2 := strconv.ParseInt(b, 0, 64)
	return Same(a, b) || err == nil && err2 == nil && n == m
}

func number(value string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	return n, err == nil
}

func both(a *model.Attr) bool { return a != nil && a.Running != nil && a.NextBoot != nil }

// drifts says whether an attribute's running and next-boot values differ. One
// left empty in the ODM takes its running value from elsewhere, and that is no
// drift.
func drifts(a *model.Attr) bool {
	return both(a) && *a.NextBoot != "" && !Same(*a.Running, *a.NextBoot)
}
