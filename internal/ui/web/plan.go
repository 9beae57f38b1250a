package web

import (
	"context"
	"fmt"
	"html/template"
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/store"
)

type planned struct {
	Only    []string
	Host    string
	Groups  []finding.Group // that have a remedy, to choose from
	Pager   Pager
	Plan    *plan.Plan
	Steps   []step
	Total   string
	Command string
	Apply   string        // the saved plan
	Run     template.HTML // what became of a saved plan
	Undo    string        // takes the run back
	File    string        // of a saved plan
	Error   string
	Waiting bool
	All     bool // everything may be planned at once
}

// step is one of a plan, with its number.
type step struct {
	plan.Step
	N      int
	After  bool // of the plan after the reboots
	Reason string
}

const (
	stepsPerPage = 40
	allAtOnce    = 400 // hosts up to which everything is planned without a choice
)

// plan shows the steps that remove findings, with the commands to be copied.
func (s *Server) plan(r *request) (*view, error) {
	b := planned{Only: r.All("only"), Host: r.Get("host"), All: len(r.state.Rows) <= allAtOnce}
	v := &view{Title: "Plan", Body: &b}
	remedied := wanted(r.state, b.Only, b.Host)
	if len(b.Only) == 0 && b.Host == "" && r.Get("all") == "" || len(remedied) == 0 {
		if len(b.Only) > 0 || b.Host != "" {
			b.Error = "nothing of this can be planned: no finding of that id, rule or host has a remedy"
		}
		b.Groups, b.Pager = chosen(r.query, r.state.Groups, perPage, func(g finding.Group) bool {
			return len(g.Remedy) > 0 && matches(r.words(), g.Rule, g.Title)
		})
		return v, nil
	}
	key := fmt.Sprintf("plan %d %q %q", r.state.Generation, b.Only, b.Host)
	got, done, err := s.jobs.do(key, func(ctx context.Context) (any, error) {
		return plan.Simulator{Rules: s.o.Set, Now: audited(r.state)}.Build(ctx, r.state.Fleet, knowledge.BuiltIn(), plan.FromFindings(remedied))
	})
	if err != nil {
		return nil, err
	}
	if !done {
		b.Waiting, v.Busy = true, true
		return v, nil
	}
	b.takes(got.(*plan.Plan), r.query)
	b.Command = b.commandLine(s.words(r.state), remedied)
	b.Apply = commandLine(slices.Concat([]string{"seaworthy", "apply", "plan.json"}, s.o.Running, []string{"--confirm-within", "2m"})...)
	return v, nil
}

// saved shows a plan's file, or a run with its plan.
func (s *Server) saved(r *request) (*view, error) {
	kept, err := r.kept(store.PlannedPage)
	if err != nil {
		return nil, err
	}
	p, run, err := store.ReadPlan(r.Context(), kept.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kept.File, err)
	}
	b := planned{File: kept.File,
		Command: commandLine(slices.Concat([]string{"seaworthy", "apply", kept.File}, s.o.Running, []string{"--confirm-within", "2m"})...)}
	b.takes(p, r.query)
	if run != nil {
		b.Command = commandLine("seaworthy", "status", run.ID)
		if run.Outcome != execute.RolledBack {
			b.Undo = commandLine("seaworthy", "rollback", run.ID)
		}
		b.Run, err = printed(func(p *report.Document) { report.Run(p, run) })
	}
	return &view{Title: kept.Title, Body: b}, err
}

// audited is what the audit said of the hosts alone; nil where it compared them with earlier
// states of theirs.
func audited(state *store.State) []finding.Finding {
	if state.Before != nil {
		return nil
	}
	all := slices.Clone(state.Findings)
	for _, w := range state.Waived {
		all = append(all, w.Finding)
	}
	return all
}

// takes fills in the steps of a plan that the page shows.
func (b *planned) takes(p *plan.Plan, q query) {
	b.Plan, b.Total = p, report.Total(p)
	var all []step
	for ; p != nil; p = p.Next {
		for i, x := range p.Steps {
			all = append(all, step{Step: x, N: i + 1, After: p != b.Plan, Reason: knowledge.BuiltIn().Reason(x.Why)})
		}
	}
	b.Steps, b.Pager = paged(q, all, stepsPerPage)
}

// commandLine makes the plan's file. Of a host, whose findings may be many, it
// names each.
func (b *planned) commandLine(where []string, chosen []finding.Finding) string {
	only := b.Only
	if b.Host != "" {
		for _, f := range chosen {
			only = append(only, f.ID)
		}
	}
	words := slices.Concat([]string{"seaworthy", "plan"}, where)
	for _, x := range slices.Compact(slices.Sorted(slices.Values(only))) {
		words = append(words, "--only", x)
	}
	return commandLine(append(words, "-o", "plan.json")...)
}

// wanted are the findings with a remedy that are named by their ids, rules or
// host; all if nothing is named.
func wanted(state *store.State, only []string, host string) []finding.Finding {
	named := map[string]bool{}
	for _, id := range only {
		named[id] = true
	}
	var out []finding.Finding
	for _, f := range state.Findings {
		if f.Verdict != finding.Found {
			break // the others follow
		}
		if len(f.Remedy) > 0 && (len(only) == 0 || named[f.ID] || named[f.Rule]) && (host == "" || f.Element.Host == host) {
			out = append(out, f)
		}
	}
	return out
}
