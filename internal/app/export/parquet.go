package export

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/history"
	"seaworthy/internal/knowledge"
)

// Schema names the layout of the tables.
const Schema = "seaworthy.parquet/1"

// manifestName is the file that says what was exported. Readers of Hive's layout skip names
// that begin with an underscore.
const manifestName = "_seaworthy.json"

// NoZone is the zone of hosts that are in none.
const NoZone = "none"

// Request is what is exported, and to where.
type Request struct {
	Dir     string
	Tables  []string  // none: all
	Since   time.Time // what ended earlier is left out; zero: everything
	Zone    string    // of the hosts that the history has in none; empty: NoZone
	From    string    // folders; empty: the history that is open
	Program string    // its version
}

// Exported is what was written.
type Exported struct {
	Schema  string     `json:"schema"`
	Version string     `json:"version"` // of the program
	Time    time.Time  `json:"time"`
	Dir     string     `json:"-"`
	From    string     `json:"from"` // a history, or folders
	Since   *time.Time `json:"since,omitempty"`
	Zone    string     `json:"zone"`
	Tables  []Table    `json:"tables"`
	Lacking []string   `json:"lacking"` // snapshots whose counters are not there, and why
	More    int        `json:"more"`    // of these that are not listed
}

// mostLacking is how many snapshots without counters are listed.
const mostLacking = 20

// zoneNames are names of zones: they are part of a path.
var zoneNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// Check refuses a request that cannot be met, before anything is read.
func (q *Request) Check() error {
	if q.Zone == "" {
		q.Zone = NoZone
	}
	if !zoneNames.MatchString(q.Zone) {
		return app.Usage("--zone %s: expected letters, digits, dots, hyphens and underscores", q.Zone)
	}
	if len(q.Tables) == 0 {
		q.Tables = Tables()
	}
	for _, name := range q.Tables {
		if !slices.Contains(Tables(), name) {
			return app.Usage("--tables %s: expected some of %s", name, strings.Join(Tables(), ", "))
		}
	}
	return q.checkDir()
}

// checkDir refuses a folder that holds something else.
func (q *Request) checkDir() error {
	all, err := os.ReadDir(q.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", q.Dir, fileio.Cause(err))
	case len(all) == 0:
		return nil
	}
	_, err = os.Lstat(filepath.Join(q.Dir, manifestName))
	if err != nil {
		return app.Usage("%s: it holds files that are no earlier export: name a new or an empty folder", q.Dir)
	}
	return nil
}

// Parquet writes the tables of a history. An error leaves the folder as it was.
func (q *Request) Parquet(ctx context.Context, store *history.Store) (*Exported, error) {
	folder, err := fileio.BeginFolder(q.Dir)
	if err != nil {
		return nil, err
	}
	out, err := q.write(ctx, folder.Dir, store)
	if err == nil {
		err = q.describe(folder.Dir, out)
	}
	if err != nil {
		folder.Drop()
		text := strings.ReplaceAll(err.Error(), folder.Dir, q.Dir)
		return nil, &notExported{dir: q.Dir, text: text, err: err}
	}
	return out, folder.Finish()
}

// notExported is an export that failed: nothing of it is left.
type notExported struct {
	dir, text string
	err       error
}

func (e *notExported) Error() string {
	return fmt.Sprintf("export to %s: %s; nothing of this export was kept", e.dir, e.text)
}

func (e *notExported) Unwrap() error { return e.err }

func (q *Request) describe(dir string, out *Exported) error {
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	return fileio.Write(filepath.Join(dir, manifestName), append(text, '\n'))
}

func (q *Request) write(ctx context.Context, dir string, store *history.Store) (*Exported, error) {
	out := &Exported{Schema: Schema, Version: q.Program, Time: time.Now().UTC(), Dir: q.Dir, From: cmp.Or(q.From, store.Name()), Zone: q.Zone,
		Tables: []Table{}, Lacking: []string{}}
	if !q.Since.IsZero() {
		out.Since = &q.Since
	}
	writers := map[string]func() (Table, error){
		Snapshots: func() (Table, error) { return q.snapshots(ctx, dir, store) },
		Facts:     func() (Table, error) { return q.facts(ctx, dir, store) },
		Findings:  func() (Table, error) { return q.findings(ctx, dir, store) },
		Counters:  func() (Table, error) { return q.counters(ctx, dir, store, out) },
	}
	for _, name := range Tables() {
		if !slices.Contains(q.Tables, name) {
			continue
		}
		table, err := writers[name]()
		if err != nil {
			return nil, err
		}
		out.Tables = append(out.Tables, table)
	}
	return out, nil
}

// zoneOf is the partition of hosts of a zone.
func (q *Request) zoneOf(zone string) string { return cmp.Or(zone, q.Zone) }

// filled writes a table: fill adds its rows.
func filled[T any](dir, name string, fill func(to *partitioned[T]) error) (Table, error) {
	to := newPartitioned[T](dir, name)
	err := fill(to)
	if err == nil {
		err = to.finish()
	}
	if err != nil {
		to.drop()
		return Table{}, err
	}
	return to.table, nil
}

func (q *Request) snapshots(ctx context.Context, dir string, store *history.Store) (Table, error) {
	return filled(dir, Snapshots, func(to *partitioned[snapshotRow]) error {
		return store.EachVisit(ctx, q.Since, func(v history.Visit) error {
			return to.addInOrder(v.Taken, q.zoneOf(v.Zone), snapshotRow{Host: v.Host, Taken: v.Taken, Reached: v.Reached, Problem: given(v.Problem),
				RawText: v.Reached && !v.Pruned})
		})
	})
}

func (q *Request) facts(ctx context.Context, dir string, store *history.Store) (Table, error) {
	return filled(dir, Facts, func(to *partitioned[factRow]) error {
		return eachInterval(ctx, store, history.Intervals{Since: q.Since}, to.finish, func(v history.Interval) error {
			return to.add(v.From, q.zoneOf(v.Zone), factRow{Host: v.Host, Element: v.Element, Attribute: v.Attribute, Layer: v.Layer.String(),
				State: v.State, Value: v.Value, From: v.From, To: until(v)})
		})
	})
}

// daysAtOnce is how many days have their files open at once: of each, rows wait in memory.
const daysAtOnce = 8

// eachInterval visits intervals, those of some days after those of the days before; finish is called between them.
func eachInterval(
	ctx context.Context, store *history.Store, of history.Intervals, finish func() error, visit func(history.Interval) error,
) error {
	days, err := history.BeganOn(ctx, store, of)
	if err != nil {
		return err
	}
	shown := progress.Begin(ctx, "writing intervals", "host", 0)
	defer shown.End()
	host := ""
	stepped := func(v history.Interval) error {
		if v.Host != host {
			host = v.Host
			shown.Step(host)
		}
		return visit(v)
	}
	for some := range slices.Chunk(days, daysAtOnce) {
		of.From, of.To = some[0], some[len(some)-1].AddDate(0, 0, 1)
		err = store.EachInterval(ctx, of, stepped)
		if err == nil {
			err = finish()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (q *Request) findings(ctx context.Context, dir string, store *history.Store) (Table, error) {
	rules := map[string]knowledge.Rule{}
	for _, r := range knowledge.BuiltIn().Rules() {
		rules[r.ID] = r
	}
	return filled(dir, Findings, func(to *partitioned[findingRow]) error {
		return eachInterval(ctx, store, history.Intervals{Findings: true, Since: q.Since}, to.finish, func(v history.Interval) error {
			r := rules[v.Attribute]
			return to.add(v.From, q.zoneOf(v.Zone), findingRow{Host: v.Host, Element: v.Element, Rule: v.Attribute, Title: given(r.Title),
				Severity: given(r.Severity), State: v.State, Verdict: v.Value, From: v.From, To: until(v)})
		})
	})
}

// counters writes those of the raw text of each snapshot.
func (q *Request) counters(ctx context.Context, dir string, store *history.Store, out *Exported) (Table, error) {
	shown := progress.Begin(ctx, "reading counters", "snapshot", 0)
	defer shown.End()
	return filled(dir, Counters, func(to *partitioned[counterRow]) error {
		return store.EachVisit(ctx, q.Since, func(v history.Visit) error {
			if !v.Reached {
				return nil
			}
			shown.Step(v.Host)
			return q.countersOf(ctx, store, v, to, out)
		})
	})
}

func (q *Request) countersOf(ctx context.Context, store *history.Store, v history.Visit, to *partitioned[counterRow], out *Exported) error {
	s, err := store.Restore(ctx, v.Past)
	if errors.Is(err, history.ErrPruned) {
		out.lack(err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	host, _, err := s.Model()
	if err != nil {
		out.lack(err.Error())
		return nil
	}
	if host == nil { // what an HMC said has no counters
		return nil
	}
	add := func(element, kind, counter string, value uint64) error {
		return to.addInOrder(v.Taken, q.zoneOf(v.Zone), counterRow{Host: v.Host, Element: element, Kind: kind, Counter: counter, Value: value,
			Taken: v.Taken})
	}
	for name, value := range host.Protocols.All() {
		err = add("host", "host", name, value)
		if err != nil {
			return err
		}
	}
	for _, name := range elementNames(host) {
		e := host.Elements[name]
		for counter, value := range e.Counters.All() {
			err = add(name, string(e.Kind), counter, value)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// lack notes a snapshot without counters.
func (e *Exported) lack(why string) {
	if len(e.Lacking) == mostLacking {
		e.More++
		return
	}
	e.Lacking = append(e.Lacking, why)
}
