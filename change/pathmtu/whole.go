package pathmtu

import (
	"context"
	"log/slog"
	"slices"

	"seaworthy/inventory"
)

// whole has the helper on the sender, whose ping cannot forbid fragments, send packets
// that must not be split. It is believed once it has shown both: a packet above the
// sender's MTU is refused, and a small one is answered. done: the way is known.
func (p Prober) whole(ctx context.Context, w *Way, path *inventory.Path, top Probe) (done bool, err error) {
	if p.Whole == nil {
		return false, nil
	}
	send := func(size int) (Outcome, error) {
		p.alone.RLock()
		defer p.alone.RUnlock()
		return p.Whole(ctx, w.From.Host, w.Address, size)
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
func (p Prober) largest(ctx context.Context, w *Way, path *inventory.Path, top Probe, passes func(int) (bool, error)) (int, error) {
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
func sizes(f *inventory.Fleet, path *inventory.Path, top Probe) []int {
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
