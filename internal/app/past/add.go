package past

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/app"
	"seaworthy/internal/app/collection"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
)

// perCommit is how many snapshots are kept or lost together.
const perCommit = 250

// Addition is what became of folders that were added.
type Addition struct {
	History string          `json:"history"`
	Hosts   []string        `json:"hosts"` // of which snapshots were added, sorted
	Failed  []fleet.Failure `json:"failed"`
	Runs    int             `json:"runs"`    // that changed these hosts, and are in the history now
	Results int             `json:"results"` // of measurements that the history had not
	history.Added
}

// snapshot is one that is added, with its model.
type snapshot struct {
	*collect.Snapshot
	host  *model.Host // nil: what an HMC said
	hmc   *model.HMC
	facts []history.Fact
	lists int64
}

// Add adds the snapshots and results of folders, and results in files, to a history. What the
// history has adds nothing; one that cannot be read is in Failed, and does not stop the others.
func Add(ctx context.Context, access fleet.Access, store *history.Store, args []string) (*Addition, error) {
	out := &Addition{History: store.Name(), Hosts: []string{}, Failed: []fleet.Failure{}}
	for _, arg := range args {
		if !fleet.IsFolder(arg) && !regular(arg) {
			return nil, app.Usage("history add %s: no such folder or file: expected what collect or import wrote, or a result of bench", arg)
		}
	}
	var found int
	var err error
	var failed []fleet.Failure
	out.Results, found, failed, err = addResults(ctx, store, args)
	if err != nil {
		return nil, err
	}
	out.Failed = append(out.Failed, failed...)
	sweep, err := store.Begin(ctx, strings.Join(args, " "))
	if err != nil {
		return nil, err
	}
	by := NewJudges(ctx)
	for _, arg := range args {
		if regular(arg) {
			continue
		}
		n, err := addFolder(ctx, store, sweep, by, arg, found > 0, out)
		if err != nil {
			return nil, errors.Join(err, sweep.End(context.WithoutCancel(ctx)))
		}
		found += n
	}
	out.Added = sweep.Added
	slices.Sort(out.Hosts)
	out.Hosts = slices.Compact(out.Hosts)
	err = sweep.End(ctx)
	if err != nil {
		return nil, err
	}
	if found == 0 {
		return nil, nothingFound(out.Failed)
	}
	out.Runs, err = addRuns(ctx, access, store)
	return out, err
}

// addFolder adds the snapshots of a folder, and says how many it has; it needs none where it
// holds results.
func addFolder(
	ctx context.Context, store *history.Store, sweep *history.Sweep, by *Judges, dir string, results bool, out *Addition,
) (int, error) {
	snapshots, failed := collect.Open(dir)
	if failed != nil && (len(snapshots) > 0 || !results) {
		for why := range strings.SplitSeq(failed.Error(), "\n") {
			out.Failed = append(out.Failed, fleet.Failure{Error: why})
		}
	}
	return len(snapshots), addRounds(ctx, store, sweep, by, snapshots, out)
}

func addRounds(
	ctx context.Context, store *history.Store, sweep *history.Sweep, by *Judges, snapshots []*collect.Snapshot, out *Addition,
) error {
	for _, round := range rounds(snapshots) {
		err := addRound(ctx, store, sweep, by, round, out)
		if err != nil {
			return err
		}
	}
	return nil
}

// AddCollected adds a folder that was just collected, and notes which hosts were not reached.
func AddCollected(ctx context.Context, access fleet.Access, store *history.Store, dir string, hosts []collection.Host) (*Addition, error) {
	out := &Addition{History: store.Name(), Hosts: []string{}, Failed: []fleet.Failure{}}
	kept := false
	for _, h := range hosts {
		kept = kept || h.Dir != ""
	}
	if kept {
		var err error
		out, err = Add(ctx, access, store, []string{dir})
		if err != nil {
			return nil, err
		}
	}
	sweep, err := store.Begin(ctx, dir)
	if err != nil {
		return nil, err
	}
	for _, h := range hosts {
		if h.Dir == "" && h.Error != "" {
			err = sweep.Miss(ctx, h.Host, Now(), strings.TrimPrefix(h.Error, h.Host+": "))
			if err != nil {
				return nil, err
			}
		}
	}
	return out, sweep.End(ctx)
}

// nothingFound says why no snapshot was found.
func nothingFound(failed []fleet.Failure) error {
	var all []error
	for _, f := range failed {
		all = append(all, errors.New(f.Error))
	}
	return errors.Join(all...)
}

// rounds sorts snapshots by the times that their hosts were read: the first of every host,
// the second, and so on. What is judged together was read at about the same time.
func rounds(all []*collect.Snapshot) (out [][]*collect.Snapshot) {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b *collect.Snapshot) int {
		return cmp.Or(strings.Compare(a.Manifest.Host, b.Manifest.Host), a.Manifest.Started.Compare(b.Manifest.Started))
	})
	n := 0
	for i, s := range all {
		n++
		if i == 0 || all[i-1].Manifest.Host != s.Manifest.Host {
			n = 0
		}
		if n == len(out) {
			out = append(out, nil)
		}
		out[n] = append(out[n], s)
	}
	return out
}

// addRound adds snapshots of different hosts.
func addRound(
	ctx context.Context, store *history.Store, sweep *history.Sweep, by *Judges, round []*collect.Snapshot, out *Addition,
) error {
	judged, err := repeated(ctx, store, sweep, by, round)
	switch {
	case err != nil:
		return err
	case judged.again:
		for _, s := range round {
			out.Hosts = append(out.Hosts, s.Manifest.Host)
		}
		return nil
	case judged.known:
		return nil
	}
	list, err := read(ctx, round, out)
	if err != nil {
		return err
	}
	list, err = sameHosts(ctx, store, list, out)
	if err != nil {
		return err
	}
	if len(list) < len(round) {
		judged.as = history.Judging{} // in another company than its digests say
	}
	err = by.judge(ctx, list)
	if err != nil {
		return err
	}
	shown := progress.Begin(ctx, "adding", "host", len(list))
	defer shown.End()
	for some := range slices.Chunk(list, perCommit) {
		var readings []history.Reading
		for _, s := range some {
			readings = append(readings, history.Reading{Snapshot: s.Snapshot, Document: judged.documents[s.Snapshot], Facts: s.facts,
				Lists: s.lists, Judging: judged.as})
		}
		err = sweep.Add(ctx, readings)
		if err != nil {
			return err
		}
		for _, s := range some {
			out.Hosts = append(out.Hosts, s.Manifest.Host)
			shown.Step(s.Manifest.Host)
		}
	}
	return nil
}

// read makes the models and the facts of snapshots, several at once.
func read(ctx context.Context, round []*collect.Snapshot, out *Addition) ([]*snapshot, error) {
	list := make([]*snapshot, len(round))
	errs := make([]error, len(round))
	shown := progress.Begin(ctx, "reading snapshots", "host", len(round))
	defer shown.End()
	var shared model.Interner
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range round {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			x := &snapshot{Snapshot: s}
			x.host, x.hmc, errs[i] = s.Model()
			if errs[i] == nil {
				x.say()
				list[i] = x
			}
			if x.host != nil && len(round) > 1 {
				shared.Host(x.host)
			}
			shown.Step("")
			return nil
		})
	}
	err := group.Wait()
	if err != nil {
		return nil, fmt.Errorf("interrupted: %w", err)
	}
	for i, s := range round {
		if errs[i] != nil {
			out.Failed = append(out.Failed, fleet.Failure{Host: s.Manifest.Host, Error: errs[i].Error()})
		}
	}
	return slices.DeleteFunc(list, func(s *snapshot) bool { return s == nil }), nil
}

// layers are those of values.
var layers = map[diff.Layer]history.Layer{
	diff.Running: history.Running, diff.NextBoot: history.NextBoot, diff.Default: history.Default,
}

// say notes the facts of a host by its own snapshot alone, and what the snapshot has whole.
func (s *snapshot) say() {
	if s.host == nil {
		return
	}
	for _, v := range diff.Values(s.host) {
		s.facts = append(s.facts, history.Fact{Element: v.Element, Attribute: v.What, Layer: layers[v.Layer], Value: v.Text,
			Listing: listing(v.Listing)})
	}
	if s.whole() {
		s.lists = listing(diff.Listed(s.host))
	}
}

// listing is one of values as the history has it.
func listing(l diff.Listing) (out int64) {
	if l&diff.Elements != 0 {
		out |= history.ListsElements
	}
	if l&diff.Routes != 0 {
		out |= history.ListsRoutes
	}
	return out
}

// whole says whether the commands about the whole host, which list its elements, ran to
// their end.
func (s *snapshot) whole() bool {
	if s.Manifest.Error != "" {
		return false
	}
	return !slices.ContainsFunc(s.Manifest.Commands, func(r collect.Record) bool {
		return r.Element == "" && r.Attribute == "" && (r.Error != "" || r.Truncated)
	})
}

// Judges hold what is made once for all snapshots that are added: the compiled rules, and which
// program this is. They are used by one goroutine.
type Judges struct {
	rules   func() (*rule.Set, error)
	program func() ([sha256.Size]byte, error)
}

// NewJudges makes them; rules are compiled when they are first needed.
func NewJudges(ctx context.Context) *Judges {
	return &Judges{
		rules:   sync.OnceValues(func() (*rule.Set, error) { return findings.Rules{}.Compile(ctx) }),
		program: sync.OnceValues(thisProgram),
	}
}

// judge notes the findings of the hosts of a round.
func (by *Judges) judge(ctx context.Context, list []*snapshot) error {
	set, err := by.rules()
	if err != nil {
		return err
	}
	f := &model.Fleet{}
	byName := map[string]*snapshot{}
	for _, s := range list {
		switch {
		case s.hmc != nil:
			f.HMCs = append(f.HMCs, s.hmc)
		case s.host != nil:
			f.Hosts = append(f.Hosts, s.host)
			byName[s.host.Name] = s
			if len(s.host.Elements) > 0 && s.Manifest.Error == "" {
				s.lists |= history.ListsFindings
			}
		}
	}
	f.MergeHMC()
	all, err := set.Run(ctx, f, rule.Options{Passed: new(int)})
	if err != nil {
		return err
	}
	add := func(at model.Ref, id string, v finding.Verdict) {
		s := byName[at.Host]
		if s != nil && s.lists&history.ListsFindings != 0 {
			s.facts = append(s.facts, history.Fact{Element: at.Element, Attribute: id, Layer: history.Finding, Value: string(v),
				Listing: history.ListsFindings})
		}
	}
	for _, x := range all {
		if x.Verdict != finding.Found && x.Verdict != finding.NotAssessed {
			continue
		}
		add(x.Element, x.Rule, x.Verdict)
		for _, id := range x.Symptoms {
			name, at, _ := strings.Cut(id, "/")
			host, element, _ := strings.Cut(at, ":")
			add(model.Ref{Host: host, Element: element}, name, finding.Found)
		}
	}
	return nil
}

// Now is the time at which a command asks about the present.
func Now() time.Time { return time.Now().UTC() }
