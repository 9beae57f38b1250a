package expr

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/audit/finding"
	"seaworthy/audit/graph"
	"seaworthy/catalog"
	"seaworthy/inventory"
)

// fact gives a figure: one that no snapshot holds, such as a round-trip time
// or what the site wants of a network, else one that the host's outputs give, of
// the element or of all of it (Figures).
func (s *Session) fact(e *graph.Element, name string) (float64, error) {
	for _, key := range []string{e.Ref().String() + " " + name, e.Host + " " + name} {
		if v, ok := s.Measured[key]; ok {
			s.evidence(e, "", "%s %s = %g, as given", e.Name, name, v)
			return v, nil
		}
	}
	for _, key := range []string{e.Name + " " + name, name} {
		v, ok := e.Of.Figures[key]
		if !ok {
			continue
		}
		s.record(finding.Evidence{Host: e.Host, Command: v.From.Command, Line: v.From.Line,
			Text: fmt.Sprintf("%s = %g: %s", name, v.Value, v.From.Text)})
		return v.Value, nil
	}
	what := strings.ReplaceAll(name, "_", " ")
	if from := s.Catalog.Fact(name).From; from != "" {
		return 0, e.Missing(what, from+", or --fact "+name)
	}
	return 0, e.Missing(what+", which no snapshot holds", "--fact "+name)
}

// installed says whether one of several APARs, separated by "|", is on the host.
func (s *Session) installed(e *graph.Element, names string) (bool, error) {
	var unasked string
	for name := range strings.SplitSeq(names, "|") {
		there, asked := e.Of.Fixes[name]
		switch {
		case there:
			s.evidence(e, "instfix -ik "+name, "all filesets for %s are installed", name)
			return true, nil
		case !asked && unasked == "":
			unasked = name
		}
	}
	if unasked != "" {
		return false, e.Missing("fix "+unasked, "instfix -ik "+unasked)
	}
	s.evidence(e, "instfix -ik", "not installed: %s", strings.ReplaceAll(names, "|", ", "))
	return false, nil
}

// hasFact says whether a measurement or a site's statement is there.
func (s *Session) hasFact(e *graph.Element, name string) (bool, error) {
	_, err := s.fact(e, name)
	return err == nil, nil
}

// level says whether the host's level is from (included) to below.
func (s *Session) level(e *graph.Element, from, below string) (bool, error) {
	have := e.Of.Level
	if e.Of.Platform == inventory.VIOS {
		have = e.Of.IOSLevel
	}
	if have == "" {
		return false, e.Missing("software level", "oslevel -s, ioslevel")
	}
	a, err := catalog.CompareLevels(have, from)
	b, err2 := catalog.CompareLevels(have, below)
	if err := cmp.Or(err, err2); err != nil {
		return false, e.Missing(err.Error(), "")
	}
	s.evidence(e, "oslevel -s", "level %s", have)
	return a >= 0 && b < 0, nil
}
