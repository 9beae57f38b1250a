package execute

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
)

// Events of a journal, in the order they can occur. Each is written and synced
// before the act it names.
const (
	evBegin    = "begin"
	evPrior    = "prior"  // the values found on the host, before the step
	evDoing    = "doing"  // the step's commands are about to run
	evDone     = "done"   // verified
	evFailed   = "failed" // a command or the verification failed
	evUndoing  = "undoing"
	evUndone   = "undone" // verified to be the prior values
	evNotUndid = "undo-failed"
	evPending  = "pending" // all done and verified: somebody has to confirm
	evEnd      = "end"
	evBoot     = "boot" // what became of values for the next boot
	evMoved    = "moved"
)

type event struct {
	Time         time.Time     `json:"time"`
	Event        string        `json:"event"`
	Step         string        `json:"step,omitempty"`
	How          string        `json:"how,omitempty"` // of a step by hand: how it is known that it is done
	Prior        []task.Change `json:"prior,omitempty"`
	Error        string        `json:"error,omitempty"`
	Outcome      Outcome       `json:"outcome,omitempty"`
	Within       string        `json:"confirm_within,omitempty"` // at begin: the hosts watch over this run
	PendingState PendingState  `json:"next_boot,omitempty"`
	Lookup       Lookup        `json:"lookup,omitzero"`  // at begin
	Placed       []Placement   `json:"placed,omitempty"` // at begin of a run that is to be confirmed
	Moves        []Move        `json:"moves,omitempty"`
}

// Journals is a folder of runs, one folder a run: the plan and its journal.
type Journals struct {
	Dir    string
	Lookup Lookup // recorded in runs that begin
}

// Lookup says where a run's host names were looked up, so that it can be
// confirmed or rolled back from there: full paths, or lab:NAME.
type Lookup struct {
	Inventory string `json:"inventory,omitempty"`
	SSHConfig string `json:"ssh_config,omitempty"`
	Purpose   string `json:"purpose,omitempty"` // what made the run, if not apply: "bench"
}

// DefaultJournals is where a user's runs are kept:
// $XDG_STATE_HOME/seaworthy/runs, by default below ~/.local/state.
func DefaultJournals() (Journals, error) {
	base := os.Getenv("XDG_STATE_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return Journals{}, fmt.Errorf("journal: %w (set XDG_STATE_HOME)", err)
		}
		base = filepath.Join(home, ".local", "state")
	}
	return Journals{Dir: filepath.Join(base, "seaworthy", "runs")}, nil
}

// Lab is the name of the lab that the hosts were of; empty: they were not of one.
func (l Lookup) Lab() string {
	name, ok := strings.CutPrefix(l.Inventory, "lab")
	if !ok {
		return "" // a full path
	}
	return cmp.Or(strings.TrimPrefix(name, ":"), "lab")
}

// ErrNoRun says that no run has the given id.
var ErrNoRun = errors.New("no such run")

var runID = regexp.MustCompile(`^[0-9a-z-]+$`)

// begin makes a run's folder. Nothing is changed on any host before it is on disk.
func (j Journals) begin(p *plan.Plan, within time.Duration, placed []Placement) (*journal, error) {
	id := newID()
	dir := filepath.Join(j.Dir, id)
	if _, err := fileio.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("journal: %w (nothing was changed)", err)
	}
	e := event{Event: evBegin, Lookup: j.Lookup, Placed: placed}
	if within > 0 {
		e.Within = within.String()
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		err = fileio.Write(filepath.Join(dir, "plan.json"), append(text, '\n'))
	}
	if err == nil {
		var jn *journal
		if jn, err = j.appending(newRun(id, p), p); err == nil {
			if err = jn.write(e); err == nil {
				return jn, nil
			}
			jn.file.Close()
		}
	}
	// A run that never began is none.
	return nil, errors.Join(fmt.Errorf("journal %s: %w (nothing was changed)", id, err), os.RemoveAll(dir))
}

func newID() string {
	var salt [3]byte
	rand.Read(salt[:])
	return time.Now().UTC().Format("20060102-150405") + "-" + hex.EncodeToString(salt[:])
}

type journal struct {
	file *os.File
	plan *plan.Plan

	mu   sync.Mutex
	run  *Run // with what has happened but could not be written: the disk is full
	torn bool // the last line may be half a line
}

// reopen goes on with a run's journal.
func (j Journals) reopen(ctx context.Context, id string) (*journal, error) {
	run, p, err := j.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	return j.appending(run, p)
}

func (j Journals) appending(run *Run, p *plan.Plan) (*journal, error) {
	f, err := fileio.Open(filepath.Join(j.Dir, run.ID, "journal.jsonl"), os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", run.ID, err)
	}
	err = claim(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("journal %s: %w", run.ID, err)
	}
	run.Gone = false
	return &journal{file: f, plan: p, run: run, torn: true}, nil
}

// write appends events and waits until they are on disk. What has happened has
// happened, written or not; what was about to has not. A run killed in the middle
// of a write left half a line: a blank line ends it.
func (j *journal) write(events ...event) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	var text []byte
	if j.torn {
		text = []byte("\n")
	}
	var err error
	for i := range events {
		events[i].Time = time.Now().UTC()
		line, lerr := json.Marshal(events[i])
		err = errors.Join(err, lerr)
		text = append(append(text, line...), '\n')
	}
	if err == nil {
		_, err = j.file.Write(text)
	}
	if err == nil {
		err = j.file.Sync()
	}
	j.torn = err != nil
	for _, e := range events {
		if err == nil || e.Event != evPrior && e.Event != evDoing {
			j.run.replay(e)
		}
	}
	if err != nil {
		return fmt.Errorf("journal %s: %w", j.run.ID, err)
	}
	return nil
}

// now is the run as far as it has come.
func (j *journal) now() *Run {
	j.mu.Lock()
	defer j.mu.Unlock()
	run := *j.run
	run.Steps = slices.Clone(run.Steps)
	run.wait(j.plan)
	return &run
}

// ids are those of all runs.
func (j Journals) ids() (ids []string, err error) {
	entries, err := os.ReadDir(j.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("journal: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() && runID.MatchString(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// Runs lists the runs, newest first. A journal that cannot be read is listed
// with its error and does not hide the others.
func (j Journals) Runs(ctx context.Context) (runs []Run, err error) {
	ids, err := j.ids()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		r, _, err := j.Load(ctx, id)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("journal: %w", context.Cause(ctx))
		}
		if err != nil {
			r = &Run{ID: id, Error: err.Error()}
		}
		runs = append(runs, *r)
	}
	slices.SortFunc(runs, func(a, b Run) int {
		// An id holds the second; several runs can begin in it.
		second := func(r Run) string { return r.ID[:min(len(r.ID), len("20060102-150405"))] }
		return cmp.Or(cmp.Compare(second(b), second(a)), b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return runs, nil
}

// Resolve gives the full id of a run: of "latest", or of the end of an id that
// only one run has. What it does not know it gives back: another machine's run.
func (j Journals) Resolve(id string) (string, error) {
	found, err := j.ids()
	if err != nil {
		return "", err
	}
	found = slices.DeleteFunc(found, func(own string) bool { return id != "latest" && !strings.HasSuffix("-"+own, "-"+id) })
	switch {
	case id == "latest" && len(found) == 0:
		return "", fmt.Errorf("latest: %w", ErrNoRun)
	case len(found) == 0:
		return id, nil
	case id != "latest" && len(found) > 1:
		return "", fmt.Errorf("%s may be any of %s", id, strings.Join(found, ", "))
	}
	return found[len(found)-1], nil
}

// ShortIDs are the ends of ids that Resolve takes for one run alone, of these that are all:
// the last part (94d129), more where two runs share it.
func ShortIDs(runs []Run) map[string]string {
	out := map[string]string{}
	for _, r := range runs {
		out[r.ID] = r.ID
		for i := strings.LastIndexByte(r.ID, '-'); i >= 0; i = strings.LastIndexByte(r.ID[:i], '-') {
			end := r.ID[i:]
			shared := slices.ContainsFunc(runs, func(x Run) bool { return x.ID != r.ID && strings.HasSuffix(x.ID, end) })
			if len(end) > 6 && !shared {
				out[r.ID] = end[1:]
				break
			}
		}
	}
	return out
}

// Remove forgets a run that has come to an end: it cannot be rolled back any more.
func (j Journals) Remove(run *Run) error {
	if !runID.MatchString(run.ID) || !run.Over() {
		return fmt.Errorf("run %s is %s: not removed", run.ID, run.Outcome)
	}
	return os.RemoveAll(filepath.Join(j.Dir, run.ID))
}

// What no journal exceeds, in bytes: the file, and one of its lines.
const (
	maxJournal = 64 << 20
	maxEvent   = 4 << 20
)

// mostTorn is how many of its lines may be cut off or empty: each killing leaves one.
const mostTorn = 1000

// Load reads a run back from its journal.
func (j Journals) Load(ctx context.Context, id string) (*Run, *plan.Plan, error) {
	if !runID.MatchString(id) {
		return nil, nil, fmt.Errorf("%q: %w", id, ErrNoRun)
	}
	dir := filepath.Join(j.Dir, id)
	text, err := decode.Read(ctx, filepath.Join(dir, "plan.json"), plan.MaxPlan)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s in %s: %w", id, j.Dir, ErrNoRun)
	}
	var p *plan.Plan
	if err == nil {
		p, err = plan.Parse("plan.json", text) // what is sent to undo a run is derived again, too
	}
	if err == nil {
		text, err = decode.Read(ctx, filepath.Join(dir, "journal.jsonl"), maxJournal)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("journal %s: %w", id, err)
	}
	r := newRun(id, p)
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, maxEvent)
	for torn := 0; sc.Scan() && err == nil; {
		var e event
		if jerr := decode.JSON("journal.jsonl", sc.Bytes(), &e, decode.Newer); jerr != nil {
			torn++ // each is the last line of a run that was killed while writing
			if torn > mostTorn {
				err = jerr
			}
			continue
		}
		r.replay(e)
	}
	if err = cmp.Or(err, sc.Err()); err != nil {
		return nil, nil, fmt.Errorf("journal %s: journal.jsonl: %w", id, err)
	}
	r.wait(p)
	r.Gone = r.Outcome == Running && !written(filepath.Join(dir, "journal.jsonl"))
	return r, p, nil
}
