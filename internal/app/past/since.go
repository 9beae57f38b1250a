package past

import (
	"context"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/history"
	"seaworthy/internal/knowledge"
)

// Margin is how far before and after a change others are looked for.
const Margin = time.Hour

// mostBeside is how many changes beside another are given.
const mostBeside = 200

// Since is when an attribute or a rule's verdict changed, and what else changed then.
type Since struct {
	*history.Since
	Title  string           `json:"title,omitempty"`      // of a rule
	Beside []history.Change `json:"beside"`               // within an hour of the latest change; on its managed system first
	More   int              `json:"more,omitempty"`       // of these that are left out, or as many facts of other hosts
	Others int              `json:"more_hosts,omitempty"` // of which changes are left out
	Missed []history.Span   `json:"not_reached"`          // hosts that were not reached since their last snapshot
}

// SinceWhen asks when an attribute, or the verdict of a rule, changed: on HOST or HOST:ELEMENT;
// empty: on all hosts.
func SinceWhen(ctx context.Context, access fleet.Access, store *history.Store, what, where string) (*Since, error) {
	host, element, _ := strings.Cut(where, ":")
	got, err := store.Since(ctx, what, host, element)
	if err != nil {
		return nil, err
	}
	out := &Since{Since: got, Beside: []history.Change{}}
	if ofRule(got) {
		out.Title = titleOf(what)
	}
	out.Missed, err = missed(ctx, store, host)
	if err != nil || len(got.Changes) == 0 {
		return out, err
	}
	latest := got.Changes[0]
	beside, err := near(ctx, store, latest.LastSeen, latest.FirstSeen, latest.Host)
	if err != nil {
		return nil, err
	}
	out.More, out.Others = beside.More, beside.Hosts
	for _, c := range beside.Changes {
		switch {
		case c.Ref == latest.Ref && c.Attribute == latest.Attribute:
		case len(out.Beside) == mostBeside:
			out.More++
		default:
			out.Beside = append(out.Beside, c)
		}
	}
	return out, nil
}

// ofRule reports whether what changed are verdicts of a rule. Settings are told without reading the rules, which takes longer
// than a history of some thousand hosts does.
func ofRule(got *history.Since) bool {
	return slices.ContainsFunc(got.Changes, func(c history.Change) bool { return c.Layer == history.Finding }) ||
		slices.ContainsFunc(got.Values, func(v history.Value) bool { return v.Layer == history.Finding })
}

// titleOf is the title of a rule; empty where there is none of this id any more.
func titleOf(id string) string {
	for _, r := range knowledge.BuiltIn().Rules() {
		if r.ID == id {
			return r.Title
		}
	}
	return ""
}

// near is what changed within an hour of a change on a host: on its managed system first.
func near(ctx context.Context, store *history.Store, from, to time.Time, host string) (*history.Vicinity, error) {
	system, err := store.Beside(ctx, to, diff.ManagedSystem, []string{host})
	if err != nil {
		return nil, err
	}
	return history.ReadVicinity(ctx, store, from, to, Margin, system, mostBeside)
}

// missed are the hosts that were not reached since their last snapshot; of one, where it is named.
func missed(ctx context.Context, store *history.Store, host string) ([]history.Span, error) {
	names := []string{host}
	out := []history.Span{}
	if host == "" {
		var err error
		names, err = history.ReadNotReached(ctx, store)
		if err != nil || len(names) == 0 {
			return out, err
		}
	}
	all, err := store.Hosts(ctx, Now(), names...)
	if err != nil {
		return nil, err
	}
	for _, h := range all {
		if h.NotSeen() {
			out = append(out, h)
		}
	}
	return out, nil
}
