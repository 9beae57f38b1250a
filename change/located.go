package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/change/pathmtu"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// unproved is a proof that does not hold.
type unproved struct {
	of  Proof
	err error
}

func (u *unproved) Error() string { return u.err.Error() }
func (u *unproved) Unwrap() error { return u.err }

// around are the hosts of a plan, the two ends of a proof and those that carry
// its packets, though the plan may not touch them, as far as they can be read.
func (r *Runner) around(ctx context.Context, p *Plan, of Proof, read Reader) *inventory.Fleet {
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

// located says of packets that did not arrive which element stops them.
// connect, which may be nil, gives a connection that works now.
func (r *Runner) located(ctx context.Context, p *Plan, failure error, read Reader, connect func(context.Context, string) (remote.Host, error)) error {
	var u *unproved
	if !errors.As(failure, &u) || u.of.Peer.Host == "" {
		return failure
	}
	ctx, cancel := context.WithTimeout(ctx, searching)
	defer cancel()
	ends := []string{u.of.Host, u.of.Peer.Host}
	prober := pathmtu.Prober{Fleet: r.around(ctx, p, u.of, read), Hosts: map[string]remote.Host{}}
	for _, name := range ends {
		if prober.Fleet.Host(name) == nil {
			return failure
		}
	}
	prober.Fleet.Complete()
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
			return failure
		}
		if h != r.Hosts[name] {
			defer h.Close()
		}
		prober.Hosts[name] = h
	}
	ways, err := prober.Between(ctx, u.of.Host+":"+u.of.Element, u.of.Peer.String())
	if err != nil {
		return failure
	}
	var names []string
	for _, x := range ways[0].Suspect {
		names = append(names, x.Is)
	}
	if len(names) == 0 {
		return failure
	}
	return fmt.Errorf("%w. What stops them is %s: %s", failure, strings.Join(names, " or "), ways[0].Suspect[0].Why)
}
