package audit

import (
	"strings"

	"seaworthy/inventory"
)

// label is the function of that name, which costs more than a look-up: a fleet
// has few names of counters and asks for them often.
func (s *session) label(name string) string {
	l, ok := s.labels[name]
	if !ok {
		if s.labels == nil {
			s.labels = map[string]string{}
		}
		l = label(name)
		s.labels[name] = l
	}
	return l
}

// countedBy is the command that prints an element's counters.
func countedBy(e *element) string {
	if e.Platform == string(inventory.Linux) {
		return "ethtool -S " + e.Name
	}
	return "entstat -d " + e.Name
}

// hasCounter says whether an element prints a counter of that name.
func (s *session) hasCounter(e *element, names string) (bool, error) {
	return len(counterNamed(e.is.Counters, names, s.label)) > 0, nil
}

// countersGrow says whether counters are growth since an earlier snapshot,
// instead of totals.
func (s *session) countersGrow(e *element) bool { return s.span(e).grows }

// counter gives the sum of the counters of that printed name: what was added
// between two snapshots, or the total since the counters were reset.
func (s *session) counter(e *element, names string) (int, error) {
	keys := counterNamed(e.is.Counters, names, s.label)
	if len(keys) == 0 {
		return 0, missing(describe(e, "counter "+strings.ReplaceAll(names, "|", " or "), countedBy(e)))
	}
	over := s.span(e)
	s.seen.counters = true
	s.seen.totals = s.seen.totals || !over.grows
	sum := 0
	for _, key := range keys {
		now, _ := e.is.Counters.Get(key)
		n, wrapped, gap := over.growth(key, now)
		if gap != "" {
			return 0, missing(describe(e, "growth of "+plainLabel(key)+": "+gap, ""))
		}
		s.seen.add(Evidence{Host: e.Host, Command: countedBy(e), Text: e.Name + " " + plainLabel(key) + ": " + over.counted(n, wrapped)})
		sum += int(min(n, 1<<62))
	}
	return sum, nil
}

// span says over which time e's counters count.
func (s *session) span(e *element) span {
	h := s.joins.earlier[e.Host]
	if h == nil {
		return spanOf(e.is, nil, 0)
	}
	return spanOf(e.is, h.Elements[e.Name], between(e.of, h))
}

// ppm gives how many of a million were bad: the counters of one name against
// those of another, over the same time.
func (s *session) ppm(e *element, bad, all string) (float64, error) {
	b, err := s.counter(e, bad)
	if err != nil {
		return 0, err
	}
	n, err := s.counter(e, all)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, missing(describe(e, all+": none were counted", ""))
	}
	return 1e6 * float64(b) / float64(n), nil
}

func plainLabel(key string) string {
	for _, p := range []string{"tx.", "rx."} {
		if rest, ok := strings.CutPrefix(key, p); ok {
			return map[string]string{"tx.": "transmit ", "rx.": "receive "}[p] + rest
		}
	}
	return key
}
