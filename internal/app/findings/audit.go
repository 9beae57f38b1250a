package findings

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Audit says what is judged, by which rules, and what of it is reported.
type Audit struct {
	Rules      Rules
	Waivers    []waiver.Waiver
	Facts      map[string]float64 // "HOST[:ELEMENT] NAME" → what was measured
	Only       []string           // rules or findings; none: all
	From, To   string             // ends of the one path to report on; empty: everything
	Since      string             // folder of earlier snapshots; empty: those among the arguments
	RoundTrips bool               // running hosts measure the round trips between them
	FailOn     Threshold
	Program    string // version of the program, kept in the result
}

// Run reads the hosts and folders that args name and judges them.
func (q *Audit) Run(ctx context.Context, access fleet.Access, args []string) (*Result, error) {
	set, reading, err := q.read(ctx, access, args)
	if err != nil {
		return nil, err
	}
	return q.Judge(ctx, set, reading)
}

// read compiles the rules and reads the hosts. A mistake in the rules is
// reported before any running host is read; folders are read meanwhile.
func (q *Audit) read(ctx context.Context, access fleet.Access, args []string) (*rule.Set, *fleet.Reading, error) {
	running := len(args) == 0 || slices.ContainsFunc(args, func(arg string) bool { return !fleet.IsFolder(arg) })
	var set *rule.Set
	var wrong error
	compiled := make(chan struct{})
	compile := func() {
		defer close(compiled)
		set, wrong = q.Rules.Compile(ctx)
	}
	if running {
		compile()
		if wrong != nil {
			return nil, nil, wrong
		}
	} else {
		go compile()
	}
	reading, err := access.ReadWithBaseline(ctx, args, q.Since, fleet.Options{RoundTrips: q.RoundTrips})
	<-compiled
	if wrong != nil {
		return nil, nil, wrong
	}
	return set, reading, err
}

// Judge judges what was read by the rules.
func (q *Audit) Judge(ctx context.Context, set *rule.Set, reading *fleet.Reading) (*Result, error) {
	err := q.check(set)
	if err != nil {
		return nil, err
	}
	err = q.checkPlaces(reading)
	if err != nil {
		return nil, err
	}
	r := &Result{Reading: reading, Rules: set}
	r.Path, err = q.path(reading.Fleet)
	if err != nil {
		return nil, err
	}
	var healthy int
	o := rule.Options{Passed: &healthy, Before: reading.Before, Measured: q.Facts}
	if r.Path != nil {
		o.Paths = []model.Path{*r.Path}
	}
	chosen := len(q.Only) > 0 || r.Path != nil
	if chosen {
		o.Passed = nil // only what is reported counts
	}
	all, err := set.Run(ctx, reading.Fleet, o)
	if err != nil {
		return nil, err
	}
	unread, err := q.unreadLevels(ctx, set, reading, r.Path)
	if err != nil {
		return nil, err
	}
	changes, err := q.changes(ctx, set, reading, all)
	if err != nil {
		return nil, err
	}
	left, waived, ineffective := waiver.Apply(all, q.Waivers, time.Now())
	finding.LargestNeeds(left) // of all, those left out by the path and by Only too
	if r.Path != nil {
		left = finding.Concerning(left, graph.Of(reading.Fleet).OnPath(r.Path))
	}
	passed := healthy
	if chosen {
		left, passed = onlyThese(left, q.Only)
	}
	r.All = left
	r.Document = document(reading, left)
	r.Version, r.Passed = q.Program, passed
	r.LevelsNotRead = unread
	r.Waived, r.Waivers = append(r.Waived, waived...), append(r.Waivers, ineffective...)
	r.Gone, r.Lost = changes.Gone, changes.Lost
	return r, nil
}

// unreadLevels are the known defects whose level was not read, of the hosts of the path if only that is reported on. Who asked
// for some rules did not ask for these.
func (q *Audit) unreadLevels(ctx context.Context, set *rule.Set, reading *fleet.Reading, path *model.Path) ([]rule.UnreadLevel, error) {
	if len(q.Only) > 0 {
		return nil, nil
	}
	all, err := set.UnreadLevels(ctx, reading.Fleet, q.Facts)
	if err != nil || path == nil {
		return all, err
	}
	return slices.DeleteFunc(all, func(u rule.UnreadLevel) bool {
		return !slices.ContainsFunc(path.Hops, func(h model.Hop) bool { return h.Ref != nil && h.Ref.Host == u.Host })
	}), nil
}

// check refuses facts that no rule asks for, and rules that do not exist.
func (q *Audit) check(set *rule.Set) error {
	for key := range q.Facts {
		name := key[strings.LastIndexByte(key, ' ')+1:]
		if !set.Asks(name) {
			return app.Usage("--fact %s: no rule uses it (see seaworthy rules facts)", name)
		}
	}
	return known(set, q.Only)
}

// checkPlaces refuses facts of hosts and elements that are not among what was read, and facts of a host that name an element
// of it: no rule would ask for them.
func (q *Audit) checkPlaces(reading *fleet.Reading) error {
	of := map[string]string{}
	for _, f := range knowledge.BuiltIn().Facts() {
		of[f.Name] = f.Of
	}
	for _, key := range slices.Sorted(maps.Keys(q.Facts)) {
		place, name, _ := strings.Cut(key, " ")
		host, element, named := strings.Cut(place, ":")
		unread := slices.ContainsFunc(reading.Failed, func(f fleet.Failure) bool { return f.Host == host })
		h := reading.Fleet.Host(host)
		switch {
		case h == nil && !unread:
			return app.Usage("--fact %s: no host %s was read, but %s", key, host, strings.Join(hostNames(reading.Fleet), ", "))
		case h == nil || !named || slices.Contains([]string{"host", "no", "sysctl"}, element):
		case of[name] == "host":
			return app.Usage("--fact %s: %s is of a host: --fact \"%s %s=NUMBER\"", key, name, host, name)
		case h.Elements[element] == nil:
			return app.Usage("--fact %s: %s has no %s; it has %s", key, host, element, strings.Join(elementNames(h), ", "))
		}
	}
	return nil
}

// hostNames are those of a fleet, in the order people count.
func hostNames(f *model.Fleet) (names []string) {
	for _, h := range f.Hosts {
		names = append(names, h.Name)
	}
	slices.SortFunc(names, model.Natural)
	return names
}

// elementNames are those of a host, in the order people count.
func elementNames(h *model.Host) []string {
	return slices.SortedFunc(maps.Keys(h.Elements), model.Natural)
}

// path returns the path to report on; nil for everything.
func (q *Audit) path(hosts *model.Fleet) (*model.Path, error) {
	if q.From == "" {
		return nil, nil
	}
	path, err := graph.Of(hosts).Path(q.From, q.To)
	if err != nil {
		return nil, fmt.Errorf("--path %s,%s: %w", q.From, q.To, err)
	}
	return path, nil
}

// changes compares the findings with those of the earlier reading, and marks
// them. Without such a reading all are empty.
func (q *Audit) changes(ctx context.Context, set *rule.Set, got *fleet.Reading, all []finding.Finding) (diff.Findings, error) {
	if got.Before == nil {
		if q.FailOn.New {
			return diff.Findings{}, app.Usage("--fail-on %s: no host was read twice: name the earlier folder with --since", q.FailOn.text)
		}
		return diff.Compare(nil, nil), nil
	}
	was, err := set.Run(ctx, got.Before, rule.Options{Passed: new(int), Measured: q.Facts})
	if err != nil {
		return diff.Findings{}, err
	}
	if q.From != "" {
		g := graph.Of(got.Before)
		path, err := g.Path(q.From, q.To)
		if err != nil {
			return diff.Findings{}, fmt.Errorf("--path %s,%s in the earlier snapshots: %w", q.From, q.To, err)
		}
		was = finding.Concerning(was, g.OnPath(path))
	}
	was, _ = onlyThese(was, q.Only)
	changes := diff.Compare(was, all)
	changes.Unread(got.Fleet.HasRead)
	return changes, nil
}
