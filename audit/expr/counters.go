package expr

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit/graph"
	"seaworthy/audit/growth"
	"seaworthy/dialect"
	"seaworthy/inventory"
)

// label is the function of that name, which costs more than a look-up: a fleet
// has few names of counters and asks for them often.
func (s *Session) label(name string) string {
	l, ok := s.labels[name]
	if !ok {
		l = label(name)
		s.labels[name] = l
	}
	return l
}

// countedBy is the command that prints a counter of an element.
func countedBy(e *graph.Element, name string) string {
	switch {
	case strings.HasPrefix(name, "qdisc_"):
		return "tc -s qdisc"
	case e.Platform == string(inventory.Linux):
		return "ethtool -S " + e.Name
	}
	return "entstat -d " + e.Name
}

// hasCounter says whether an element prints a counter of that name.
func (s *Session) hasCounter(e *graph.Element, names string) (bool, error) {
	return len(counterNamed(e.Is.Counters, names, s.label)) > 0, nil
}

// counter gives the sum of the counters of that printed name: what was added
// between two snapshots, or the total since the counters were reset.
func (s *Session) counter(e *graph.Element, names string) (int, error) {
	keys := counterNamed(e.Is.Counters, names, s.label)
	if len(keys) == 0 {
		return 0, e.Missing("counter "+strings.ReplaceAll(names, "|", " or "), countedBy(e, names))
	}
	over := s.span(e)
	s.Seen.Totals = s.Seen.Totals || !over.Grows
	sum := 0
	for _, key := range keys {
		now, _ := e.Is.Counters.Get(key)
		n, wrapped, gap := over.Gained(key, now)
		if gap != "" {
			return 0, e.Missing("growth of "+growth.Label(key)+": "+gap, "")
		}
		if n > 0 || !strings.Contains(names, "#") || len(keys) < 4 { // of many queues those that count
			s.evidence(e, countedBy(e, key), "%s %s: %s", e.Name, growth.Label(key), over.Text(n, wrapped))
		}
		sum += int(min(n, 1<<62))
		s.Seen.Grew = s.Seen.Grew || over.Grows && n > 0
	}
	return sum, nil
}

// span says over which time e's counters count.
func (s *Session) span(e *graph.Element) growth.Span {
	return growth.OfElement(e.Is, e.Of, s.Before[e.Host])
}

// protocolsBy is the command that prints a counter of a host's protocols.
func protocolsBy(e *graph.Element, name string) string {
	switch {
	case !e.Linux():
		return "netstat -s"
	case strings.HasPrefix(name, "TcpExt.") || strings.HasPrefix(name, "IpExt."):
		return "cat /proc/net/netstat"
	case strings.HasPrefix(name, "softnet."):
		return "cat /proc/net/softnet_stat"
	case strings.HasPrefix(name, "arp."):
		return "cat /proc/net/stat/arp_cache"
	}
	return "cat /proc/net/snmp"
}

// protocol gives a counter of the host's protocols: what it gained since an
// earlier snapshot, or the total.
func (s *Session) protocol(e *graph.Element, name string) (int, error) {
	n, text, gap, ok := growth.Protocol(e.Of, s.Before[e.Host], name)
	switch {
	case !ok:
		return 0, &graph.Missing{Fact: fmt.Sprintf("%s: %s (%s)", e.Host, name, protocolsBy(e, name))}
	case gap != "":
		return 0, &graph.Missing{Fact: fmt.Sprintf("%s: growth of %s: %s", e.Host, name, gap)}
	}
	s.Seen.Totals = s.Seen.Totals || s.Before[e.Host] == nil
	s.Seen.Grew = s.Seen.Grew || s.Before[e.Host] != nil && n > 0
	s.evidence(e, protocolsBy(e, name), "%s: %s", name, text)
	return int(min(n, 1<<62)), nil
}

// ppm gives how many of a million were bad: the counters of one name against
// those of another, over the same time.
func (s *Session) ppm(e *graph.Element, bad, all string) (float64, error) {
	b, err := s.counter(e, bad)
	if err != nil {
		return 0, err
	}
	n, err := s.counter(e, all)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, e.Missing(all+": none were counted", "")
	}
	return 1e6 * float64(b) / float64(n), nil
}

// perSecond gives how fast the counters of a name grew between two snapshots.
func (s *Session) perSecond(e *graph.Element, names string) (float64, error) {
	n, err := s.counter(e, names)
	if err != nil {
		return 0, err
	}
	span := s.span(e)
	if !span.Grows || span.Seconds == 0 {
		return 0, e.Missing("time between the snapshots", "")
	}
	return float64(n) / float64(span.Seconds), nil
}

var repeated = dialect.Lazy(` \(\d+\)$`)

var anyNumber = dialect.Lazy(`[0-9]+`)

// label brings a counter's printed name to a form in which levels agree. A
// label printed again in the same section, for each thread or queue, has its
// number in brackets.
func label(name string) string {
	name = repeated.ReplaceAllString(name, "")
	name = strings.ToLower(strings.Join(strings.Fields(name), " "))
	return strings.TrimSpace(strings.TrimSuffix(name, ":"))
}

// counterNamed finds counters by printed name: the key itself, or any key that
// ends in it after a dot. Alternatives are separated by "|", and # in one stands for
// any number: rx_queue_#_drops. What is found is summed; each counter has one key.
func counterNamed(counters inventory.Counters, names string, label func(string) string) (keys []string) {
	for name := range strings.SplitSeq(names, "|") {
		want := label(name)
		for key := range counters.All() {
			have := label(key)
			if strings.Contains(want, "#") {
				have = anyNumber.ReplaceAllString(have, "#")
			}
			under, ok := strings.CutSuffix(have, want)
			if ok && (under == "" || strings.HasSuffix(under, ".")) {
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	slices.Sort(keys)
	return keys
}
