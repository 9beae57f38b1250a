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

// between reads the hosts of a plan and those that carry a proof's packets,
// though the plan may not touch them. Who cannot be read is left out.
func (r *Runner) between(ctx context.Context, p *Plan, of Proof, read Reader) []*inventory.Host {
	names := slices.Concat(p.Hosts, of.Via)
	slices.Sort(names)
	names = slices.Compact(names)
	all := make([]*inventory.Host, len(names))
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	_ = each(names, func(name string) error { // each error is a host that is left out
		h, err := r.visit(ctx, name, read)
		if err == nil {
			all[at[name]] = h
		}
		return err
	})
	return slices.DeleteFunc(all, func(h *inventory.Host) bool { return h == nil })
}

// visit reads a host, one to which there is no connection over a new one.
func (r *Runner) visit(ctx context.Context, name string, read Reader) (*inventory.Host, error) {
	if r.Hosts[name] != nil || r.Fresh == nil || r.ReadOver == nil {
		return read(ctx, name)
	}
	h, err := r.Fresh(ctx, name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return r.ReadOver(ctx, h)
}

// searching is how long an undo waits for the name of what stops the packets:
// it can be found only while they are sent.
const searching = 30 * time.Second

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
	prober := pathmtu.Prober{Fleet: &inventory.Fleet{Hosts: r.between(ctx, p, u.of, read)}, Hosts: map[string]remote.Host{}}
	for _, name := range ends {
		if prober.Fleet.Host(name) == nil {
			return failure
		}
	}
	prober.Fleet.Complete()
	for _, name := range ends {
		prober.Hosts[name] = r.Hosts[name]
		if connect == nil || r.Hosts[name] == nil {
			continue
		}
		h, err := connect(ctx, name)
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
