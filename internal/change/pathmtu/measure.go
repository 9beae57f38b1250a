package pathmtu

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// Direction is one direction of a path.
type Direction struct {
	From    model.Ref  `json:"from"`
	To      model.Ref  `json:"to"`
	Address netip.Addr `json:"address"` // that was pinged
	Wanted  int        `json:"wanted"`  // the largest packet that the sender's interface sends
	Largest int        `json:"largest"` // the largest that passed; 0: none did
	Probes  []Probe    `json:"probes"`
	Pieces  *Pieces    `json:"fragments,omitempty"` // counted over packets of the size wanted that ping could not keep whole
	Verdict Verdict    `json:"verdict"`
	Hops    []Hop      `json:"hops"`               // how sure it is of each element that it carries what is wanted
	Suspect []Suspect  `json:"suspects,omitempty"` // the element that stops larger packets, or those it can be
	// Who was asked to show which of the switch's ports it is.
	Witnesses []Witness `json:"witnesses,omitempty"`
}

// Verdict on one direction.
type Verdict string

const (
	Whole      Verdict = "full-size packets pass"
	Arrives    Verdict = "arrives (not shown: unfragmented)"
	Rejected   Verdict = "too large packets are reported" // slower at first, then right
	BlackHole  Verdict = "too large packets vanish"       // connections hang
	Fragmented Verdict = "too large packets pass in fragments only"
	NoAnswer   Verdict = "no answer to small packets either"
	Unable     Verdict = "ping cannot be used"
)

// Smallest holds what every IPv4 host has to take.
const Smallest = 576

// Prober pings between the hosts of a fleet.
type Prober struct {
	Fleet *model.Fleet
	Hosts map[string]remote.Host
	// PlainPing are Linux hosts whose ping cannot forbid fragments.
	PlainPing map[string]bool
	// SendUnfragmented sends a packet of size bytes from a host and forbids fragments, where its
	// ping cannot. An error: it cannot either. Nil: nobody can.
	SendUnfragmented func(ctx context.Context, host string, to netip.Addr, size int) (Outcome, error)
	// Quick counts no fragments between two ends of one subnet, where no router can make any.
	Quick bool
	// Lost is called for each packet that was lost; nil: nobody asks.
	Lost func()

	links *graph.Graph  // of Fleet
	asked *sync.Map     // question to Probe: what witnesses answered, since the way back asks the same
	alone *sync.RWMutex // held while fragments are counted: no other ping of the prober may add to them
}

func (p Prober) topology() topology { return topology{p.Fleet, p.links} }

// Between measures both directions between two hosts, or host:interface, and
// names what stops the packets that do not pass.
func (p Prober) Between(ctx context.Context, a, b string) ([]Direction, error) {
	p.links = graph.Of(p.Fleet)
	p.asked, p.alone = new(sync.Map), new(sync.RWMutex)
	var ways [2]*Direction
	var errs [2]error
	var both sync.WaitGroup
	for i, ends := range [2][2]string{{a, b}, {b, a}} {
		both.Go(func() { ways[i], errs[i] = p.measureDirection(ctx, ends[0], ends[1]) })
	}
	both.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return nil, err
	}
	ways[0].weaken(ways[1])
	ways[1].weaken(ways[0])
	return []Direction{*ways[0], *ways[1]}, nil
}

// weaken takes back that packets arrive whole where nothing but the subnet says
// so, and the way back shows that somebody splits them or wants to.
func (w *Direction) weaken(back *Direction) {
	if w.Verdict == Whole && w.proof() == "" && (back.Verdict == Fragmented || back.Verdict == Rejected) {
		w.Verdict = Arrives
		w.judge(State(Open), "they arrive, but the way back shows that packets are split")
	}
}

func (p Prober) measureDirection(ctx context.Context, a, b string) (*Direction, error) {
	path, err := p.links.Path(a, b)
	if err != nil {
		return nil, fmt.Errorf("path %s to %s: %w", a, b, err)
	}
	target, err := p.Fleet.Target(path)
	if err != nil {
		return nil, err
	}
	w := &Direction{From: path.From, To: path.To, Probes: []Probe{}}
	if w.Address, err = netip.ParseAddr(target); err != nil || !w.Address.Is4() {
		return nil, fmt.Errorf("%s: %s is not an IPv4 address", path.To, target)
	}
	var known bool
	w.Wanted, known = carries(p.Fleet.Element(path.From))
	if !known {
		return nil, fmt.Errorf("%s: its MTU was not read", path.From)
	}
	if err := p.findLargest(ctx, w, path); err != nil {
		return nil, err
	}
	if w.Verdict == BlackHole || w.Verdict == Rejected || w.Verdict == Fragmented {
		if w.Suspect, err = p.locate(ctx, w, path); err != nil {
			return nil, err
		}
	}
	p.assess(w, path)
	return w, nil
}

// findLargest finds the largest packet that passes: at the sizes that the path's
// elements name, then in between. None is larger than the sender's own MTU.
func (p Prober) findLargest(ctx context.Context, w *Direction, path *model.Path) error {
	flag, err := p.flag(ctx, w)
	if err != nil {
		return err
	}
	small, err := p.ping(ctx, w, Smallest, flag)
	if err != nil {
		return err
	}
	switch small.Outcome {
	case Passed:
	case NotSent:
		w.Verdict = Unable
		return nil
	default:
		w.Verdict = NoAnswer
		return nil
	}
	top, err := p.ping(ctx, w, w.Wanted, flag)
	if err != nil {
		return err
	}
	if top.Outcome != Passed {
		if top.Outcome == Lost {
			w.Largest, err = p.searchVanishing(ctx, w, sizes(p.Fleet, path, top), flag)
		} else {
			w.Largest, err = p.largest(ctx, w, path, top, func(size int) (bool, error) {
				one, err := p.ping(ctx, w, size, flag)
				return one.Outcome == Passed, err
			})
		}
		if err != nil {
			return err
		}
		return p.judgeFailure(ctx, w, top)
	}
	w.Largest, w.Verdict = w.Wanted, Whole
	if top.DF || p.Quick && p.topology().sameSubnet(w) {
		return nil
	}
	if done, err := p.confirmUnfragmented(ctx, w, path, top); done || err != nil {
		return err
	}
	if w.Pieces, err = p.countPieces(ctx, w, w.Wanted); err != nil {
		return err
	}
	switch {
	case w.Pieces == nil && !p.topology().sameSubnet(w):
		w.Verdict = Arrives // a router may have split them
	case w.Pieces != nil && !w.Pieces.none():
		w.Verdict = Fragmented
		w.Largest, err = p.largest(ctx, w, path, top, func(size int) (bool, error) {
			got, err := p.countPieces(ctx, w, size)
			return got != nil && got.none(), err
		})
	}
	return err
}

// How often a packet is asked for again that did not come back.
const (
	hasty = 1 // not at all
	sure  = 2
)

// pingSizes asks about several sizes side by side.
func (p Prober) pingSizes(ctx context.Context, w *Direction, ask []int, flag string, tries int, known map[int]Probe) error {
	got := make([]Probe, len(ask))
	p.alone.RLock()
	defer p.alone.RUnlock()
	var group errgroup.Group
	group.SetLimit(together)
	for i, size := range ask {
		group.Go(func() (err error) {
			got[i], err = p.send(ctx, w.From.Host, w.Address, size, flag, tries)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, size := range ask {
		known[size] = got[i]
	}
	w.Probes = append(w.Probes, got...)
	return nil
}

// searchVanishing finds the largest packet that passes where larger ones vanish: each size
// that does costs a second, so several are asked about at once, and only the
// last is asked about again. The likely sizes come first.
func (p Prober) searchVanishing(ctx context.Context, w *Direction, likely []int, flag string) (int, error) {
	known, inHaste := map[int]Probe{}, map[int]bool{}
	likely = slices.DeleteFunc(likely, func(n int) bool { return n <= Smallest || n >= w.Wanted })
	if err := p.pingSizes(ctx, w, likely, flag, sure, known); err != nil {
		return 0, err
	}
	for {
		low, high := Smallest, w.Wanted
		for size, one := range known {
			if one.Outcome == Passed {
				low = max(low, size)
			}
		}
		for size, one := range known {
			if one.Outcome != Passed && size > low {
				high = min(high, size)
			}
		}
		if high-low == 1 {
			if !inHaste[high] {
				return low, nil
			}
			delete(inHaste, high)
			if err := p.pingSizes(ctx, w, []int{high}, flag, hasty, known); err != nil {
				return 0, err
			}
			continue
		}
		var ask []int
		for i := 1; i <= together; i++ {
			ask = append(ask, low+max(1, (high-low)*i/(together+1)))
		}
		ask = slices.DeleteFunc(slices.Compact(ask), func(n int) bool { return n >= high })
		for _, size := range ask {
			inHaste[size] = true
		}
		if err := p.pingSizes(ctx, w, ask, flag, hasty, known); err != nil {
			return 0, err
		}
	}
}

// judgeFailure says what becomes of packets that do not pass.
func (p Prober) judgeFailure(ctx context.Context, w *Direction, top Probe) error {
	w.Verdict = BlackHole
	if top.Outcome == Reported || top.Outcome == Refused {
		w.Verdict = Rejected
		return nil
	}
	if !top.DF {
		return nil // they were allowed to pass in fragments
	}
	loose, err := p.ping(ctx, w, w.Wanted, "")
	if err == nil && loose.Outcome == Passed {
		w.Verdict = Fragmented
	}
	return err
}

func (p Prober) ping(ctx context.Context, w *Direction, size int, flag string) (Probe, error) {
	p.alone.RLock()
	defer p.alone.RUnlock()
	one, err := p.send(ctx, w.From.Host, w.Address, size, flag, sure)
	if err == nil {
		w.Probes = append(w.Probes, one)
	}
	return one, err
}
