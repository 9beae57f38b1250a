package serve

import (
	"context"
	"fmt"
	"html/template"
	"slices"

	"seaworthy/bench/history"
	"seaworthy/report"
	"seaworthy/serve/store"
)

type results struct {
	List  []store.Result
	Pager Pager
	Other template.HTML // files that are no measurements
}

// results lists saved measurements.
func (s *Server) results(r *request) (*view, error) {
	if err := r.whole(); err != nil {
		return nil, err
	}
	var all []store.Result
	for _, x := range r.state.Results {
		if matches(r.words(), x.File, x.Mode, x.Path) {
			all = append(all, x)
		}
	}
	b := results{}
	b.List, b.Pager = paged(r.query, all, perPage)
	others := r.state.Passed[:min(len(r.state.Passed), perPage)]
	var err error
	b.Other, err = printed(func(p *report.Printer) { report.PassedOver(p, others) })
	return &view{Title: "Results", Body: b}, err
}

type measured struct {
	store.Result
	Text    template.HTML
	Series  template.HTML // the same question, asked at other times
	Command string
}

// mostAlike is how many measurements of one question are compared.
const mostAlike = 20

// result shows a measurement as report does, and the same one of other times.
func (s *Server) result(r *request) (*view, error) {
	if err := r.whole(); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.state.Results, func(x store.Result) bool { return x.File == r.Get("file") })
	if i < 0 { // only files that were found are read
		return nil, missing("there is no result %s", r.Get("file"))
	}
	b := measured{Result: r.state.Results[i], Command: commandLine("seaworthy", "report", r.Get("file"), "-f", "html")}
	saved, err := store.ReadResult(r.Context(), b.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.File, err)
	}
	if b.Text, err = printed(func(p *report.Printer) { report.Measured(p, saved.Result) }); err != nil {
		return nil, err
	}
	var alike []string
	for _, x := range r.state.Results {
		if x.Path == b.Path && len(alike) < mostAlike {
			alike = append(alike, x.File)
		}
	}
	v := &view{Title: b.Path, Body: b}
	if len(alike) < 2 {
		return v, nil
	}
	got, done, err := s.jobs.do(fmt.Sprintf("series %d %s", r.state.Generation, b.Path), func(ctx context.Context) (any, error) {
		return history.Read(ctx, alike)
	})
	if err != nil || !done {
		v.Busy = !done
		return v, err
	}
	b.Series, err = printed(func(p *report.Printer) { report.Series(p, got.(*history.Files).Series()) })
	v.Body = b
	return v, err
}
