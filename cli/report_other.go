//go:build !linux

package cli

import (
	"errors"

	"seaworthy/report"
)

// replaySchemas are none where there is no lab: such files are passed over.
func replaySchemas() []string { return nil }

func printReplay(*report.Printer, []byte) error {
	return errors.New("a replay can be told on Linux only, where labs are")
}

func replayWithout([]byte) any { return nil }
