package tune

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/measure"
	"seaworthy/internal/tune/space"
)

// StudySchema names the form of a study's file: JSON lines, the first a Header, the
// others trials.
const StudySchema = "seaworthy.study/1"

// Header holds what a study was asked to do.
type Header struct {
	Schema    string           `json:"schema"`
	Started   time.Time        `json:"started"`
	From      string           `json:"from"` // HOST or HOST:ELEMENT, as asked
	To        string           `json:"to"`
	Goal      string           `json:"goal"`
	Workload  measure.Workload `json:"workload"`
	Options   Options          `json:"options"`
	MaxOutage string           `json:"max_outage"`
	SpaceName string           `json:"space_file,omitempty"` // a person's, with its text
	SpaceText string           `json:"space_text,omitempty"`
	Space     *space.Space     `json:"space"`
	Driver    bool             `json:"driver,omitempty"` // combinations came from outside
	Program   string           `json:"seaworthy,omitempty"`
}

// Trial is one measured combination.
type Trial struct {
	Number   int                `json:"trial"` // from 1
	Stage    Stage              `json:"stage"`
	Block    int                `json:"block"` // from 1, over all stages
	Place    int                `json:"place"` // in the block, from 1
	Of       int                `json:"of"`    // trials of the block
	Run      space.Run          `json:"run"`   // level of each factor
	Settings string             `json:"settings"`
	Started  time.Time          `json:"started"`
	Seconds  float64            `json:"seconds"`           // with putting settings on and off
	Value    *float64           `json:"value,omitempty"`   // of the goal's figure, in bench's unit
	Guard    string             `json:"guard,omitempty"`   // the guard rail that was broken
	Refused  string             `json:"refused,omitempty"` // why the plan of these settings was not carried out
	Plan     string             `json:"plan,omitempty"`
	Applied  string             `json:"run_id,omitempty"` // the run that put the settings on
	Figures  map[string]float64 `json:"figures,omitempty"`

	watch *watch // nil of one that was made before
	plot  plot
}

type studyLine struct {
	Study *Header `json:"study,omitempty"`
	Trial *Trial  `json:"done,omitempty"`
}

// Study is a study's file. Each trial is on disk before the next begins.
type Study struct {
	Header Header
	Path   string

	file *os.File
	past []Trial // to be taken again, of whole blocks
	n    int     // trials so far
}

// Create begins a study's file; there must be none of this name.
func Create(path string, h Header) (*Study, error) {
	h.Schema = StudySchema
	text, err := encode(studyLine{Study: &h})
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	if err := fileio.Create(path, text); errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("study %s: it is there already: --resume %[1]s goes on with it", path)
	} else if err != nil {
		return nil, fmt.Errorf("study %w", err)
	}
	s := &Study{Header: h, Path: path}
	return s, s.open()
}

// ErrInUse is when another program makes trials of the same study: each would measure
// what the other has set.
var ErrInUse = errors.New("another tune goes on with it now")

// open opens the file and takes its lock, which ends with this program however that ends.
func (s *Study) open() error {
	file, err := fileio.Open(s.Path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return s.named(err)
	}
	err = fileio.Lock(file)
	if errors.Is(err, fileio.ErrLocked) {
		err = ErrInUse
	}
	if err != nil {
		return errors.Join(s.named(err), file.Close())
	}
	s.file = file
	return nil
}

// maxStudy bounds a study's file, in bytes.
const maxStudy = 256 << 20

// Resume goes on with a study: the trials of its whole blocks count, those of a block
// that was broken off are measured again.
func Resume(ctx context.Context, path string) (*Study, error) {
	locked := &Study{Path: path}
	_, err := decode.Read(ctx, path, maxStudy) // opening would make a file that is not there
	if err != nil {
		return nil, locked.named(err)
	}
	err = locked.open()
	if err != nil {
		return nil, err
	}
	s, err := read(ctx, path)
	s.file = locked.file
	if err != nil {
		return nil, errors.Join(s.named(err), s.file.Close())
	}
	if _, err := s.file.WriteString("\n"); err != nil { // ends half a line
		return nil, errors.Join(s.named(err), s.file.Close())
	}
	return s, nil
}

// read reads a study's file; the study is never nil.
func read(ctx context.Context, path string) (*Study, error) {
	text, err := decode.Read(ctx, path, maxStudy)
	if err != nil {
		return &Study{Path: path}, err
	}
	return parse(path, text)
}

func parse(path string, text []byte) (*Study, error) {
	s := &Study{Path: path}
	var block []Trial
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, maxStudy)
	for n := 1; sc.Scan(); n++ {
		var l studyLine
		if err := decode.JSON(path, sc.Bytes(), &l, decode.Newer); err != nil {
			if n == 1 {
				return s, err
			}
			continue // half a line of a study that was killed
		}
		switch {
		case l.Study != nil && n == 1:
			s.Header = *l.Study
		case l.Trial != nil:
			if err := l.Trial.check(); err != nil {
				return s, fmt.Errorf("line %d: %w", n, err)
			}
			if l.Trial.Place == 1 {
				block = nil // the one before was broken off
			}
			block = append(block, *l.Trial)
			if len(block) == l.Trial.Of {
				s.past, block = append(s.past, block...), nil
			}
		}
	}
	if err := sc.Err(); err != nil {
		return s, err
	}
	if s.Header.Schema == "" || s.Header.Space == nil {
		return s, fmt.Errorf("it does not begin as a study of tune (%s) does", StudySchema)
	}
	return s, decode.Format(s.Header.Schema, StudySchema, "begin the study again")
}

// check refuses what no trial can be: anybody can write to a file.
func (t *Trial) check() error {
	switch v := t.Value; {
	case t.Place < 1 || t.Place > t.Of:
		return fmt.Errorf("trial %d: place %d of %d in its block", t.Number, t.Place, t.Of)
	case !(t.Seconds >= 0 && t.Seconds < 1e6):
		return fmt.Errorf("trial %d: it took %v s", t.Number, t.Seconds)
	case v == nil && t.Guard == "" && t.Refused == "":
		return fmt.Errorf("trial %d: no value", t.Number)
	case v != nil && !(*v > 0 && *v < 1e18):
		return fmt.Errorf("trial %d: its value is %v", t.Number, *v)
	}
	return nil
}

// Fits says how hosts differ from what a resumed study found there.
func (s *Study) Fits(now *space.Space) error {
	was, is := s.Header.Space.Factors, now.Factors
	both := min(len(was), len(is))
	for i, f := range slices.Concat(was, is[both:]) {
		if i >= both || !reflect.DeepEqual(f.Plain(), is[i].Plain()) {
			return fmt.Errorf("study %s: the hosts have changed since it began (%s): begin a new study", s.Path, f.Name)
		}
	}
	return nil
}

// Past is how many trials a resumed study has.
func (s *Study) Past() int { return len(s.past) }

// next is the trial that a resumed study has at this place; nil: it is yet to be made.
func (s *Study) next() *Trial {
	if s.n >= len(s.past) {
		return nil
	}
	s.n++
	return &s.past[s.n-1]
}

func (s *Study) add(t *Trial) error {
	text, err := encode(studyLine{Trial: t})
	if err == nil {
		_, err = s.file.Write(text)
	}
	if err == nil {
		err = s.file.Sync()
	}
	return s.named(err)
}

func (s *Study) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("study %s: %w", s.Path, fileio.Cause(err))
}

// encode gives a line in ASCII: what hosts printed controls no terminal that shows it.
func encode(l studyLine) ([]byte, error) {
	text, err := json.Marshal(l)
	var out []byte
	for _, r := range string(text) {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, `\u%04x`, u)
		}
	}
	return append(out, '\n'), err
}

// Close closes the file.
func (s *Study) Close() error { return s.file.Close() }
