package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/ui/report"
)

// reportSchema names the form of what report -f json prints.
const reportSchema = "seaworthy.report/1"

// reported is the report in JSON. Every trial is in the files that it names.
type reported struct {
	Schema string           `json:"schema"`
	Saved  []history.Saved  `json:"results"`
	Series []history.Series `json:"series"` // questions that were asked more than once
	Passed []history.Passed `json:"passed_over"`

	title string
}

// PageTitle heads the page of -f html.
func (r reported) PageTitle() string { return r.title }

func newReport(a *commandLine) *cobra.Command {
	c := a.command("report", nil, func(c *cobra.Command, argv []string) error { return a.runReport(c.Context(), argv) })
	return a.Prints(c, reported{})
}

func (a *commandLine) runReport(ctx context.Context, paths []string) error {
	files, err := history.Read(ctx, paths)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if len(files.Saved) == 0 {
		why := ""
		if n := len(files.Passed); n > 0 {
			why = fmt.Sprintf(" (%s: %s)", files.Passed[0].File, files.Passed[0].Reason)
		}
		return fmt.Errorf("report: no saved measurement in %s%s: bench run, compare and matrix save one with -o",
			strings.Join(paths, ", "), why)
	}
	series := files.Series()
	show := func(p *report.Document) {
		for i, s := range files.Saved {
			if i > 0 {
				p.Line("")
			}
			p.Heading(report.SavedTitle(s))
			if s.Result != nil {
				p.Lead(report.Summary(s.Result))
			}
			report.Measured(p, s.Result)
		}
		if len(series) > 0 {
			p.Line("")
		}
		report.Series(p, series)
		report.PassedOver(p, files.Passed)
	}
	out := reported{Schema: reportSchema, Saved: files.Saved, Series: series, Passed: files.Passed,
		title: report.MeasuredTitle(files.Saved)}
	if a.Format == "json" {
		out.Saved = withoutTrials(files.Saved)
	}
	return a.Answer(out, show)
}

// withoutTrials leaves out what is in the files.
func withoutTrials(all []history.Saved) []history.Saved {
	for i := range all {
		s := &all[i]
		short := *s.Result
		short.Trials = []measure.Trial{}
		s.Result = &short
	}
	return all
}
