package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/expr"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// company is hosts whose models are made together.
type company struct {
	system string
	hosts  []int64
}

// decideByText runs the expression on the elements of some hosts, whose raw text it reads: one managed system after the
// other, several at once, so memory does not grow with their number.
func (q *inquiry) decideByText(ctx context.Context, hosts []int64, found *outcome) error {
	if len(hosts) == 0 {
		return nil
	}
	leaves, err := q.x.LeavesHost()
	if err != nil {
		return err
	}
	companies, hmcs, err := q.companies(ctx, hosts, leaves)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, id := range hosts {
		wanted[q.hosts[id].Host] = true
	}
	read := 0
	for _, c := range companies {
		read += len(c.hosts)
	}
	shown := progress.Begin(ctx, "reading the history", "host", read)
	defer shown.End()
	outcomes := make([]outcome, len(companies))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range companies {
		// The store is used by one goroutine: it is the models that take their time.
		lives, err := q.restore(within, c.hosts)
		if err != nil {
			failed := group.Wait()
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			return errors.Join(err, failed)
		}
		lives = append(lives, hmcs.of(c.system)...)
		group.Go(func() error {
			err := q.decideTogether(within, lives, wanted, &outcomes[i])
			for _, id := range c.hosts {
				shown.Step(q.hosts[id].Host)
			}
			return err
		})
	}
	err = group.Wait()
	for i := range outcomes {
		found.add(&outcomes[i])
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %w", context.Cause(ctx))
	}
	return err
}

// companies sorts hosts by managed system, those of no known one together, and adds the others of the system where the
// expression leads to them. One that does not is asked of each host alone.
func (q *inquiry) companies(ctx context.Context, hosts []int64, leaves bool) (out []company, hmcs hmcLists, err error) {
	if !leaves {
		for _, id := range hosts {
			out = append(out, company{hosts: []int64{id}})
		}
		return out, nil, nil
	}
	systems, err := q.systems(ctx)
	if err != nil {
		return nil, nil, err
	}
	wanted := map[string]bool{}
	own := map[int64]bool{}
	for _, id := range hosts {
		wanted[systems[id]] = true
		own[id] = true
	}
	of := map[string][]int64{}
	var elsewhere []int64
	for _, id := range sortedHosts(q.hosts) {
		system := systems[id]
		switch {
		case system == "":
			elsewhere = append(elsewhere, id)
			if own[id] {
				of[system] = append(of[system], id)
			}
		case wanted[system]:
			of[system] = append(of[system], id)
		}
	}
	hmcs, err = q.hmcLists(ctx, elsewhere)
	for system, ids := range of {
		ids = slices.DeleteFunc(ids, hmcs.has)
		if len(ids) > 0 {
			out = append(out, company{system, ids})
		}
	}
	slices.SortFunc(out, func(a, b company) int { return cmp.Compare(a.system, b.system) })
	return out, hmcs, err
}

// systems are the managed systems of hosts, of those that said it.
func (q *inquiry) systems(ctx context.Context) (map[int64]string, error) {
	numbers := map[int64]int64{}
	texts := map[int64]bool{}
	err := q.shown.Each(ctx, diff.ManagedSystem, nil, func(s history.Showing) {
		numbers[s.Host] = s.Value
		texts[s.Value] = true
	})
	if err != nil {
		return nil, err
	}
	names, err := q.shown.Names(ctx, texts)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]string, len(numbers))
	for host, n := range numbers {
		out[host] = names[n]
	}
	return out, nil
}

// hmcList is what an HMC said.
type hmcList struct {
	host    int64
	live    collect.Live
	systems map[string]bool // that it lists; empty: it does not say which
}

type hmcLists []hmcList

func (l hmcLists) has(host int64) bool {
	return slices.ContainsFunc(l, func(x hmcList) bool { return x.host == host })
}

// of are those about a managed system.
func (l hmcLists) of(system string) (out []collect.Live) {
	for _, x := range l {
		if system == "" || x.systems[system] || x.systems[""] {
			out = append(out, x.live)
		}
	}
	return out
}

// hmcLists reads the HMCs among hosts of no known managed system.
func (q *inquiry) hmcLists(ctx context.Context, hosts []int64) (out hmcLists, err error) {
	silent, err := q.shown.Silent(ctx, hosts)
	if err != nil {
		return nil, err
	}
	for _, id := range silent {
		lives, err := q.restore(ctx, []int64{id})
		if err != nil {
			return nil, err
		}
		s := lives[0].Snapshot
		if s == nil || s.Manifest.Platform != collect.PlatformHMC {
			continue
		}
		_, hmc, err := s.Model()
		if err != nil {
			continue // it says so where the snapshot is read with the hosts
		}
		x := hmcList{id, lives[0], map[string]bool{}}
		for i := range hmc.Adapters {
			x.systems[hmc.Adapters[i].System] = true
		}
		for i := range hmc.Shares {
			x.systems[hmc.Shares[i].System] = true
		}
		out = append(out, x)
	}
	return out, nil
}

// restore gives the last snapshots of hosts. One whose raw text was pruned is a host that was not read.
func (q *inquiry) restore(ctx context.Context, hosts []int64) ([]collect.Live, error) {
	var names []string
	for _, id := range hosts {
		names = append(names, q.hosts[id].Host)
	}
	list, err := q.store.Latest(ctx, q.at, names)
	if err != nil {
		return nil, err
	}
	var out []collect.Live
	for _, p := range list {
		l, err := restoreOne(ctx, q.store, p)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// decideTogether runs the expression on the wanted ones of hosts that are read together.
func (q *inquiry) decideTogether(ctx context.Context, lives []collect.Live, wanted map[string]bool, found *outcome) error {
	for _, l := range lives {
		if l.Err != nil && wanted[l.Host] {
			found.notRead = append(found.notRead, l.Err.Error())
		}
	}
	f, err := collect.Assemble(lives)
	if err != nil {
		found.notRead = append(found.notRead, err.Error())
	}
	links, err := graph.New(ctx, f)
	if err != nil {
		return err
	}
	session := expr.NewSession(ctx, links, expr.Context{Catalog: q.cat})
	for _, h := range f.Hosts {
		if !wanted[h.Name] {
			continue
		}
		for _, e := range links.Of(h.Name) {
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			found.decide(session, q.x, h, e)
		}
	}
	found.failed = session.Failed
	return nil
}

// decide runs the expression on an element.
func (o *outcome) decide(session *expr.Session, x *expr.Expression, h *model.Host, e *graph.Element) {
	session.Seen.Clear()
	answer := x.Decide(session, e)
	switch answer.Truth {
	case expr.Yes:
		o.matches = append(o.matches, Match{Ref: e.Ref(), Kind: e.Kind, Taken: h.Taken, Evidence: slices.Clone(session.Seen.Evidence)})
	case expr.Unknown:
		o.undecided = append(o.undecided, Undecided{Ref: e.Ref(), Missing: answer.Missing})
	}
}
