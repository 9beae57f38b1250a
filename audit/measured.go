package audit

import (
	"fmt"
	"strings"

	"seaworthy/inventory"
)

// fact gives a figure: one that no snapshot holds, such as a round-trip time
// or what the site wants of a network, else one of the host's own (Figures).
func (s *session) fact(e *element, name string) (float64, error) {
	for _, key := range []string{e.ref().String() + " " + name, e.Host + " " + name} {
		if v, ok := s.opts.Measured[key]; ok {
			s.seen.add(Evidence{Host: e.Host, Text: fmt.Sprintf("%s %s = %g, as given", e.Name, name, v)})
			return v, nil
		}
	}
	if v, ok := e.of.Figures[name]; ok {
		s.seen.add(Evidence{Host: e.Host, Command: v.From.Command, Line: v.From.Line, Text: fmt.Sprintf("%s = %g: %s", name, v.Value, v.From.Text)})
		return v.Value, nil
	}
	what := strings.ReplaceAll(name, "_", " ")
	if how := figuredBy[name]; how != "" {
		return 0, missing(describe(e, what, how))
	}
	return 0, missing(describe(e, what+", which no snapshot holds", "--fact "+name))
}

// figuredBy are the commands that give a host's figures.
var figuredBy = map[string]string{
	inventory.VirtualSCSI: "lsdev -Cc adapter",
	inventory.RulesDiffer: "rules -o diff -s -d",
	inventory.CoresUsed:   "lparstat 60 1 during a transfer, or --fact cores_used",
	inventory.CoresLimit:  "lparstat -i",
	inventory.CPUBusy:     "lparstat 60 1 during a transfer, or --fact cpu_busy_percent",
}

// installed says whether one of several APARs, separated by "|", is on the host.
func (s *session) installed(e *element, names string) (bool, error) {
	var unasked string
	for name := range strings.SplitSeq(names, "|") {
		there, asked := e.of.Fixes[name]
		switch {
		case there:
			s.seen.add(Evidence{Host: e.Host, Command: "instfix -ik " + name, Text: "all filesets for " + name + " are there"})
			return true, nil
		case !asked && unasked == "":
			unasked = name
		}
	}
	if unasked != "" {
		return false, missing(describe(e, "fix "+unasked, "instfix -ik "+unasked))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "instfix -ik", Text: "not there: " + strings.ReplaceAll(names, "|", ", ")})
	return false, nil
}

// hasFact says whether a measurement or a site's statement is there.
func (s *session) hasFact(e *element, name string) (bool, error) {
	_, err := s.fact(e, name)
	return err == nil, nil
}
