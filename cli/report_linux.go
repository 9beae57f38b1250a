package cli

import (
	"encoding/json"
	"fmt"

	"seaworthy/lab/replay"
	"seaworthy/report"
)

// replaySchemas are those of results that a lab's replay saves.
func replaySchemas() []string { return []string{replay.Schema} }

func savedReplay(text []byte) (*replay.Result, error) {
	r := &replay.Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return r, nil
}

// printReplay prints the text of one.
func printReplay(p *report.Printer, text []byte) error {
	r, err := savedReplay(text)
	if err == nil {
		report.Replay(p, r)
	}
	return err
}

// replayWithout is one without its trials; nil if it is damaged.
func replayWithout(text []byte) any {
	r, err := savedReplay(text)
	if err != nil {
		return nil
	}
	for i := range r.Experiments {
		r.Experiments[i].Results = nil
	}
	return r
}
