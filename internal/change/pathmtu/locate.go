package pathmtu

import (
	"context"
	"fmt"
	"net/netip"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Suspect is an element that stops large packets, and why it is thought so.
type Suspect struct {
	Ref *model.Ref `json:"ref,omitempty"` // nil: no host's
	Is  string     `json:"is"`            // in words
	Why string     `json:"why"`
	// Port is the host's port at the other end of the cable, where it is a switch's.
	Port *model.Ref `json:"port,omitempty"`
}

// locate names what stops packets larger than those that pass: who reported
// it, else the first element that says it carries no more, else the switch.
func (p Prober) locate(ctx context.Context, w *Direction, path *model.Path) ([]Suspect, error) {
	if w.Pieces != nil && w.Pieces.Created > 0 {
		return []Suspect{{Ref: &w.From, Is: w.From.String(), Why: fmt.Sprintf("splits packets of %d bytes itself (its IP counters: "+
			"%d fragments created) although its MTU is read as that", w.Wanted, w.Pieces.Created)}}, nil
	}
	for _, one := range w.Probes {
		switch {
		case one.Outcome == Reported && one.By.IsValid():
			return []Suspect{p.topology().suspectAt(one.By)}, nil
		case one.Outcome == Refused && one.Size <= w.Wanted:
			return []Suspect{{Ref: &w.From, Is: w.From.String(), Why: fmt.Sprintf("refuses to send %d bytes although its MTU is read as %d",
				one.Size, w.Wanted)}}, nil
		}
	}
	for _, by := range []struct {
		size func(*model.Element) (int, bool)
		why  string
	}{
		{carries, "passes packets up to %d bytes only, as it says itself"},
		{setForBoot, "is set to pass packets up to %d bytes for the next boot, and what runs it does not show"},
	} {
		for _, h := range path.Hops {
			if h.Ref == nil {
				continue
			}
			if n, ok := by.size(p.Fleet.Element(*h.Ref)); ok && w.bounds(n) {
				return []Suspect{{Ref: h.Ref, Is: h.Ref.String(), Why: fmt.Sprintf(by.why, n)}}, nil
			}
		}
	}
	if w.Pieces != nil {
		// Other points take split packets too: they would show nothing.
		return []Suspect{{Is: "a router on the way", Why: fmt.Sprintf("packets of %d bytes arrive at %s in pieces (its IP counters: "+
			"%d fragments received), and %s does not make them", w.Wanted, w.To.Host, w.Pieces.Received, w.From.Host)}}, nil
	}
	return p.unseen(ctx, w, path)
}

// margin holds what elements pass beyond the size they are set to: tags, and the
// room that drivers leave.
const margin = 64

// bounds says whether an element that passes packets of n bytes can be what
// stops larger ones than were seen to pass.
func (w *Direction) bounds(n int) bool {
	return n < w.Wanted && n <= w.Largest && w.Largest < n+margin
}

// unseen blames what no host can see: the ports of the switch in between. Two
// ends alone cannot show whose port it is; a third point that takes such
// packets can.
func (p Prober) unseen(ctx context.Context, w *Direction, path *model.Path) ([]Suspect, error) {
	near, far := sides(path)
	if near.kind == "" {
		return []Suspect{{Is: "an element that was not read", Why: "all that were read say that they carry such packets"}}, nil
	}
	return p.askWitnesses(ctx, w, near, far, sizeWords(w), together, func(x *Witness) error { return p.askWitness(ctx, x, near, far) })
}

// member is the note of a path's hop that is a port of an EtherChannel.
const member = "member"

var lateWords = wording{"%s answers %s soon", "%s answers %s soon and %s late",
	", so that its port is in time; or a link inside the network is not",
	"the round trip is long", "the ports of both are in time"}

// Late names what makes the round trip of a path long, as far as the same third points
// show it that are asked about large packets: one that answers an end within limit ms
// is reached by no slow port. trip gives a round trip in ms; 0: no answer. None are
// named if the path crosses no switch.
func (p Prober) Late(
	ctx context.Context, path *model.Path, limit float64, trip func(ctx context.Context, host string, to netip.Addr) float64,
) ([]Suspect, error) {
	near, far := sides(path)
	if near.kind == "" {
		return nil, nil
	}
	p.links = graph.Of(p.Fleet)
	w := &Direction{From: path.From, To: path.To, Wanted: Smallest}
	return p.askWitnesses(ctx, w, near, far, lateWords, maxWitnesses, func(x *Witness) error {
		for i := range x.Asked {
			one := &x.Asked[i]
			switch ms := trip(ctx, one.Host, x.Address); {
			case ms == 0:
				one.Outcome = Silent
			case ms >= limit:
				one.Outcome = Lost
			default:
				one.Outcome = Passed
			}
		}
		return nil
	})
}
