package pathmtu

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/inventory"
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

// Asked is what became of the packets from one end.
type Asked struct {
	Host    string  `json:"host"`
	Outcome Outcome `json:"outcome"`
}

func (x *Witness) String() string { return fmt.Sprintf("%s (%s)", x.Address, x.Is) }

func (x *Witness) outcome(end inventory.Ref) Outcome {
	for _, a := range x.Asked {
		if a.Host == end.Host {
			return a.Outcome
		}
	}
	return ""
}

// probing is the size that witnesses are asked with: a quarter above what
// passes. Ports take a few bytes more than they are set to, and not the same
// inwards as outwards; and the less is asked of a witness, the more of them can
// answer.
func probing(w *Way) int { return min(w.Wanted, w.Largest+w.Largest/4) }

const (
	maxWitnesses = 8 // asked in all for one direction
	together     = 4 // at the same time: a session each
)

// ask asks witnesses, the surest first, until they show which end it is.
func (p Prober) ask(ctx context.Context, w *Way, near, far side) ([]Witness, error) {
	all, err := p.candidates(ctx, w, near, far)
	if err != nil {
		return nil, err
	}
	all = all[:min(maxWitnesses, len(all))]
	var done []Witness
	for group := range slices.Chunk(all, together) {
		errs := make([]error, len(group))
		var asking sync.WaitGroup
		for i := range group {
			asking.Go(func() { errs[i] = p.askOne(ctx, &group[i], near, far) })
		}
		asking.Wait()
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		done = append(done, group...)
		w.Witnesses = done
		if len(blame(w, near, far, sizeWords(w))) == 1 {
			break
		}
	}
	return done, nil
}

func (p Prober) askOne(ctx context.Context, x *Witness, near, far side) error {
	var ends errgroup.Group
	for i := range x.Asked {
		ends.Go(func() error {
			one, err := p.remember(ctx, x.Asked[i].Host, x.Address, x.Size)
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
		small, err := p.remember(ctx, asked.Host, x.Address, Smallest)
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

// remember sends packets that must not be fragmented where ping can say so, once
// for both ways.
func (p Prober) remember(ctx context.Context, host string, to netip.Addr, size int) (Probe, error) {
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
