package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/diagnosis"
	"seaworthy/internal/app/past"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
)

type diagnoseCommand struct {
	*commandLine
	request diagnosis.Request
	verbose bool
	history string // of --history; empty: none
	copied  bool   // --confirm-in-lab
}

func newDiagnose(a *commandLine) *cobra.Command {
	x := &diagnoseCommand{commandLine: a}
	q := &x.request
	q.Watch, q.Program = 5*time.Second, command.Built().String()
	c := a.command("diagnose", command.Flags{
		"since": &q.Since, "symptom": &q.Symptom, "for": &q.Watch, "no-ping": &q.NoPing,
		"load": &q.Load, "probes": &q.Probes, "verbose": &x.verbose, "history": &x.history, "confirm-in-lab": &x.copied,
	}, func(c *cobra.Command, argv []string) error {
		err := secondIsHost("diagnose", argv)
		if err != nil {
			return err
		}
		q.From, q.To, q.Args = argv[0], argv[1], argv[2:]
		return x.run(c.Context())
	})
	return a.Prints(c, diagnosed{})
}

func (x *diagnoseCommand) run(ctx context.Context) error {
	symptom := x.request.Symptom
	if symptom != "" && !slices.Contains(knowledge.Symptoms, symptom) {
		return command.Usage("--symptom %s: expected one of %s", symptom, strings.Join(knowledge.Symptoms, ", "))
	}
	r, err := x.request.Run(ctx, x.access())
	if err != nil {
		return err
	}
	onset, err := x.onset(ctx, r)
	if err != nil {
		return err
	}
	var status error
	switch r.Verdict {
	case diagnose.Found, diagnose.Settings:
		status = command.Exit(command.ExitNo, nil)
	case diagnose.Inconclusive:
		status = command.Exit(command.ExitInconclusive, nil)
	}
	d := diagnosed{r.Diagnosis, onset, r.Input}
	if x.copied {
		// The diagnosis stands, whatever becomes of its copy.
		err := x.confirmInCopy(ctx, d)
		if err != nil {
			status = err
		}
	}
	return x.Conclude(status, d, func(p *report.Document) {
		report.Diagnosis(p, d.Diagnosis, x.verbose)
		report.Onset(p, onset, x.verbose)
	})
}

// onset asks the history of --history since when the causes are there, and keeps the diagnosis there; nil without one.
func (x *diagnoseCommand) onset(ctx context.Context, r *diagnosis.Result) (*past.Onset, error) {
	if x.history == "" {
		return nil, nil
	}
	store, err := past.Open(ctx, x.access(), x.history)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	onset, err := past.OnsetOf(ctx, store, r.Diagnosis)
	if err != nil {
		return nil, err
	}
	_, err = past.AddDiagnosis(ctx, store, r.Diagnosis, r.Taken())
	return onset, err
}

// diagnosed is a diagnosis as it is printed, with what it judged.
type diagnosed struct {
	*diagnose.Diagnosis
	History *past.Onset `json:"history,omitempty"` // since when; nil: not asked

	in diagnose.Input
}

// PageTitle heads the page of -f html.
func (d diagnosed) PageTitle() string { return fmt.Sprintf("%s → %s: why it is slow", d.From, d.To) }

// PageSummary names the causes.
func (d diagnosed) PageSummary() []string { return report.Diagnosed(d.Diagnosis) }

// severities of causes in a drawing, by their certainty.
var severities = map[string]finding.Severity{"proved": finding.High, string(diagnose.Reproduced): finding.High,
	"likely": finding.Medium, "possible": finding.Low}

// Drawing is the path with the causes as notes, and the largest packet that was
// seen to pass both ways; nil if an end was not reached.
func (d diagnosed) Drawing() *drawing.Drawing {
	if d.in.Path == nil {
		return nil
	}
	o := drawing.Options{Proved: d.passedBothWays()}
	for _, c := range d.Causes {
		o.Findings = append(o.Findings, finding.Finding{Verdict: finding.Found, Severity: severities[c.Certainty], Rule: c.ID, Title: c.Title,
			Element: model.Ref{Host: c.Host, Element: c.Element}})
	}
	return drawing.Path(d.in.Fleet, d.in.Path, o)
}

// passedBothWays returns the size of the largest packet that was seen to pass in
// both directions; 0: one direction is not a proof of the other.
func (d diagnosed) passedBothWays() int {
	ways, largest := 0, 0
	for _, m := range d.Measured {
		if m.MTU == nil || m.MTU.Verdict != pathmtu.Whole {
			continue
		}
		ways++
		if largest == 0 || m.MTU.Largest < largest {
			largest = m.MTU.Largest
		}
	}
	if ways < 2 {
		return 0
	}
	return largest
}
