package redact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/parse/table"
)

// Copied says what Folder made.
type Copied struct {
	Hosts     map[string]string // original name → its replacement
	Dirs      map[string]string // original name → the copy's folder
	Ambiguous []string          // names that stay where nothing says that they are names
	LeftOut   []string          // kinds of outputs that were not copied
}

// Folder copies the snapshots in src to dst with everything replaced that must
// not be given away. Hosts that cannot be read are in the error; the others are
// copied all the same. A copy that is there of the same host stays, and is an error,
// without replace.
func Folder(ctx context.Context, src, dst string, k Key, replace bool) (*Copied, error) {
	snaps, err := collect.Open(src)
	if err != nil && len(snaps) == 0 {
		return nil, fmt.Errorf("redact: %w", err)
	}
	r := New(k)
	for _, s := range snaps {
		err := r.learnFrom(s)
		if err != nil {
			return nil, fmt.Errorf("redact: %w", err)
		}
	}
	out := &Copied{Hosts: map[string]string{}, Dirs: map[string]string{}, Ambiguous: slices.Sorted(maps.Keys(r.common))}
	for _, s := range snaps {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if err := r.snapshot(s, dst, out, replace); err != nil {
			return out, fmt.Errorf("redact: %w", err)
		}
	}
	slices.Sort(out.LeftOut)
	out.LeftOut = slices.Compact(out.LeftOut)
	return out, err
}

// learnFrom takes what a snapshot says to be names and numbers.
func (r *Redactor) learnFrom(s *collect.Snapshot) error {
	r.LearnName(s.Manifest.Host)
	r.LearnName(s.Manifest.User)
	for i := range s.Manifest.Commands {
		rec := &s.Manifest.Commands[i]
		text, err := s.Text(rec)
		said, err2 := s.Stderr(rec)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		r.Learn(slices.Concat(text, []byte("\n"), said, []byte("\n"+rec.Line)))
		r.table(rec, text)
	}
	return nil
}

// Snapshot copies a snapshot that stays in memory, and learns from it first. The redactor
// must know the names of other hosts that it may name.
func (r *Redactor) Snapshot(s *collect.Snapshot) (*collect.Snapshot, error) {
	err := r.learnFrom(s)
	if err != nil {
		return nil, fmt.Errorf("redact: %w", err)
	}
	m, kept := r.manifest(s, &Copied{})
	w := collect.NewMemoryWriter(m)
	for i := range kept {
		err = r.output(w, s, kept[i])
		if err != nil {
			return nil, fmt.Errorf("redact: %w", err)
		}
	}
	return w.Snapshot(), nil
}

// leftOut is why an output without a codec is not in the copy.
const leftOut = "left out of this copy: what is in it cannot be known to be harmless"

// manifest is that of a copy, without its commands, and those that are in the copy.
func (r *Redactor) manifest(s *collect.Snapshot, out *Copied) (m collect.Manifest, kept []collect.Record) {
	m = s.Manifest
	m.Host = r.key.Name(m.Host)
	m.User = names(r.key, m.User)
	m.Environment = ""
	m.Platform = r.String(m.Platform)
	m.Error = r.String(m.Error)
	m.Gaps = nil
	for _, g := range s.Manifest.Gaps {
		m.Gaps = append(m.Gaps, model.Gap{What: r.String(g.What), Why: r.String(g.Why)})
	}
	for _, rec := range s.Manifest.Commands {
		if e := registry.Find(rec.ID); rec.Stdout == "" || e != nil && e.Parse != nil {
			kept = append(kept, rec)
			continue
		}
		m.Gaps = append(m.Gaps, model.Gap{What: r.String(rec.Line), Why: leftOut})
		out.LeftOut = append(out.LeftOut, rec.ID)
	}
	return m, kept
}

// snapshot copies one host.
func (r *Redactor) snapshot(s *collect.Snapshot, dst string, out *Copied, replace bool) error {
	m, kept := r.manifest(s, out)
	w, err := collect.NewWriter(dst, m, replace)
	if err != nil {
		return err
	}
	var dir string
	for i := range kept {
		if err = r.output(w, s, kept[i]); err != nil {
			break
		}
	}
	if err == nil {
		dir, err = w.Close()
	}
	if err != nil {
		w.Abort()
		return err
	}
	out.Hosts[s.Manifest.Host], out.Dirs[s.Manifest.Host] = m.Host, dir
	return nil
}

func (r *Redactor) output(w *collect.Writer, s *collect.Snapshot, c collect.Record) error {
	text, err := s.Text(&c)
	said, err2 := s.Stderr(&c)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	text = r.Output(c.ID, c.Line, text)
	if registry.Find(c.ID) == nil {
		c.ID = r.String(c.ID)
	}
	c.Line = r.String(c.Line)
	c.Via = r.String(c.Via)
	c.Element = r.String(c.Element)
	c.Attribute = r.String(c.Attribute)
	c.Error = r.String(c.Error)
	c.From = "" // names of files and folders are the user's own
	return w.Add(c, text, []byte(r.String(string(said))))
}

// unread says where prose stands in an output: all of it, or the lines that its codec
// does not understand.
func unread(id, command string, text []byte) func(at int) bool {
	lines := map[int]bool{}
	if e := registry.Find(id); e != nil && e.Parse != nil && !prose[id] {
		v, err := e.Parse(text, command)
		if err == nil {
			for _, l := range v.Reading().Unknown {
				lines[l.Number] = true
			}
		}
		all := err != nil
		number, from := 1, 0
		return func(at int) bool { // places come in their order
			number, from = number+bytes.Count(text[from:at], []byte("\n")), at
			return all || lines[number]
		}
	}
	return func(int) bool { return true }
}

// attributes are the outputs of lsattr, and of lsdev that look the same.
var attributes = parse.Lazy(`^(?:lsattr-|lsdev-dev-attr$)`)

// Output replaces in one output of a command. A longer value in a table of
// lsattr would run into the columns behind it, which alone show what value is
// empty: its rows are aligned again.
func (r *Redactor) Output(id, command string, text []byte) []byte {
	l, err := lsattr.Parse(text)
	if !attributes.MatchString(id) || err != nil || l.Form.Kind != lsattr.Four {
		return r.text(id, text, unread(id, command, text))
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	rows := map[int]bool{}
	l.Attributes = slices.DeleteFunc(l.Attributes, func(a lsattr.Attribute) bool { return a.Value == nil })
	for i := range l.Attributes {
		a := &l.Attributes[i]
		name, v, _ := strings.Cut(string(r.Text(id, []byte(a.Name+" "+*a.Value))), " ") // the name says what the value is
		a.Name = name
		a.Value = &v
		a.Description = r.String(a.Description)
		rows[a.Line] = true
	}
	printed := alignAttributes(l.Attributes, l.Form.Heading)
	var heading []byte
	if l.Form.Heading {
		heading, printed = printed[0], printed[1:]
	}
	n := 0 // rows printed
	for i, line := range lines {
		switch {
		case n == 0 && l.Form.Heading && bytes.HasPrefix(line, []byte("attribute ")):
			lines[i] = heading
		case n < len(printed) && rows[i+1]:
			lines[i] = printed[n]
			n++
		default:
			lines[i] = r.Text(id, line)
		}
	}
	return bytes.Join(lines, nil)
}

// alignAttributes gives the lines of a table of attributes, each as long as the longest cells of its columns need.
func alignAttributes(attributes []lsattr.Attribute, heading bool) [][]byte {
	var rows [][]string
	if heading {
		rows = append(rows, []string{"attribute", "value", "description", "user_settable"})
	}
	for _, a := range attributes {
		rows = append(rows, []string{a.Name, *a.Value, a.Description, string(a.Settable)})
	}
	var lines [][]byte
	for _, line := range table.Align(rows) {
		lines = append(lines, []byte(line+"\n"))
	}
	return lines
}
