package cli

import (
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
)

// answerOf prints an answer about hosts; the exit status says if some are missing.
func (a *commandLine) answerOf(got *fleet.Reading, data any, text func(p *report.Document)) error {
	return a.Conclude(completeness(got), data, text)
}

// completeness is the exit status of an answer that misses hosts.
func completeness(got *fleet.Reading) error {
	if got.Complete() {
		return nil
	}
	return command.Exit(command.ExitInconclusive, nil)
}
