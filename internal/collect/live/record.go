package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// SchemaRecording names the format of a recording: JSON lines, the first of
// which is its heading.
const SchemaRecording = "seaworthy.top-recording/1"

// maxLine bounds a line of a recording that is read: one reading of a host.
const maxLine = 64 << 20

// ErrNotRecording is when a file is none.
var ErrNotRecording = errors.New("not a recording of seaworthy top")

type heading struct {
	Schema  string    `json:"schema"`
	Started time.Time `json:"started"`
	Every   float64   `json:"every_s"`
	Hosts   []string  `json:"hosts"`
}

// line is one event.
type line struct {
	Host     string    `json:"host"`
	At       time.Time `json:"at"`
	Platform string    `json:"platform,omitempty"`
	User     string    `json:"user,omitempty"`
	Whole    bool      `json:"whole,omitempty"`
	Outputs  []output  `json:"outputs,omitempty"`
	Lost     string    `json:"lost,omitempty"` // why; then there are no outputs
	Final    bool      `json:"final,omitempty"`
}

// output holds what one command printed.
type output struct {
	ID        string `json:"id"`
	Element   string `json:"element,omitempty"`
	Attribute string `json:"attribute,omitempty"`
	Command   string `json:"command"`
	Exit      int    `json:"exit,omitempty"`
	Problem   string `json:"problem,omitempty"`
	Text      string `json:"text,omitempty"`
	Bytes     []byte `json:"bytes,omitempty"` // in place of a text that is not UTF-8
}

// Recorder writes events as they come.
type Recorder struct{ enc *json.Encoder }

// NewRecorder writes the heading.
func NewRecorder(w io.Writer, started time.Time, every time.Duration, hosts []string) (*Recorder, error) {
	r := &Recorder{json.NewEncoder(w)}
	r.enc.SetEscapeHTML(false)
	return r, r.enc.Encode(heading{SchemaRecording, started.UTC(), every.Seconds(), hosts})
}

// Add writes one event.
func (r *Recorder) Add(e Event) error {
	if l := e.Lost; l != nil {
		return r.enc.Encode(line{Host: l.Host, At: l.At, Lost: l.Why, Final: l.Final})
	}
	x := e.Reading
	l := line{Host: x.Host, At: x.At, Platform: string(x.Platform), User: x.User, Whole: x.Whole, Outputs: []output{}}
	for _, o := range x.Outputs {
		out := output{ID: o.ID, Element: o.Element, Attribute: o.Attribute, Command: o.Command, Exit: o.Exit, Problem: o.Problem}
		if utf8.Valid(o.Text) {
			out.Text = string(o.Text)
		} else {
			out.Bytes = o.Text
		}
		l.Outputs = append(l.Outputs, out)
	}
	return r.enc.Encode(l)
}

// Recording is a file being read.
type Recording struct {
	Every time.Duration
	Hosts []string

	lines *bufio.Scanner
	n     int
}

// Open reads the heading; ErrNotRecording if there is none.
func Open(r io.Reader) (*Recording, error) {
	rec := &Recording{lines: bufio.NewScanner(r), n: 1}
	rec.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	if !rec.lines.Scan() {
		if err := rec.lines.Err(); err != nil {
			return nil, err
		}
		return nil, ErrNotRecording
	}
	var h heading
	switch err := decode.JSON("heading", rec.lines.Bytes(), &h, decode.Newer); {
	case err != nil || h.Schema == "":
		return nil, ErrNotRecording
	case h.Schema != SchemaRecording:
		return nil, fmt.Errorf("%w: %w", ErrNotRecording, decode.Format(h.Schema, SchemaRecording, "record again"))
	}
	rec.Every, rec.Hosts = time.Duration(h.Every*float64(time.Second)), h.Hosts
	return rec, nil
}

// Next is the next event; io.EOF after the last. A last line that was cut off,
// as where recording was ended in the middle, is left out.
func (r *Recording) Next() (Event, error) {
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return Event{}, fmt.Errorf("line %d: %w", r.n+1, err)
		}
		return Event{}, io.EOF
	}
	r.n++
	var l line
	err := decode.JSON("event", r.lines.Bytes(), &l, decode.Newer)
	if err == nil && l.Host == "" {
		err = errors.New("it names no host")
	}
	if err != nil {
		if !r.lines.Scan() && r.lines.Err() == nil {
			return Event{}, io.EOF
		}
		return Event{}, fmt.Errorf("line %d: %w", r.n, err)
	}
	if l.Lost != "" {
		return Event{Lost: &Lost{Host: l.Host, At: l.At, Why: l.Lost, Final: l.Final}}, nil
	}
	x := &collect.Reading{Host: l.Host, Platform: model.Platform(l.Platform), User: l.User, At: l.At, Whole: l.Whole}
	for _, o := range l.Outputs {
		text := o.Bytes
		if text == nil {
			text = []byte(o.Text)
		}
		x.Outputs = append(x.Outputs, assemble.Output{ID: o.ID, Element: o.Element, Attribute: o.Attribute, Command: o.Command,
			Exit: o.Exit, Problem: o.Problem, Text: text})
	}
	return Event{Reading: x}, nil
}

// maxShown bounds the hosts in all frames of a replay together: of a longer recording
// every other step is left out, and again, until they fit.
const maxShown = 2_000_000

// Frames replays a recording: the tree after each step, in which every host may be
// read once. It returns as soon as the context ends.
func Frames(ctx context.Context, rec *Recording) ([]*Frame, error) {
	r := replay{model: NewModel(rec.Hosts...), least: rec.Every / 2}
	if rec.Every <= 0 {
		r.least = Every / 2
	}
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e, err := rec.Next()
		if errors.Is(err, io.EOF) {
			r.end()
			return r.frames, nil
		}
		if err != nil {
			r.end()
			return r.frames, err
		}
		r.add(e)
	}
}

// replay makes the frames of a recording.
type replay struct {
	model  *Model
	least  time.Duration // of a step
	frames []*Frame
	shown  int // hosts in them
	begun  bool
	began  time.Time // of the step that goes on
}

// add takes an event. Hosts are read at about the same time: one step shows all of them.
func (r *replay) add(e Event) {
	at := e.At()
	if at.Before(r.model.at) {
		at = r.model.at
	}
	if !r.begun || at.Sub(r.began) >= r.least {
		r.end()
		r.begun = true
		r.began = at
	}
	r.model.Add(e)
}

// end makes the frame of the step that goes on.
func (r *replay) end() {
	if !r.begun {
		return
	}
	r.begun = false
	r.frames = append(r.frames, r.model.Frame())
	r.shown += len(r.model.hosts)
	if r.shown <= maxShown {
		return
	}
	kept := r.frames[:0]
	r.shown = 0
	for i := (len(r.frames) - 1) % 2; i < len(r.frames); i += 2 { // the last one stays
		kept = append(kept, r.frames[i])
	}
	clear(r.frames[len(kept):])
	r.frames = kept
	for _, f := range kept {
		for _, s := range f.Systems {
			r.shown += len(s.Hosts)
		}
	}
	r.least *= 2
}
