package pathmtu

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Witness is an address beyond the switch that was asked whether larger packets
// reach it. It needs no login: an answer to a ping is enough.
type Witness struct {
	Address netip.Addr `json:"address"`
	Is      string     `json:"is"`   // in words: the default gateway, vios2:en5
	Size    int        `json:"size"` // of the IP packets, which must not be fragmented
	Asked   []Asked    `json:"asked"`
	Shows   string     `json:"shows"` // in words

	// It is with the far end, on the same switch port.
	behind bool
}

// Asked holds what became of the packets from one end.
type Asked struct {
	Host    string  `json:"host"`
	Outcome Outcome `json:"outcome"`
}

func (x *Witness) String() string { return fmt.Sprintf("%s (%s)", x.Address, x.Is) }

const (
	maxWitnesses = 8 // asked in all for one direction
	together     = 4 // at the same time: a session each
)

// askWitnesses calls one for each witness, the surest first and atOnce at a time, until they show
// which end it is.
func (p Prober) askWitnesses(
	ctx context.Context, w *Direction, near, far side, say wording, atOnce int, one func(*Witness) error,
) ([]Suspect, error) {
	all, err := p.candidates(ctx, w, near, far)
	if err != nil {
		return nil, err
	}
	for group := range slices.Chunk(all[:min(maxWitnesses, len(all))], atOnce) {
		var asking errgroup.Group
		for i := range group {
			asking.Go(func() error { return one(&group[i]) })
		}
		if err := asking.Wait(); err != nil {
			return nil, err
		}
		w.Witnesses = append(w.Witnesses, group...)
		if len(blame(w, near, far, say)) == 1 {
			break
		}
	}
	return blame(w, near, far, say), nil
}

func (p Prober) askWitness(ctx context.Context, x *Witness, near, far side) error {
	var ends errgroup.Group
	for i := range x.Asked {
		ends.Go(func() error {
			one, err := p.cachedPing(ctx, x.Asked[i].Host, x.Address, x.Size)
			x.Asked[i].Outcome = one.Outcome
			return err
		})
	}
	if err := ends.Wait(); err != nil {
		return err
	}
	passed := slices.ContainsFunc(x.Asked, func(a Asked) bool { return a.Outcome == Passed })
	for i, asked := range x.Asked {
		if !passed || asked.Outcome != Lost {
			continue
		}
		// One that does not answer this end at all says nothing about sizes.
		small, err := p.cachedPing(ctx, asked.Host, x.Address, Smallest)
		if err != nil {
			return err
		}
		if small.Outcome != Passed {
			x.Asked[i].Outcome = Silent
		}
	}
	a, b := x.outcome(near.end), x.outcome(far.end)
	from, other, outcome := near.end.Host, far.end.Host, b
	if a != Passed {
		from, other, outcome = other, from, a
	}
	switch {
	case !passed:
		x.Shows = "answers none: it may not take them itself, so this shows nothing"
	case outcome == Passed:
		x.Shows = "takes them from both"
	case outcome == Lost:
		x.Shows = fmt.Sprintf("takes them from %s, not from %s", from, other)
	default:
		x.Shows = "takes them from " + from
	}
	return nil
}

type question struct {
	host string
	to   netip.Addr
	size int
}

// cachedPing sends packets that must not be fragmented where ping can say so, once
// for both ways.
func (p Prober) cachedPing(ctx context.Context, host string, to netip.Addr, size int) (Probe, error) {
	q := question{host, to, size}
	if one, known := p.asked.Load(q); known {
		return one.(Probe), nil
	}
	p.alone.RLock()
	defer p.alone.RUnlock()
	one, err := p.send(ctx, host, to, size, p.login(p.Fleet.Host(host)).DontFragment(), sure)
	if err == nil {
		p.asked.Store(q, one)
	}
	return one, err
}

// wording is for what witnesses show, of packets that pass or are in time.
type wording struct {
	takes    string // WITNESS takes them from HOST
	one      string // WITNESS takes them from HOST and not from the other
	inwards  string // of a port that is well: a link behind it can be at fault
	neither  string // what the ends themselves show
	together string // the ports of both are well
}

func sizeWords(w *Direction) wording {
	takes := fmt.Sprintf("%%s takes %d bytes from %%s", probing(w))
	return wording{takes, takes + " and not from %s",
		", so that its port passes them; or a link inside the network does not",
		"no host shows which element stops them", "the ports of both pass them inwards"}
}

// blame says what the witnesses have shown, and no more: an end whose packets
// arrive somewhere beyond the switch is well as far as that; one whose packets
// do not arrive where the other's do is not. A packet that nobody gets through
// to a witness says nothing, since the witness may not take it.
func blame(w *Direction, near, far side, say wording) []Suspect {
	var a, b verdictOf
	var inside *Witness
	for i := range w.Witnesses {
		x := &w.Witnesses[i]
		n, f := x.outcome(w.From), x.outcome(w.To)
		a.hear(x, n, f)
		b.hear(x, f, n)
		if x.behind && n == Passed {
			inside = x
		}
	}
	takes := func(by *Witness, from side) string { return fmt.Sprintf(say.takes, by, from.end.Host) }
	several := len(near.ports) > 1 || len(far.ports) > 1
	switch {
	case b.bad != nil && a.bad == nil:
		return []Suspect{far.suspect(fmt.Sprintf(say.one, b.bad, near.end.Host, far.end.Host))}
	case a.bad != nil && b.bad == nil:
		return []Suspect{near.suspect(fmt.Sprintf(say.one, a.bad, far.end.Host, near.end.Host))}
	case inside != nil && !several:
		return []Suspect{{Is: fmt.Sprintf("what is between %s and %s", inside.Is, far.end),
			Why: takes(inside, near) + ", by the same switch ports"}}
	case a.good != nil && b.good != nil && !several:
		return []Suspect{{Is: "a link inside the network, between " + near.name() + " and " + far.name(),
			Why: fmt.Sprintf("%s, and %s from %s: %s", takes(a.good, near), b.good, far.end.Host, say.together)}}
	case a.good != nil && b.good == nil && len(near.ports) < 2:
		return []Suspect{far.suspect(takes(a.good, near) + say.inwards)}
	case b.good != nil && a.good == nil && len(far.ports) < 2:
		return []Suspect{near.suspect(takes(b.good, far) + say.inwards)}
	}
	reason := say.neither + "; the other hosts of the subnet do not show which of the two"
	if len(w.Witnesses) == 0 {
		reason = say.neither + "; no other host of the subnet is known that could show which of the two"
	}
	return []Suspect{near.suspect(reason), far.suspect(reason)}
}

// verdictOf an end: who has shown that its packets pass, and who that they do
// not although those of the other end do.
type verdictOf struct{ good, bad *Witness }

func (v *verdictOf) hear(x *Witness, own, other Outcome) {
	switch {
	case own == Passed && v.good == nil:
		v.good = x
	case own == Lost && other == Passed && v.bad == nil:
		v.bad = x
	}
}
