// Package history reads results that bench and lab replay have saved, and finds
// those among them that answer the same question: the same load between the same
// hosts, measured at different times.
//
// Read takes files and folders. A file that is not a saved result is passed over and named
// with the reason, so that nothing is missing silently. Series puts the figures of
// like measurements in the order of time, each with its effect against the first.
// Such an effect is not paired: whatever else changed in between is in it. Only a
// comparison in interleaved blocks (bench compare) holds that apart.
package history

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/measure"
)

// Saved is one result in a file.
type Saved struct {
	File    string          `json:"file"`
	Result  *measure.Result `json:"result"`
	Schema  string          `json:"schema"`
	Started time.Time       `json:"started"`
}

// Passed is a file that is not a saved result.
type Passed struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Files hold what Read found, the results in the order they were measured.
type Files struct {
	Saved  []Saved  `json:"results"`
	Passed []Passed `json:"passed_over,omitempty"`
}

// Sizes that no saved result has.
const (
	largest = 256 << 20 // bytes of one file
	most    = 100_000   // files below one folder
)

// loopSchema is that of the whole loop, which holds its measurement.
const loopSchema = "seaworthy.loop/1"

// replaySchema begins the schemas of results that only the lab can show.
const replaySchema = "seaworthy.replay/"

// Read reads files, and every .json file below folders. A file that was named has
// to be a saved result; below a folder what is not is passed over.
func Read(ctx context.Context, paths []string) (*Files, error) {
	out := &Files{Saved: []Saved{}, Passed: []Passed{}}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, reason(err))
		}
		if !info.IsDir() {
			s, err := read(ctx, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			out.Saved = append(out.Saved, *s)
			continue
		}
		if err := out.folder(ctx, p); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out.Saved, func(a, b Saved) int {
		return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.File, b.File))
	})
	out.Saved = slices.CompactFunc(out.Saved, func(a, b Saved) bool { return a.File == b.File })
	return out, nil
}

func (f *Files) folder(ctx context.Context, dir string) error {
	seen := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			f.Passed = append(f.Passed, Passed{path, reason(err).Error()})
			return nil
		case d.IsDir() || filepath.Ext(path) != ".json":
			return nil
		case !d.Type().IsRegular():
			f.Passed = append(f.Passed, Passed{path, "no regular file"})
			return nil
		}
		seen++
		if seen > most {
			return fmt.Errorf("%s: more than %d files: name the folders that hold results", dir, most)
		}
		s, err := read(ctx, path)
		if err != nil {
			f.Passed = append(f.Passed, Passed{path, err.Error()})
			return nil
		}
		f.Saved = append(f.Saved, *s)
		return nil
	})
}

// reason leaves out the path, which the caller adds.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	if doc := (*decode.Error)(nil); errors.As(err, &doc) {
		if doc.Line == 0 {
			return errors.New(doc.Msg)
		}
		return fmt.Errorf("line %d: %s", doc.Line, doc.Msg)
	}
	return err
}

func read(ctx context.Context, path string) (*Saved, error) {
	text, err := decode.Read(ctx, path, largest)
	if err != nil {
		return nil, reason(err)
	}
	s, err := Parse(text)
	if err == nil {
		s.File = path
	}
	return s, err
}

// Parse reads the text of one file.
func Parse(text []byte) (*Saved, error) {
	var head struct {
		Schema  *string         `json:"schema"`
		Started time.Time       `json:"started"`
		Bench   json.RawMessage `json:"bench"`
	}
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return nil, errors.New("no saved result")
	}
	if err := decode.JSON("", text, &head, decode.Newer); err != nil {
		return nil, fmt.Errorf("cut off or damaged: %w", reason(err))
	}
	s := &Saved{Started: head.Started}
	if head.Schema != nil {
		s.Schema = *head.Schema
	}
	switch {
	case s.Schema == measure.Schema:
	case s.Schema == loopSchema && len(head.Bench) > 0:
		text = head.Bench
	case strings.HasPrefix(s.Schema, replaySchema):
		return nil, fmt.Errorf("%s is a replay of published experiments: seaworthy lab replay --show prints it", s.Schema)
	case s.Schema == "":
		return nil, errors.New("no saved result: it names no schema")
	default:
		return nil, decode.Format(s.Schema, measure.Schema, "measure again")
	}
	if err := decode.JSON("", text, &s.Result, decode.Newer); err != nil {
		return nil, fmt.Errorf("cut off or damaged: %w", reason(err))
	}
	if s.Result == nil || s.Result.Options.From == "" || len(s.Result.Options.Workloads) == 0 {
		return nil, errors.New("damaged: it does not say what was measured between whom")
	}
	return s, nil
}
