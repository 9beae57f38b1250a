package web

import (
	"context"
	"fmt"
	"html/template"

	"seaworthy/internal/measure/history"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/store"
)

type results struct {
	List  []store.Result
	Pager Pager
	Other template.HTML // files that are none
}

// results lists saved measurements, plans and runs.
func (s *Server) results(r *request) (*view, error) {
	b := results{}
	b.List, b.Pager = chosen(r.query, r.state.Results, perPage, func(x store.Result) bool {
		return matches(r.words(), x.File, x.Mode, x.Title)
	})
	others := r.state.Passed[:min(len(r.state.Passed), perPage)]
	var err error
	b.Other, err = printed(func(p *report.Document) { report.PassedOver(p, others) })
	return &view{Title: "Results", Body: b}, err
}

// kept is the result whose file is asked for. Only files that were found are read.
func (r *request) kept(page string) (*store.Result, error) {
	for _, x := range r.state.Results {
		if x.File == r.Get("file") && x.Page() == page {
			return &x, nil
		}
	}
	return nil, missing("there is no result %s", r.Get("file"))
}

type measured struct {
	store.Result
	Text    template.HTML
	Series  template.HTML // the same question, asked at other times
	Command string
}

// mostAlike is how many measurements of one question are compared.
const mostAlike = 20

// measuredText is a measurement as report shows it.
func measuredText(ctx context.Context, file string) (template.HTML, error) {
	saved, err := store.ReadResult(ctx, file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return printed(func(p *report.Document) { report.Measured(p, saved.Result) })
}

// result shows a measurement as report does, and the same one of other times.
func (s *Server) result(r *request) (*view, error) {
	kept, err := r.kept(store.MeasuredPage)
	if err != nil {
		return nil, err
	}
	b := measured{Result: *kept, Command: commandLine("seaworthy", "report", kept.File, "-f", "html")}
	text, done, err := s.jobs.do(fmt.Sprintf("result %d %s", r.state.Generation, b.File), func(ctx context.Context) (any, error) {
		return measuredText(ctx, b.File)
	})
	if err != nil || !done {
		return &view{Title: b.Title, Body: &b, Busy: !done}, err
	}
	b.Text = text.(template.HTML)
	var alike []string
	for _, x := range r.state.Results {
		if x.Measured() && x.Title == b.Title && len(alike) < mostAlike {
			alike = append(alike, x.File)
		}
	}
	v := &view{Title: b.Title, Body: &b}
	if len(alike) < 2 {
		return v, nil
	}
	got, done, err := s.jobs.do(fmt.Sprintf("series %d %s", r.state.Generation, b.Title), func(ctx context.Context) (any, error) {
		return history.Read(ctx, alike)
	})
	if err != nil || !done {
		v.Busy = !done
		return v, err
	}
	b.Series, err = printed(func(p *report.Document) { report.Series(p, got.(*history.Files).Series()) })
	return v, err
}
