package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/ui/report"
)

// largestResult bounds a file that is read as a result.
const largestResult = 256 << 20

// journal is the file that turns the plan beside it into a run.
const journal = "journal.jsonl"

// Kinds of results that are no measurements.
const (
	Planned   = "plan"
	Applied   = "run of a plan"
	Rehearsed = "rehearsal of a plan"
)

// Result is a saved measurement, a plan or the run of one; trials and steps stay
// in the file.
type Result struct {
	File    string
	Mode    string    // run, compare, matrix; Planned, Applied, Rehearsed
	Title   string    // lpar1 → lpar2, Plan 1a2b3c
	Started time.Time // zero: a plan
	Summary []string
}

// Measured says whether it is a measurement.
func (r Result) Measured() bool { return r.Page() == MeasuredPage }

// Paths of the pages that show one result.
const (
	MeasuredPage  = "/result"
	PlannedPage   = "/saved"
	RehearsedPage = "/rehearsal"
)

// Page is the path of the page that shows it.
func (r Result) Page() string {
	switch r.Mode {
	case Planned, Applied:
		return PlannedPage
	case Rehearsed:
		return RehearsedPage
	}
	return MeasuredPage
}

// results reads what is saved in files, and says why others are no results.
func results(ctx context.Context, files []string) (out []Result, others []history.Passed, err error) {
	for _, file := range files {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		r, why := result(ctx, file)
		if why != nil {
			others = append(others, history.Passed{File: file, Reason: why.Error()})
			continue
		}
		if r != nil {
			out = append(out, *r)
		}
	}
	slices.SortStableFunc(out, func(a, b Result) int { return b.Started.Compare(a.Started) })
	return out, others, nil
}

// readFile reads a plain file: a pipe put in its place since it was listed would keep
// a thread for ever.
func readFile(ctx context.Context, file string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fileio.Cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fileio.Cause(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a plain file")
	}
	return decode.ReadFrom(ctx, file, f, limit)
}

// result is nil for what is part of something else: a run that bench made.
func result(ctx context.Context, file string) (*Result, error) {
	text, err := readFile(ctx, file, largestResult)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := decode.JSON("", text, &head, decode.Newer); err == nil && head.Schema == plan.Schema {
		p, run, err := ReadPlan(ctx, file)
		switch {
		case err != nil:
			return nil, err
		case run != nil && run.Lookup.Purpose != "" && run.Over():
			return nil, nil
		case run != nil:
			r := &Result{File: file, Mode: Applied, Started: run.Started}
			r.Title, r.Summary = report.Titled(run)
			return r, nil
		}
		r := &Result{File: file, Mode: Planned}
		r.Title, r.Summary = report.Titled(p)
		return r, nil
	}
	if head.Schema == rehearsed.Schema {
		of, err := rehearsed.Parse("", text)
		if err != nil {
			return nil, err
		}
		r := &Result{File: file, Mode: Rehearsed, Started: of.Started}
		r.Title, r.Summary = report.Titled(of)
		return r, nil
	}
	s, err := history.Parse(text)
	if err != nil {
		return nil, err
	}
	r := s.Result
	return &Result{File: file, Mode: r.Mode, Title: r.Options.From + " → " + r.Options.To, Started: s.Started,
		Summary: report.Summary(r)}, nil
}

// ReadPlan reads a saved plan, and its run if the file is in a run's folder; nil
// otherwise. As in apply, its commands have to be those that its changes need.
func ReadPlan(ctx context.Context, file string) (*plan.Plan, *execute.Run, error) {
	dir := filepath.Dir(file)
	if is, _ := os.Lstat(filepath.Join(dir, journal)); is != nil && filepath.Base(file) == "plan.json" {
		run, p, err := execute.Journals{Dir: filepath.Dir(dir)}.Load(ctx, filepath.Base(dir))
		return p, run, err
	}
	text, err := readFile(ctx, file, plan.MaxPlan)
	if err != nil {
		return nil, nil, err
	}
	p, err := plan.Parse(filepath.Base(file), text)
	return p, nil, err
}

// ReadRehearsal reads what a rehearsal found.
func ReadRehearsal(ctx context.Context, file string) (*rehearsed.Result, error) {
	text, err := readFile(ctx, file, rehearsed.MaxSize)
	if err != nil {
		return nil, err
	}
	return rehearsed.Parse(filepath.Base(file), text)
}

// ReadResult reads a saved measurement.
func ReadResult(ctx context.Context, file string) (*history.Saved, error) {
	text, err := readFile(ctx, file, largestResult)
	if err != nil {
		return nil, err
	}
	s, err := history.Parse(text)
	if err != nil {
		return nil, err
	}
	s.File = file
	return s, nil
}
