package store

import (
	"context"
	"slices"
	"time"

	"seaworthy/bench/history"
	"seaworthy/document"
	"seaworthy/report"
)

// largestResult bounds a file that is read as a result.
const largestResult = 256 << 20

// Result is a saved measurement; its trials stay in the file.
type Result struct {
	File    string
	Mode    string // run, compare, matrix
	Path    string // lpar1 → lpar2
	Started time.Time
	Summary []string
}

// results reads the saved measurements among files, and says why others are none.
func results(ctx context.Context, files []string) (out []Result, others []history.Passed, err error) {
	for _, file := range files {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		s, why := ReadResult(ctx, file)
		if why != nil {
			others = append(others, history.Passed{File: file, Reason: why.Error()})
			continue
		}
		r := s.Result
		out = append(out, Result{File: file, Mode: r.Mode, Path: r.Options.From + " → " + r.Options.To, Started: s.Started,
			Summary: report.Summary(r)})
	}
	slices.SortStableFunc(out, func(a, b Result) int { return b.Started.Compare(a.Started) })
	return out, others, nil
}

// ReadResult reads a saved measurement.
func ReadResult(ctx context.Context, file string) (*history.Saved, error) {
	text, err := document.Read(ctx, file, largestResult)
	if err != nil {
		return nil, cause(err)
	}
	s, err := history.Parse(text)
	if err != nil {
		return nil, err
	}
	s.File = file
	return s, nil
}
