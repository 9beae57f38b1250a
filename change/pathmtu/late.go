package pathmtu

import (
	"context"
	"net/netip"
	"sync"

	"seaworthy/inventory"
)

var lateWords = words{"%s answers %s soon", "%s answers %s soon and %s late",
	", so that its port is in time; or a link inside the network is not",
	"the round trip is long", "the ports of both are in time"}

// Late names what makes the round trip of a path long, as far as the same third points
// show it that are asked about large packets: one that answers an end within limit ms
// is reached by no slow port. trip gives a round trip in ms; 0: no answer. None are
// named if the path crosses no switch.
func (p Prober) Late(
	ctx context.Context, path *inventory.Path, limit float64, trip func(ctx context.Context, host string, to netip.Addr) float64,
) ([]Suspect, error) {
	near, far := sides(path)
	if near.kind == "" {
		return nil, nil
	}
	w := &Way{From: path.From, To: path.To, Wanted: Smallest}
	all, err := p.candidates(ctx, w, near, far)
	if err != nil {
		return nil, err
	}
	w.Witnesses = all[:min(maxWitnesses, len(all))]
	var asking sync.WaitGroup
	for i := range w.Witnesses {
		x := &w.Witnesses[i]
		asking.Go(func() {
			for k := range x.Asked {
				one := &x.Asked[k]
				switch ms := trip(ctx, one.Host, x.Address); {
				case ms == 0:
					one.Outcome = Silent
				case ms >= limit:
					one.Outcome = Lost
				default:
					one.Outcome = Passed
				}
			}
		})
	}
	asking.Wait()
	return blame(w, near, far, lateWords), nil
}
