package pathmtu

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Hop is an element of a way, and how sure it is that packets of the size wanted
// pass it whole.
type Hop struct {
	Ref   *model.Ref `json:"ref,omitempty"` // nil: no host's
	Kind  string     `json:"kind"`
	State State      `json:"state"`
	By    string     `json:"by"` // the witness, or what is missing
}

func (h Hop) String() string {
	if h.Ref == nil {
		return h.Kind
	}
	return h.Ref.String()
}

// State of a hop.
type State string

const (
	Proved  State = "proved"  // packets that were sent show it
	Implied State = "implied" // it follows from something else
	Open    State = "open"    // nothing shows it
)

// proof is the witness that packets of the size wanted arrived whole; empty if
// there is none.
func (w *Direction) proof() string {
	passed := func(x Probe) bool { return x.Size == w.Wanted && x.DF && x.Outcome == Passed }
	switch {
	case w.Verdict != Whole:
		return ""
	case slices.ContainsFunc(w.Probes, func(x Probe) bool { return passed(x) && x.Helper }):
		return fmt.Sprintf("packets of %d bytes with don't-fragment, sent by seaworthy-probe, are answered", w.Wanted)
	case slices.ContainsFunc(w.Probes, passed):
		return fmt.Sprintf("pings of %d bytes with don't-fragment are answered", w.Wanted)
	case w.Pieces != nil:
		return fmt.Sprintf("pings of %d bytes are answered, and neither did %s make fragments nor %s receive any (IP counters)",
			w.Wanted, w.From.Host, w.To.Host)
	}
	return ""
}

// judge gives all hops one state.
func (w *Direction) judge(state State, by string) {
	for i := range w.Hops {
		w.Hops[i].State, w.Hops[i].By = state, by
	}
}

// assess says of each hop how sure it is.
func (p Prober) assess(w *Direction, path *model.Path) {
	w.Hops = []Hop{}
	for _, h := range path.Hops {
		w.Hops = append(w.Hops, Hop{Ref: h.Ref, Kind: h.Kind})
	}
	switch proof := w.proof(); {
	case proof != "":
		w.judge(Proved, proof)
		p.oneOfSeveral(w, path)
	case w.Verdict == Whole:
		w.judge(Implied, "pings that may be fragmented are answered, and in a subnet nothing but the sender splits packets; "+
			"the IP counters of both ends do not show that it did not")
		p.oneOfSeveral(w, path)
	case w.Verdict == Arrives:
		w.judge(Open, "pings are answered, but ping cannot forbid fragments here, and the IP counters of both ends do not show "+
			"whether there were any")
	case w.Verdict == NoAnswer || w.Verdict == Unable:
		w.judge(Open, string(w.Verdict))
	default:
		p.assessFailed(w, path)
	}
}

// oneOfSeveral opens the members of an EtherChannel: packets between two
// addresses take one of them.
func (p Prober) oneOfSeveral(w *Direction, path *model.Path) {
	for i, h := range path.Hops {
		beside := i > 0 && path.Hops[i-1].Note == member || i+1 < len(path.Hops) && path.Hops[i+1].Note == member
		if h.Note == member && beside {
			w.Hops[i].State, w.Hops[i].By = Open, "packets take one member of the EtherChannel, and which is not shown"
		}
	}
}

// assessFailed says what is known of hops where not all packets pass.
func (p Prober) assessFailed(w *Direction, path *model.Path) {
	w.judge(Open, "the packets do not pass, and nothing shows whether they got here")
	near := true
	for i := range w.Hops {
		h := &w.Hops[i]
		if h.Ref == nil {
			near = near && h.Kind != model.EthernetSwitch
			continue
		}
		if n, ok := carries(p.Fleet.Element(*h.Ref)); ok && n >= w.Wanted {
			h.State, h.By = Implied, fmt.Sprintf("it is set to carry %d bytes", n)
		}
		for _, x := range w.Witnesses {
			if near && x.outcome(w.From) == Passed {
				h.State, h.By = Implied, fmt.Sprintf("%s takes %d bytes from %s, more than arrive", &x, x.Size, w.From.Host)
			}
		}
		for _, s := range w.Suspect {
			if s.Ref != nil && *s.Ref == *h.Ref {
				h.State, h.By = Open, s.Why
			}
		}
	}
}
