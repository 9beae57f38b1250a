package past

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/graph"
)

// mostRead bounds how many hosts are read to find a path among them.
const mostRead = 500

// OfSystem gives the hosts of a managed system as known at a time, at most MostHosts of them;
// more says how many there are besides.
func OfSystem(ctx context.Context, store *history.Store, at time.Time, system string) (hosts []string, more int, err error) {
	hosts, err = store.HostsWith(ctx, at, []history.Condition{{Attribute: diff.ManagedSystem, Values: []string{system}}})
	if len(hosts) > MostHosts {
		hosts, more = hosts[:MostHosts], len(hosts)-MostHosts
	}
	return hosts, more, err
}

// Systems gives the managed systems of the hosts, at most n of them.
func Systems(ctx context.Context, store *history.Store, n int) ([]string, error) {
	return store.Values(ctx, diff.ManagedSystem, n)
}

// OnPath gives the hosts on the path between two interfaces (HOST or HOST:INTERFACE), as it was at a time.
func OnPath(ctx context.Context, store *history.Store, at time.Time, from, to string) ([]string, error) {
	ends := []string{hostOf(from), hostOf(to)}
	near, err := store.Beside(ctx, at, diff.ManagedSystem, ends)
	if err != nil {
		return nil, err
	}
	if len(near) > mostRead {
		return nil, fmt.Errorf("the managed systems of %s and %s have %d hosts: more than are read to find a path", ends[0], ends[1], len(near))
	}
	list, err := store.Latest(ctx, at, near)
	if err != nil {
		return nil, err
	}
	lives, err := restore(ctx, store, list)
	if err != nil {
		return nil, err
	}
	f, err := collect.Assemble(lives)
	if err != nil {
		return nil, err
	}
	links, err := graph.New(ctx, f)
	if err != nil {
		return nil, err
	}
	p, err := links.Path(from, to)
	if err != nil {
		return nil, err
	}
	hosts := slices.Clone(ends)
	for _, hop := range p.Hops {
		if hop.Ref != nil && f.Host(hop.Ref.Host) != nil {
			hosts = append(hosts, hop.Ref.Host)
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts), nil
}

// hostOf is the host of HOST or HOST:INTERFACE.
func hostOf(where string) string {
	host, _, _ := strings.Cut(where, ":")
	return host
}
