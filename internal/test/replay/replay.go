package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"seaworthy/remote"
)

const (
	maxManifest = 16 << 20
	maxRecords  = 100_000
)

// ErrNotRecorded is the answer to a command that the snapshot does not have.
var ErrNotRecorded = errors.New("not in this snapshot")

// Host is one snapshot folder.
type Host struct {
	name    string
	root    *os.Root
	records map[string]record
}

// record is what a manifest says of one command; collect writes it.
type record struct {
	Line     string    `json:"line"`
	Via      string    `json:"via"`
	Stdout   string    `json:"stdout"`
	Stderr   string    `json:"stderr"`
	Exit     int       `json:"exit"`
	Start    time.Time `json:"start"`
	Duration int64     `json:"duration_ms"`
	Trunc    bool      `json:"truncated"`
	Error    string    `json:"error"`
}

// Open reads the manifest of a snapshot folder.
func Open(dir string) (*Host, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	h, err := open(dir, root)
	if err != nil {
		root.Close()
		return nil, err
	}
	return h, nil
}

func open(dir string, root *os.Root) (*Host, error) {
	text, err := read(root, "manifest.json", maxManifest)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", dir, err)
	}
	var m struct {
		Host        string   `json:"host"`
		Environment string   `json:"environment"`
		Commands    []record `json:"commands"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("snapshot %s: manifest.json: %w", dir, err)
	}
	if m.Host == "" {
		return nil, fmt.Errorf("snapshot %s: manifest.json names no host", dir)
	}
	if len(m.Commands) > maxRecords {
		return nil, fmt.Errorf("snapshot %s: manifest.json has %d commands, at most %d make sense", dir, len(m.Commands), maxRecords)
	}
	h := &Host{name: m.Host, root: root, records: map[string]record{}}
	for _, r := range m.Commands {
		// By the line itself, and as it was sent.
		h.records[r.Line] = r
		if m.Environment != "" && r.Via == "" {
			h.records[m.Environment+" "+r.Line] = r
		}
	}
	return h, nil
}

// read reads a plain file directly in the folder: no path, no link out of it.
func read(root *os.Root, name string, limit int64) ([]byte, error) {
	if name != filepath.Base(name) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("file name %q leads out of the snapshot", name)
	}
	st, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a plain file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	return text, nil
}

// Name is the host the snapshot was taken of.
func (h *Host) Name() string { return h.name }

// Close frees the folder.
func (h *Host) Close() error { return h.root.Close() }

// Run gives the recorded answer. A command that had not run to its end when it
// was recorded fails here as well, with what it had printed.
func (h *Host) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	if ctx.Err() != nil {
		return nil, h.fail(c.Line, remote.Stopped(ctx), "")
	}
	r, ok := h.records[c.Line]
	if !ok {
		return nil, h.fail(c.Line, ErrNotRecorded, "collect the host again with this version")
	}
	limit := c.MaxOutput
	if limit <= 0 {
		limit = remote.DefaultMaxOutput
	}
	res := &remote.Result{Exit: r.Exit, Start: r.Start, Duration: time.Duration(r.Duration) * time.Millisecond}
	stdout, stderr := remote.NewOutput(limit), remote.NewOutput(limit)
	for name, out := range map[string]*remote.Output{r.Stdout: stdout, r.Stderr: stderr} {
		if name == "" {
			continue
		}
		text, err := read(h.root, name, 4*remote.DefaultMaxOutput)
		if err != nil {
			return nil, h.fail(c.Line, fmt.Errorf("%w: %w", ErrNotRecorded, err), "the snapshot is damaged")
		}
		_, _ = out.Write(text) // an Output takes everything
	}
	res.Fill(stdout, stderr)
	res.Truncated = res.Truncated || r.Trunc
	if r.Error != "" {
		return res, h.fail(c.Line, fmt.Errorf("%w: when it was recorded: %s", ErrNotRecorded, r.Error), "")
	}
	return res, nil
}

// Start gives the recorded answer as streams; what is written to stdin goes
// nowhere, as the recording cannot react.
func (h *Host) Start(ctx context.Context, line string) (*remote.Session, error) {
	res, err := h.Run(ctx, remote.Command{Line: line})
	if err != nil {
		return nil, err
	}
	return &remote.Session{
		Stdin: nowhere{}, Stdout: bytes.NewReader(res.Stdout), Stderr: bytes.NewReader(res.Stderr),
		Wait:  func() (int, error) { return res.Exit, nil },
		Close: func() error { return nil },
	}, nil
}

func (h *Host) fail(line string, err error, hint string) error {
	return &remote.Error{Host: h.name, Command: line, Err: err, Hint: hint}
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }
