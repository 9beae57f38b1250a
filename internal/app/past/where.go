package past

import (
	"context"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/expr"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Match is an element on which an expression holds.
type Match struct {
	model.Ref
	Kind     string             `json:"kind"`
	Taken    time.Time          `json:"taken"` // of the host's snapshot
	Evidence []finding.Evidence `json:"evidence"`
}

// Undecided is an element on which something is missing to decide.
type Undecided struct {
	model.Ref
	Missing []string `json:"missing"`
}

// Where is the elements on which an expression holds.
type Where struct {
	Expression string         `json:"expression"`
	At         time.Time      `json:"at"`
	Matches    []Match        `json:"matches"`
	Undecided  []Undecided    `json:"undecided"`
	Looked     int            `json:"hosts_looked_at"` // whose facts allow a match
	Hosts      int            `json:"hosts"`           // of the history
	NotRead    []string       `json:"not_read"`        // hosts that were pruned or could not be modelled, and why
	Missed     []history.Span `json:"not_reached"`     // of the hosts with a match: not reached since
}

// Find gives the elements of all hosts, as they were last read up to a time, on which an
// expression of the rules' language holds. Their related elements are those of hosts of the
// same managed system.
func Find(ctx context.Context, store *history.Store, source string, at time.Time) (*Where, error) {
	x := expr.New(expr.Condition, source)
	err := x.Verify()
	if err != nil {
		return nil, app.Usage("where: %w", err)
	}
	out := &Where{Expression: source, At: at, Matches: []Match{}, Undecided: []Undecided{}, NotRead: []string{}, Missed: []history.Span{}}
	spans, err := store.Hosts(ctx, at)
	if err != nil {
		return nil, err
	}
	out.Hosts = len(spans)
	hosts, err := store.HostsWith(ctx, at, conditions(x.Requires()))
	if err != nil || len(hosts) == 0 {
		return out, err
	}
	out.Looked = len(hosts)
	read, err := store.Beside(ctx, at, diff.ManagedSystem, hosts)
	if err != nil {
		return nil, err
	}
	list, err := store.Latest(ctx, at, read)
	if err != nil {
		return nil, err
	}
	lives, err := restore(ctx, store, list)
	if err != nil {
		return nil, err
	}
	err = out.match(ctx, x, lives, hosts)
	if err != nil {
		return nil, err
	}
	for _, h := range spans {
		if h.NotSeen() && slices.ContainsFunc(out.Matches, func(m Match) bool { return m.Host == h.Host }) {
			out.Missed = append(out.Missed, h)
		}
	}
	return out, nil
}

// conditions are requirements as a history can look for them.
func conditions(all []expr.Requirement) (out []history.Condition) {
	for _, r := range all {
		switch {
		case r.Attribute != "":
			out = append(out, history.Condition{Attribute: r.Attribute, Values: forms(r.Values)})
		case r.Kind != "" && r.Kind != graph.KindHost && r.Kind != graph.KindTunables:
			out = append(out, history.Condition{Attribute: diff.ElementExists, Values: []string{r.Kind}})
		}
	}
	return out
}

// forms are values as hosts write them: on and off are the same in capitals.
func forms(values []string) (out []string) {
	for _, v := range values {
		out = append(out, v, strings.ToUpper(v), strings.ToUpper(v[:min(1, len(v))])+v[min(1, len(v)):])
	}
	return out
}

// match runs the expression on the elements of hosts.
func (w *Where) match(ctx context.Context, x *expr.Expression, lives []collect.Live, hosts []string) error {
	for _, l := range lives {
		if l.Err != nil {
			w.NotRead = append(w.NotRead, l.Err.Error())
		}
	}
	f, err := collect.Assemble(lives)
	if err != nil {
		w.NotRead = append(w.NotRead, err.Error())
	}
	cat, err := knowledge.Load()
	if err != nil {
		return err
	}
	links, err := graph.New(ctx, f)
	if err != nil {
		return err
	}
	session := expr.NewSession(ctx, links, expr.Context{Catalog: cat})
	for _, h := range f.Hosts {
		_, wanted := slices.BinarySearch(hosts, h.Name)
		if !wanted {
			continue
		}
		for _, e := range links.Of(h.Name) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			session.Seen.Clear()
			answer := x.Decide(session, e)
			switch answer.Truth {
			case expr.Yes:
				w.Matches = append(w.Matches, Match{Ref: e.Ref(), Kind: e.Kind, Taken: h.Taken, Evidence: slices.Clone(session.Seen.Evidence)})
			case expr.Unknown:
				w.Undecided = append(w.Undecided, Undecided{Ref: e.Ref(), Missing: answer.Missing})
			}
		}
	}
	if session.Failed != nil {
		return app.Usage("where: %w", session.Failed)
	}
	return nil
}
