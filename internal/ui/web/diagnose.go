package web

import (
	"context"
	"html/template"
	"slices"
	"strings"

	"seaworthy/internal/app/diagnosis"
	"seaworthy/internal/ui/report"
)

type diagnosed struct {
	From, To string
	Names    []string // to choose from
	Error    string
	Waiting  bool
	Text     template.HTML
	Command  string // the same on a terminal
	Live     string // the same with pings, over the running hosts; empty: none are watched
}

// diagnose says why a path is slow, as far as what was read shows it.
func (s *Server) diagnose(r *request) (*view, error) {
	b := diagnosed{From: r.Get("from"), To: r.Get("to"), Names: names(r.state)}
	v := &view{Title: "Diagnose", Body: &b}
	if b.From == "" || b.To == "" {
		return v, nil
	}
	v.Title = "Diagnose " + b.From + " → " + b.To
	where := commandLine(s.words(r.state)...)
	// What is measured is measured on the running hosts: a folder cannot be pinged.
	ends := commandLine(slices.Concat([]string{b.From, b.To}, s.o.Running)...)
	saved := diagnosis.Saved{From: b.From, To: b.To, Fleet: r.state.Fleet, Before: r.state.Before, Failed: map[string]string{},
		Ends: ends, Hosts: where}
	for _, x := range r.state.Readings {
		saved.Dirs = append(saved.Dirs, x.Dir)
	}
	got, done, err := s.jobs.do(strings.Join([]string{"diagnose", r.state.Read.String(), b.From, b.To}, "\n"),
		func(ctx context.Context) (any, error) { return saved.Run(ctx, nil) })
	if err != nil {
		b.Error = err.Error()
		return v, nil
	}
	if !done {
		b.Waiting, v.Busy = true, true
		return v, nil
	}
	b.Text, err = printed(func(d *report.Document) { report.Diagnosis(d, got.(*diagnosis.Result).Diagnosis, false) })
	b.Command = s.command(r.state, "diagnose", b.From, b.To)
	if s.o.Words != nil {
		b.Live = b.Command
		b.Command = ""
	}
	return v, err
}
