package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"seaworthy/cli/command"
	"seaworthy/live"
	"seaworthy/safefile"
)

// record is a recording under way; nil: nothing is kept.
type record struct {
	path string
	file *os.File
	to   *live.Recorder
}

// newRecord makes the file of --record, which is for its owner alone: it holds
// all that the hosts printed.
func newRecord(f *topFlags, hosts []string) (*record, error) {
	if f.record == "" {
		return nil, nil
	}
	err := safefile.Create(f.record, nil)
	if errors.Is(err, fs.ErrExist) {
		return nil, command.Usage("top: --record %s: the file is there already", f.record)
	}
	if err != nil {
		return nil, err
	}
	file, err := safefile.Open(f.record, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	r := &record{path: f.record, file: file}
	if r.to, err = live.NewRecorder(file, time.Now(), f.every, hosts); err != nil {
		return nil, errors.Join(r.unsaved(err), file.Close())
	}
	return r, nil
}

func (r *record) add(e live.Event) error {
	if r == nil {
		return nil
	}
	return r.unsaved(r.to.Add(e))
}

func (r *record) close() error {
	if r == nil {
		return nil
	}
	return r.unsaved(r.file.Close())
}

func (r *record) unsaved(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: not written: %w", r.path, safefile.Cause(err))
}
