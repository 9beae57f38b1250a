package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/change/pathmtu"
	"seaworthy/change/plan"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// probeFailure is a proof that does not hold.
type probeFailure struct {
	of  plan.Proof
	err error
}

func (u *probeFailure) Error() string { return u.err.Error() }
func (u *probeFailure) Unwrap() error { return u.err }

// relatedHosts are the hosts of a plan, the two ends of a proof and those that carry
// its packets, though the plan may not touch them, as far as they can be read.
func (r *Runner) relatedHosts(ctx context.Context, p *plan.Plan, of plan.Proof, read Reader) *inventory.Fleet {
	names := slices.Concat(p.Hosts, of.Via, []string{of.Host, of.Peer.Host})
	slices.Sort(names)
	names = slices.Compact(names)
	if r.Survey != nil {
		if f, err := r.Survey(ctx, names); err == nil {
			return f
		}
	}
	f := &inventory.Fleet{}
	for _, name := range names {
		if r.Hosts[name] == nil {
			continue
		}
		if h, err := read(ctx, name); err == nil {
			f.Hosts = append(f.Hosts, h)
		}
	}
	return f
}

// searching is how long an undo waits for the name of what stops the packets:
// it can be found only while they are sent.
const searching = 45 * time.Second

// located says of packets that did not arrive which element stops them, or what
// to look at where none is found. connect, which may be nil, gives a connection
// that works now.
func (r *Runner) located(ctx context.Context, p *plan.Plan, failure error, read Reader,
	connect func(context.Context, string) (remote.Host, error)) error {
	var u *probeFailure
	if !errors.As(failure, &u) {
		return failure
	}
	ctx, cancel := context.WithTimeout(ctx, searching)
	defer cancel()
	way, err := r.locate(ctx, p, u.of, read, connect)
	if err != nil {
		return fmt.Errorf("%w. What stops them was not found (%w): %s", failure, err, places(u.of))
	}
	return fmt.Errorf("%w. %s", failure, stopped(u.of, way))
}

// locate measures the way of a proof while its packets are still sent.
func (r *Runner) locate(ctx context.Context, p *plan.Plan, of plan.Proof, read Reader,
	connect func(context.Context, string) (remote.Host, error)) (*pathmtu.Way, error) {
	ends := []string{of.Host, of.Peer.Host}
	prober := pathmtu.Prober{Fleet: r.relatedHosts(ctx, p, of, read), Hosts: map[string]remote.Host{}}
	for _, name := range ends {
		if prober.Fleet.Host(name) == nil {
			return nil, fmt.Errorf("%s could not be read", name)
		}
	}
	prober.Fleet.MergeHMC()
	for _, name := range ends {
		prober.Hosts[name] = r.Hosts[name]
		again := connect
		if r.Hosts[name] == nil {
			again = r.Fresh // the peer may be no host of the plan
		}
		if again == nil {
			continue
		}
		h, err := again(ctx, name)
		if err != nil {
			return nil, remote.On(name, err)
		}
		if h != r.Hosts[name] {
			defer h.Close()
		}
		prober.Hosts[name] = h
	}
	ways, err := prober.Between(ctx, of.Host+":"+of.Element, of.Peer.String())
	if err != nil {
		return nil, err
	}
	return &ways[0], nil
}

// stopped says what a search along a proof's way has shown.
func stopped(p plan.Proof, w *pathmtu.Way) string {
	var names []string
	for _, x := range w.Suspect {
		names = append(names, x.Is)
	}
	switch {
	case len(names) > 0:
		return fmt.Sprintf("What stops them is %s: %s", strings.Join(names, " or "), w.Suspect[0].Why)
	case w.Verdict == pathmtu.Whole && w.Wanted >= p.Bytes:
		return "Tried once more they arrived: a link or a switch needed longer than usual after the change; apply again"
	case w.Verdict == pathmtu.NoAnswer:
		return fmt.Sprintf("Small packets get no answer either: look whether %s is up, and whether %s answers a ping at all", p.Peer, p.To)
	case w.Verdict == pathmtu.Unable:
		return fmt.Sprintf("ping cannot be used on %s, so nothing is proved: %s", p.Host, w.Probes[len(w.Probes)-1].Said)
	}
	return "What stops them was not found: " + places(p)
}

// places are what a person can look at.
func places(p plan.Proof) string {
	hosts := slices.Concat([]string{p.Host}, p.Via, []string{p.Peer.Host})
	hosts = slices.DeleteFunc(hosts, func(h string) bool { return h == "" })
	return fmt.Sprintf("look at jumbo_frames and mtu on %s, and at the switch's ports between them", strings.Join(hosts, ", "))
}
