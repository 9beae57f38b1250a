package diagnose

import (
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// oversized is how many echo requests diagnose itself sent that were larger than what
// passes, and were lost for that.
func oversized(all []Measured) uint64 {
	var n uint64
	for _, m := range all {
		if m.MTU == nil || m.MTU.Largest == 0 {
			continue
		}
		for _, p := range m.MTU.Probes {
			if p.Size > m.MTU.Largest && p.Outcome == pathmtu.Lost {
				n += lostPerProbe
			}
		}
		for _, w := range m.MTU.Witnesses {
			for _, a := range w.Asked {
				if a.Outcome == pathmtu.Lost && w.Size > m.MTU.Largest {
					n += lostPerProbe
				}
			}
		}
		n += uint64(max(0, m.LargeSent-m.LargePassed))
	}
	return n
}

// lostPerProbe bounds the packets of a probe: one, and two more where that was lost.
const lostPerProbe = 3

// withoutOwn is the earlier reading with the counters raised by what diagnose's own
// packets added to them since: no growth is left of it. Nil: there is no earlier one.
func withoutOwn(in Input, causes []knowledge.Cause) *model.Fleet {
	measured := in.Measured
	if !in.Live { // collect pinged after it had read
		measured = in.Earlier
	}
	n := oversized(measured)
	if in.Before == nil || n == 0 {
		return in.Before
	}
	out := *in.Before
	out.Hosts = nil
	for _, h := range in.Before.Hosts {
		c := *h
		c.Elements = map[string]*model.Element{}
		for name, e := range h.Elements {
			c.Elements[name] = raised(e, in.Fleet.Element(model.Ref{Host: h.Name, Element: name}), causes, n)
		}
		out.Hosts = append(out.Hosts, &c)
	}
	return &out
}

// raised is an element with n packets more on the counters that oversized packets raise,
// and no more than the later reading has.
func raised(e, later *model.Element, causes []knowledge.Cause, n uint64) *model.Element {
	if e == nil || later == nil {
		return e
	}
	more := map[string]uint64{}
	for _, cause := range causes {
		for _, name := range cause.Oversized {
			before, ok := e.Counters.Get(name)
			now, ok2 := later.Counters.Get(name)
			if ok && ok2 && now > before {
				more[name] = before + min(now-before, n)
			}
		}
	}
	if len(more) == 0 {
		return e
	}
	c := *e
	c.Counters = e.Counters.With(more)
	return &c
}
