package past

import (
	"cmp"
	"context"
	"slices"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/audit/expr"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Match is an element on which an expression holds.
type Match struct {
	model.Ref
	Kind     string             `json:"kind"`
	Taken    time.Time          `json:"taken"`    // of the host's snapshot
	Evidence []finding.Evidence `json:"evidence"` // by facts: without the line of an output
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
	Looked     int            `json:"hosts_looked_at"` // of an element of theirs, its own kind and attributes do not rule out a match
	Read       int            `json:"hosts_read"`      // of these: whose raw text was needed; facts decided on the others
	Hosts      int            `json:"hosts"`           // of the history
	NotRead    []string       `json:"not_read"`        // hosts that were pruned or could not be modelled, and why
	Missed     []history.Span `json:"not_reached"`     // of the hosts with a match: not reached since
}

// Find gives the elements of all hosts, as they were last read up to a time, on which an
// expression of the rules' language holds. Their related elements are those of hosts of the
// same managed system. Facts decide where they say all that it asks for; else the raw text of
// hosts that they do not rule out is read.
func Find(ctx context.Context, store *history.Store, source string, at time.Time) (*Where, error) {
	return find(ctx, store, source, at, true)
}

func find(ctx context.Context, store *history.Store, source string, at time.Time, byFacts bool) (*Where, error) {
	x := expr.New(expr.Condition, source)
	err := x.Verify()
	if err != nil {
		return nil, app.Usage("where: %w", err)
	}
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	shown := history.ShownAt(store, at)
	hosts, err := shown.Hosts(ctx)
	if err != nil {
		return nil, err
	}
	q := &inquiry{store: store, shown: shown, at: at, x: x, cat: cat, hosts: hosts}
	found := &outcome{}
	raw := sortedHosts(hosts)
	looked := len(raw)
	if byFacts {
		looked, raw, err = q.decideByFacts(ctx, found)
	}
	if err == nil {
		err = q.decideByText(ctx, raw, found)
	}
	if err != nil {
		return nil, err
	}
	if found.failed != nil {
		return nil, app.Usage("where: %w", found.failed)
	}
	found.sort()
	out := &Where{Expression: source, At: at, Looked: looked, Read: len(raw), Missed: []history.Span{},
		Matches: append([]Match{}, found.matches...), Undecided: append([]Undecided{}, found.undecided...),
		NotRead: append([]string{}, found.notRead...)}
	return out, q.addMissed(ctx, out)
}

// addMissed counts the hosts of the history, and notes those with a match that were not reached since.
func (q *inquiry) addMissed(ctx context.Context, out *Where) error {
	missed, err := q.shown.Missed(ctx)
	if err != nil {
		return err
	}
	matched := map[string]bool{}
	for _, m := range out.Matches {
		matched[m.Host] = true
	}
	out.Hosts = len(q.hosts)
	var names []string
	for id, at := range missed {
		h, read := q.hosts[id]
		if !read {
			out.Hosts++
		}
		if matched[h.Host] && at.After(h.Read) {
			names = append(names, h.Host)
		}
	}
	if len(names) > 0 {
		out.Missed, err = q.store.Hosts(ctx, q.at, names...)
	}
	return err
}

// inquiry is an expression that is asked of a history.
type inquiry struct {
	store *history.Store
	shown *history.Shown
	at    time.Time
	x     *expr.Expression
	cat   *knowledge.Catalog
	hosts map[int64]history.Named // by number
}

// outcome is what was found on some hosts.
type outcome struct {
	matches   []Match
	undecided []Undecided
	notRead   []string
	failed    error // why the expression could not be run on an element, the first
}

func (o *outcome) add(more *outcome) {
	o.matches = append(o.matches, more.matches...)
	o.undecided = append(o.undecided, more.undecided...)
	o.notRead = append(o.notRead, more.notRead...)
	o.failed = cmp.Or(o.failed, more.failed)
}

// sort puts hosts in the order of their names; the elements of one are in order.
func (o *outcome) sort() {
	slices.SortStableFunc(o.matches, func(a, b Match) int { return cmp.Compare(a.Host, b.Host) })
	slices.SortStableFunc(o.undecided, func(a, b Undecided) int { return cmp.Compare(a.Host, b.Host) })
	slices.Sort(o.notRead)
}

func sortedHosts(hosts map[int64]history.Named) []int64 {
	var out []int64
	for id := range hosts {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}
