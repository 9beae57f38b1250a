package audit

import (
	"fmt"
	"strconv"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// level says whether the host's level is from (included) to below.
func (s *session) level(e *element, from, below string) (bool, error) {
	have := e.of.Level
	if e.of.Platform == inventory.VIOS {
		have = e.of.IOSLevel
	}
	if have == "" {
		return false, missing(describe(e, "software level", "oslevel -s, ioslevel"))
	}
	a, err := levelFrom(have, from)
	if err != nil {
		return false, missing(describe(e, err.Error(), ""))
	}
	b, err := levelFrom(have, below)
	if err != nil {
		return false, missing(describe(e, err.Error(), ""))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "oslevel -s", Text: "level " + have})
	return a && !b, nil
}

func levelFrom(have, from string) (bool, error) {
	c, err := catalog.CompareLevels(have, from)
	return c >= 0, err
}

// protocol gives a counter of the host's protocols: what was added between two
// snapshots, or the total. They have no age; a host whose counters fell was
// started again, or they were zeroed.
func (s *session) protocol(e *element, name string) (int, error) {
	v, ok := e.of.Protocols.Get(name)
	if !ok {
		return 0, missing(fmt.Sprintf("%s: %s (netstat -s)", e.Host, name))
	}
	s.seen.counters = true
	text := strconv.FormatUint(v, 10)
	if h := s.joins.earlier[e.Host]; h != nil {
		then, had := h.Protocols.Get(name)
		switch {
		case !had:
			return 0, missing(fmt.Sprintf("%s: growth of %s: the earlier snapshot does not have it", e.Host, name))
		case v < then || protocolsFell(e.of, h) || restarted(e.of, h):
			return 0, missing(fmt.Sprintf("%s: growth of %s: the counters began anew between the snapshots", e.Host, name))
		}
		v -= then
		text = span{grows: true, seconds: int64(between(e.of, h).Seconds())}.counted(v, false)
	} else {
		s.seen.totals = true
	}
	s.seen.add(Evidence{Host: e.Host, Command: "netstat -s", Text: name + ": " + text})
	return int(min(v, 1<<62)), nil
}

// entitled gives the processor capacity that the host's partition is entitled to.
func (s *session) entitled(e *element) (float64, error) {
	if v := e.of.Partition.Entitled; v != nil {
		return *v, nil
	}
	return 0, missing(e.Host + ": entitled (lparstat -i)")
}

func (s *session) virtualCPUs(e *element) (int, error) {
	if v := e.of.Partition.VirtualCPUs; v != nil {
		return *v, nil
	}
	return 0, missing(e.Host + ": virtual cpus (lparstat -i)")
}
