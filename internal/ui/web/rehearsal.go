package web

import (
	"context"
	"fmt"
	"html/template"
	"slices"

	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/store"
)

// rehearsedPlan is the page of a rehearsal.
type rehearsedPlan struct {
	store.Result
	Text  template.HTML
	Plan  string // file of the plan, if it is in the folders
	Apply string // what applies it; empty: it did not go as planned, or its file is not here
}

// rehearsalText is a rehearsal as rehearse shows it, and the id of its plan if it may be applied.
type rehearsalText struct {
	text  template.HTML
	title string // of the plan
	good  bool
}

// rehearsal shows what a plan did in a copy of the network.
func (s *Server) rehearsal(r *request) (*view, error) {
	kept, err := r.kept(store.RehearsedPage)
	if err != nil {
		return nil, err
	}
	b := rehearsedPlan{Result: *kept}
	v := &view{Title: b.Title, Body: &b}
	got, done, err := s.jobs.do(fmt.Sprintf("rehearsal %d %s", r.state.Generation, b.File), func(ctx context.Context) (any, error) {
		of, err := store.ReadRehearsal(ctx, b.File)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.File, err)
		}
		text, err := printed(func(p *report.Document) { report.Rehearsal(p, of) })
		return rehearsalText{text, report.PlanTitle(of.Plan), of.AsPlanned}, err
	})
	if err != nil || !done {
		v.Busy = !done
		return v, err
	}
	shown := got.(rehearsalText)
	b.Text = shown.text
	for _, x := range r.state.Results {
		if x.Mode == store.Planned && x.Title == shown.title {
			b.Plan = x.File
		}
	}
	if b.Plan != "" && shown.good {
		b.Apply = commandLine(slices.Concat([]string{"seaworthy", "apply", b.Plan}, s.o.Running,
			[]string{"--confirm-within", "2m", "--require-rehearsal", b.File})...)
	}
	return v, nil
}
