package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
)

// printed are the commands that print counters, by how their names begin.
var printed = []struct{ prefix, command string }{
	{"qdisc_", "tc -s qdisc"}, {"TcpExt.", "cat /proc/net/netstat"}, {"IpExt.", "cat /proc/net/netstat"},
	{"softnet.", "cat /proc/net/softnet_stat"}, {"arp.", "cat /proc/net/stat/arp_cache"},
	{"conntrack.", "conntrack -S"}, {"xfrm.", "cat /proc/net/xfrm_stat"}, {"ovs.", "ovs-dpctl show"},
	{"firewall.", "iptables -L -v -n, or nft list ruleset"},
}

// fromTables are the commands that print what netstat -s and nstat print of the protocols as well.
var fromTables = map[string]bool{"cat /proc/net/snmp": true, "cat /proc/net/netstat": true}

// countedBy is the command that prints a counter: aix on AIX, on Linux the one for its
// name, else linux.
func countedBy(e *graph.Element, name, aix, linux string) string {
	for _, x := range printed {
		if e.Linux() && strings.HasPrefix(name, x.prefix) {
			return x.command
		}
	}
	if e.Linux() {
		return linux
	}
	return aix
}

func hasCounter(s *Session, e *graph.Element, names string) (bool, error) {
	keys, _, err := countersOf(s, e, names)
	return len(keys) > 0, err
}

// countersOf finds the counters of an element that an expression asks for: by printed names, or by a fact of
// knowledge's port counters, @fact, whose names are given too.
func countersOf(s *Session, e *graph.Element, asked string) (keys []string, names string, err error) {
	fact, is := strings.CutPrefix(asked, "@")
	if !is {
		return counterNamed(e.Is.Counters, asked, s.labels), asked, nil
	}
	known, ok := s.portCounters.Find(fact)
	if !ok {
		return nil, "", fmt.Errorf("%q is no fact that ports count (portcounters.yaml)", fact)
	}
	names = strings.Join(known.Names, "|")
	if !known.First {
		return counterNamed(e.Is.Counters, names, s.labels), names, nil
	}
	for _, name := range known.Names {
		keys = counterNamed(e.Is.Counters, name, s.labels)
		if len(keys) > 0 {
			break
		}
	}
	return keys, names, nil
}

// counterSum gives the sum of the counters of that printed name: what was added
// between two snapshots, or the total since the counters were reset.
func counterSum(s *Session, e *graph.Element, names string) (int, error) {
	keys, names, err := countersOf(s, e, names)
	if err != nil {
		return 0, err
	}
	if len(keys) == 0 {
		return 0, e.Missing("counter "+strings.ReplaceAll(names, "|", " or "), countedBy(e, names, "entstat -d "+e.Name, "ethtool -S "+e.Name))
	}
	over := counterSpan(s, e)
	s.Seen.Totals = s.Seen.Totals || !over.Grows
	sum := 0
	for _, key := range keys {
		now, _ := e.Is.Counters.Get(key)
		n, wrapped, gap := over.Gained(key, now)
		if gap != "" {
			return 0, e.Missing("growth of "+growth.Label(key)+": "+gap, "")
		}
		if n > 0 || !strings.Contains(names, "#") || len(keys) < 4 { // of many queues those that count
			from := e.Is.Source(key)
			by := countedBy(e, key, cmp.Or(from, "entstat -d "+e.Name), cmp.Or(from, "ethtool -S "+e.Name))
			s.evidence(e, by, "%s %s: %s", e.Name, growth.Label(key), over.Text(n, wrapped))
		}
		sum += int(min(n, 1<<62))
		s.Seen.Grew = s.Seen.Grew || over.Grows && n > 0
	}
	return sum, nil
}

// counterSpan says over which time e's counters count.
func counterSpan(s *Session, e *graph.Element) growth.Span {
	return growth.OfElement(e.Is, e.Of, s.Before[e.Host])
}

// protocolCounter gives a counter of the host's protocols: what it gained since an
// earlier snapshot, or the total.
func protocolCounter(s *Session, e *graph.Element, name string) (int, error) {
	by := countedBy(e, name, "netstat -s", "cat /proc/net/snmp")
	if asked := e.Of.ProtocolsBy; asked != "" && fromTables[by] {
		by = asked
	}
	n, text, gap, ok := growth.Protocol(e.Of, s.Before[e.Host], name)
	switch {
	case !ok:
		return 0, &graph.Missing{Fact: fmt.Sprintf("%s: %s (%s)", e.Host, name, by)}
	case gap != "":
		return 0, &graph.Missing{Fact: fmt.Sprintf("%s: growth of %s: %s", e.Host, name, gap)}
	}
	s.Seen.Totals = s.Seen.Totals || s.Before[e.Host] == nil
	s.Seen.Grew = s.Seen.Grew || s.Before[e.Host] != nil && n > 0
	s.evidence(e, by, "%s: %s", name, text)
	return int(min(n, 1<<62)), nil
}

// ppm gives how many of a million were bad: the counters of one name, or fact, against
// those of another, over the same time.
func ppm(s *Session, e *graph.Element, bad, all string) (float64, error) {
	b, err := counterSum(s, e, bad)
	n, err2 := counterSum(s, e, all)
	if err := cmp.Or(err, err2); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, e.Missing(all+": none were counted", "")
	}
	return 1e6 * float64(b) / float64(n), nil
}

// perSecond gives how fast the counters of a name grew between two snapshots.
func perSecond(s *Session, e *graph.Element, names string) (float64, error) {
	n, err := counterSum(s, e, names)
	if err != nil {
		return 0, err
	}
	span := counterSpan(s, e)
	if !span.Grows || span.Seconds == 0 {
		return 0, e.Missing("time between the snapshots", "")
	}
	return float64(n) / float64(span.Seconds), nil
}

var repeated = parse.Lazy(` \(\d+\)$`)

var anyNumber = parse.Lazy(`[0-9]+`)

// label brings a counter's printed name to a form in which levels agree. A
// label printed again in the same section, for each thread or queue, has its
// number in brackets. A fleet has few names of counters and asks for them often.
func label(name string, known map[string]string) string {
	l, ok := known[name]
	if !ok {
		l = strings.ToLower(strings.Join(strings.Fields(repeated.ReplaceAllString(name, "")), " "))
		l = strings.TrimSpace(strings.TrimSuffix(l, ":"))
		known[name] = l
	}
	return l
}

// counterNamed finds counters by printed name: the key itself, or any key that
// ends in it after a dot. Alternatives are separated by "|", and # in one stands for
// any number: rx_queue_#_drops. What is found is summed; each counter has one key.
func counterNamed(counters model.Counters, names string, labels map[string]string) (keys []string) {
	for name := range strings.SplitSeq(names, "|") {
		want := label(name, labels)
		for key := range counters.All() {
			have := label(key, labels)
			if strings.Contains(want, "#") {
				have = anyNumber.ReplaceAllString(have, "#")
			}
			under, ok := strings.CutSuffix(have, want)
			if ok && (under == "" || strings.HasSuffix(under, ".")) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}
