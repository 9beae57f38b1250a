package space

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Factor holds what is varied as one: an attribute of one element, or several
// attributes that only make sense together.
type Factor struct {
	Name   string          `json:"name"`  // "vios1:ent5 largesend", "window"
	Class  knowledge.Class `json:"class"` // outage class of its costliest attribute
	Levels []Level         `json:"levels"`
	// Numeric: its levels are one number each, which can be refined.
	Numeric bool `json:"numeric,omitempty"`

	members []member
}

// Plain is a factor as a file holds it.
func (f Factor) Plain() Factor { f.members = nil; return f }

// Level is one value of a factor. The first of a factor is the present one.
type Level struct {
	Label string            `json:"label"`         // "on", "262144"
	Set   []finding.Setting `json:"set,omitempty"` // what differs from the present; none of the present one
}

type member struct {
	ref    model.Ref
	attr   *knowledge.Attribute
	have   string
	levels []string
}

func (m *member) set(v string) []finding.Setting {
	if v == m.have {
		return nil
	}
	return []finding.Setting{{Ref: m.ref, Attr: m.attr.Name, Value: v}}
}

// at is a member's value at a level. One with fewer levels than others stays at its
// last.
func (m *member) at(level int) string { return m.levels[min(level, len(m.levels)-1)] }

// varied are the members that have several levels, or all if none has.
func (f *Factor) varied() []member {
	out := slices.DeleteFunc(slices.Clone(f.members), func(m member) bool { return len(m.levels) < 2 })
	if len(out) == 0 {
		return f.members
	}
	return out
}

// build makes the levels of a factor's members, those that differ from the present
// and from each other.
func (f *Factor) build() {
	present, most := f.members[0].have, 0
	f.Numeric = true
	for _, m := range f.members {
		f.Class = max(f.Class, m.attr.Class)
		most = max(most, len(m.levels))
	}
	for _, m := range f.varied() {
		f.Numeric = f.Numeric && m.attr.Type == "int" && len(m.attr.Values) == 0
		if m.have != present {
			present = "as found"
		}
	}
	f.Levels = []Level{{Label: present}}
	for i := range most {
		next := f.level(i)
		if slices.ContainsFunc(f.Levels, func(l Level) bool { return l.Label == next.Label }) && !f.Numeric {
			next.Label = fmt.Sprintf("%s %d", next.Label, i+1)
		}
		for _, m := range f.members {
			next.Set = append(next.Set, m.set(m.at(i))...)
		}
		f.add(next)
	}
}

// longest is how long a level's name may be that holds several values.
const longest = 20

// level names the values that the members have at a level: one, or several.
func (f *Factor) level(i int) Level {
	var values []string
	for _, m := range f.varied() {
		if !slices.Contains(values, m.at(i)) {
			values = append(values, m.at(i))
		}
	}
	if len(values) == 1 {
		return Level{Label: values[0]}
	}
	f.Numeric = false
	if all := strings.Join(values, "/"); len(all) <= longest {
		return Level{Label: all}
	}
	return Level{Label: "recommended"}
}

// add gives a factor one more level, and says which it is: one that sets the same
// already if there is one, the present if it sets nothing.
func (f *Factor) add(l Level) int {
	if i := slices.IndexFunc(f.Levels, func(o Level) bool { return slices.Equal(o.Set, l.Set) }); i >= 0 {
		return i
	}
	f.Levels = append(slices.Clip(f.Levels), l)
	return len(f.Levels) - 1
}

// With is the space with a level of this value of a numeric factor, and the level's
// number.
func (s *Space) With(factor int, value int64) (*Space, int) {
	out := *s
	out.Factors = slices.Clone(s.Factors)
	f := &out.Factors[factor]
	next := Level{Label: strconv.FormatInt(value, 10)}
	varied := f.varied()
	for _, m := range f.members {
		v := next.Label
		if !slices.ContainsFunc(varied, func(o member) bool { return o.ref == m.ref && o.attr == m.attr }) {
			v = m.at(len(m.levels))
		}
		next.Set = append(next.Set, m.set(v)...)
	}
	return &out, f.add(next)
}

// Nearby are values around a numeric factor's level that are worth a trial: half and
// double of it, within what the catalogue allows.
func (s *Space) Nearby(factor, level int) []int64 {
	f := s.Factors[factor]
	v, err := strconv.ParseInt(f.Levels[level].Label, 10, 64)
	if !f.Numeric || err != nil || v < 2 {
		return nil
	}
	var out []int64
	for _, near := range []int64{v / 2, v * 2} {
		fits := !slices.ContainsFunc(f.varied(), func(m member) bool { return m.attr.Accepts(strconv.FormatInt(near, 10)) != nil })
		if fits {
			out = append(out, near)
		}
	}
	return out
}
