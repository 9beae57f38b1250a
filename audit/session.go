package audit

import (
	"strings"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// session is a run over hosts of one fleet. It is used by one goroutine.
type session struct {
	joins  *joins
	cat    *catalog.Catalog
	opts   Options
	nodes  map[*element]*node
	passed int

	labels     map[string]string   // printed names of counters as label has them
	ordinaries map[string][]string // by layer, as ordinary has them
	mtus       map[subnetView]*mtus

	gaps         int64 // unknowns met so far
	nextBoot     bool  // judge the values of the next boot instead of the running ones
	seen         *trace
	lastTunables *element
	parts        []Finding       // scratch: what the checks of one rule say
	mentioned    map[string]bool // attributes that rules speak about
	claimed      map[value]bool  // differences to the next boot that a finding has named
}

func (set *Set) session(links *joins, cat *catalog.Catalog, opts Options) *session {
	s := &session{joins: links, cat: cat, opts: opts, seen: newTrace(), mentioned: set.mentioned, claimed: map[value]bool{}, nodes: map[*element]*node{}}
	return s
}

// value names an attribute of an element.
type value struct {
	inventory.Ref
	attr string
}

func (s *session) claim(values []value) {
	for _, v := range values {
		s.claimed[v] = true
	}
}

// trace is what a condition looked at: the source of evidence.
type trace struct {
	evidence []Evidence
	drifting []value // what has another next-boot value
	odm      bool    // a running value was not visible, the ODM's was taken
	counters bool
	totals   bool // ... and at least one was a total since boot
}

func newTrace() *trace { return &trace{} }

// reset forgets all but the room.
func (t *trace) reset() { *t = trace{evidence: t.evidence[:0], drifting: t.drifting[:0]} }

// add keeps a line, once. A rule looks at few.
func (t *trace) add(e Evidence) {
	for i := range t.evidence {
		if h := &t.evidence[i]; h.Text == e.Text && h.Command == e.Command && h.Host == e.Host {
			return
		}
	}
	t.evidence = append(t.evidence, e)
}

// value gives an attribute's value in the view that is judged. The ODM's value
// stands for a running one that the host does not show, and the other way.
func (s *session) value(a *inventory.Attr) (string, bool) {
	if a == nil {
		return "", false
	}
	first, second := a.Running, a.NextBoot
	if s.nextBoot {
		first, second = second, first
		// An attribute left empty in the ODM keeps getting its value from elsewhere.
		if first != nil && *first == "" && second != nil {
			first = second
		}
	}
	switch {
	case first != nil:
		return *first, true
	case second != nil:
		return *second, true
	}
	return "", false
}

// attr gives an attribute's value, or says how it would have been read.
func (s *session) attr(e *element, name string) (string, error) {
	a := e.is.Attrs[name]
	v, ok := s.value(a)
	if !ok {
		return "", missing(describe(e, name, s.howToRead(e, name)))
	}
	if a.Running == nil {
		s.seen.odm = true
	}
	s.note(e, name, v)
	return v, nil
}

// note records that an attribute was looked at, and whether it will change.
func (s *session) note(e *element, name, v string) {
	a := e.is.Attrs[name]
	if len(drifted(map[string]*inventory.Attr{name: a})) > 0 {
		s.seen.drifting = append(s.seen.drifting, value{e.ref(), name})
	}
	s.seen.add(s.attrEvidence(e, name, a, v))
}

func (s *session) attrEvidence(e *element, name string, a *inventory.Attr, v string) Evidence {
	if len(a.From) > 0 {
		// The last origin is the one nearest to what is in force.
		o := a.From[len(a.From)-1]
		for _, x := range a.From {
			if strings.Contains(x.Text, v) && v != "" {
				o = x
				break
			}
		}
		text := o.Text
		if text == "" {
			text = name + " = " + v
		}
		return Evidence{Host: e.Host, Command: o.Command, Line: o.Line, Text: text}
	}
	return Evidence{Host: e.Host, Command: s.howToRead(e, name), Text: e.Name + " " + name + " = " + v}
}

// howToRead gives the command that would tell an attribute.
func (s *session) howToRead(e *element, name string) string {
	layer := e.Kind
	switch {
	case e.Platform == string(inventory.Linux):
		layer = "linux"
	case e.Kind == kindTunables:
		layer = "no"
	}
	a, ok := s.cat.Attribute(layer, name)
	if !ok || len(a.Read) == 0 {
		return ""
	}
	return strings.ReplaceAll(a.Read[0], "{name}", e.Name)
}
