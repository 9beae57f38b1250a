package pathmtu

import (
	"context"
	"log/slog"
	"slices"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/linewise"
)

// Pieces are fragments that were counted while packets were sent: the second
// witness where ping cannot forbid them.
type Pieces struct {
	Created  uint64 `json:"created"`  // by the sender
	Received uint64 `json:"received"` // by the far end
}

func (p *Pieces) none() bool { return p.Created == 0 && p.Received == 0 }

// tries of a count: other packets of a busy host come in pieces too.
const tries = 3

// countPieces sends packets that may be fragmented and counts the pieces. One count
// without any proves that they were whole. nil: it cannot be counted, or what
// grew may belong to other packets.
func (p Prober) countPieces(ctx context.Context, w *Direction, size int) (*Pieces, error) {
	got, err := p.count(ctx, w, size)
	if err != nil || got == nil || got.none() {
		return got, err
	}
	// Small packets in between: the same growth shows that it is not of ours.
	other, err := p.count(ctx, w, Smallest)
	if err != nil || other == nil || !other.none() {
		return nil, err
	}
	return got, nil
}

// count counts pieces over a ping, up to the first count without any.
func (p Prober) count(ctx context.Context, w *Direction, size int) (got *Pieces, err error) {
	p.alone.Lock()
	defer p.alone.Unlock()
	for range tries {
		before, err := p.pieces(ctx, w)
		if err != nil || before == nil {
			return nil, err
		}
		one, err := p.send(ctx, w.From.Host, w.Address, size, "", sure)
		if err != nil {
			return nil, err
		}
		after, err := p.pieces(ctx, w)
		if err != nil || after == nil {
			return nil, err
		}
		if one.Outcome != Passed || after.Created < before.Created || after.Received < before.Received {
			return nil, nil // lost by chance, or reset meanwhile
		}
		got = (&Pieces{after.Created - before.Created, after.Received - before.Received})
		if got.none() {
			return got, nil
		}
	}
	return got, nil
}

// pieces reads the counters of both ends; nil if one of them does not show them.
func (p Prober) pieces(ctx context.Context, w *Direction) (*Pieces, error) {
	from, err := p.counters(ctx, w.From.Host)
	if err != nil || from == nil {
		return nil, err
	}
	to, err := p.counters(ctx, w.To.Host)
	if err != nil || to == nil {
		return nil, err
	}
	return &Pieces{from.Created, to.Received}, nil
}

// counters are the fragments that a host made and got; nil if it does not show them.
func (p Prober) counters(ctx context.Context, name string) (*Pieces, error) {
	res, err := p.runCommand(ctx, name, task.Login.IPCounters, 1<<20)
	if err != nil || res == nil {
		return nil, err
	}
	return parsePieces(res.Stdout), nil
}

// parsePieces reads netstat -s of AIX or /proc/net/snmp.
func parsePieces(text []byte) *Pieces {
	var made, got uint64
	var ok, there bool
	if t, err := linewise.ParseProcNet(text); err == nil {
		all := t.Counters()
		made, ok = all["Ip.FragCreates"]
		got, there = all["Ip.ReasmReqds"]
	} else if t, err := protocols.Parse(text); err == nil {
		made, ok = t.Get("ip", "fragments_created")
		got, there = t.Get("ip", "fragments_received")
	}
	if !ok || !there {
		return nil
	}
	return &Pieces{made, got}
}

// confirmUnfragmented has the helper on the sender, whose ping cannot forbid fragments, send packets
// that must not be split. It is believed once it has shown both: a packet above the
// sender's MTU is refused, and a small one is answered. done: the way is known.
func (p Prober) confirmUnfragmented(ctx context.Context, w *Direction, path *model.Path, top Probe) (done bool, err error) {
	if p.SendUnfragmented == nil {
		return false, nil
	}
	send := func(size int) (Outcome, error) {
		p.alone.RLock()
		defer p.alone.RUnlock()
		return p.SendUnfragmented(ctx, w.From.Host, w.Address, size)
	}
	for _, check := range []struct {
		size int
		want Outcome
	}{{w.Wanted + 1, Refused}, {Smallest, Passed}} {
		got, err := send(check.size)
		if err != nil || got != check.want {
			slog.DebugContext(ctx, "no packets with don't-fragment", "host", w.From.Host, "size", check.size, "outcome", got, "error", err)
			return false, ctx.Err()
		}
	}
	got, err := send(w.Wanted)
	if err != nil {
		return false, ctx.Err()
	}
	w.Probes = append(w.Probes, Probe{Size: w.Wanted, DF: true, Outcome: got, Helper: true})
	switch got {
	case Passed:
		return true, nil
	case Reported: // and yet pings arrive: in fragments
		w.Verdict = Fragmented
		w.Largest, err = p.largest(ctx, w, path, top, func(size int) (bool, error) {
			got, err := send(size)
			return got == Passed, err
		})
		return true, err
	}
	return false, nil // lost shows nothing alone: answers are limited and filtered
}

// largest finds the largest packet that passes, between the smallest, which
// does, and the one wanted, which does not.
func (p Prober) largest(ctx context.Context, w *Direction, path *model.Path, top Probe, passes func(int) (bool, error)) (int, error) {
	low, high := Smallest, w.Wanted
	try := func(size int) error {
		if size <= low || size >= high {
			return nil
		}
		ok, err := passes(size)
		if ok {
			low = size
		} else {
			high = size
		}
		return err
	}
	for _, size := range sizes(p.Fleet, path, top) {
		if err := try(size); err != nil {
			return 0, err
		}
	}
	for high-low > 1 {
		if err := try(low + (high-low)/2); err != nil {
			return 0, err
		}
	}
	return low, nil
}

// sizes are those worth trying first, largest first.
func sizes(f *model.Fleet, path *model.Path, top Probe) []int {
	all := []int{1500, top.MTU} // 0 is not tried
	for _, h := range path.Hops {
		if h.Ref == nil {
			continue
		}
		if n, ok := carries(f.Element(*h.Ref)); ok {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	var out []int
	for _, n := range slices.Compact(all) {
		for _, more := range []int{0, 1, 4, 5} { // some ports pass four bytes more: room for a VLAN tag
			if !slices.Contains(out, n+more) {
				out = append(out, n+more)
			}
		}
	}
	return out
}
