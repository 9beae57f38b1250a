package redact

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"seaworthy/collect"
	"seaworthy/dialect/aix/lsattr"
	"seaworthy/inventory"
)

// Copied says what Folder made.
type Copied struct {
	Hosts     map[string]string // original name → its replacement
	Dirs      map[string]string // original name → the copy's folder
	Ambiguous []string          // names that stay where nothing says that they are names
}

// Folder copies the snapshots in src to dst with everything replaced that must
// not be given away. Hosts that cannot be read are in the error; the others are
// copied all the same.
func Folder(ctx context.Context, src, dst string, k Key) (*Copied, error) {
	snaps, err := collect.Open(src)
	if err != nil && len(snaps) == 0 {
		return nil, fmt.Errorf("redact: %w", err)
	}
	r := New(k)
	for _, s := range snaps {
		r.manifest(&s.Manifest)
		for i := range s.Manifest.Commands {
			for _, read := range []func(*collect.Record) ([]byte, error){s.Text, s.Stderr} {
				text, err := read(&s.Manifest.Commands[i])
				if err != nil {
					return nil, fmt.Errorf("redact: %w", err)
				}
				r.Learn(text)
			}
			if text, err := s.Text(&s.Manifest.Commands[i]); err == nil {
				r.lists(&s.Manifest.Commands[i], text)
			}
			r.Learn([]byte(s.Manifest.Commands[i].Line))
		}
	}
	out := &Copied{Hosts: map[string]string{}, Dirs: map[string]string{}, Ambiguous: r.Ambiguous()}
	slices.Sort(out.Ambiguous)
	for _, s := range snaps {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		dir, name, err := r.snapshot(s, dst)
		if err != nil {
			return out, err
		}
		out.Hosts[s.Manifest.Host], out.Dirs[s.Manifest.Host] = name, dir
	}
	return out, err
}

// snapshot copies one host.
func (r *Redactor) snapshot(s *collect.Snapshot, dst string) (dir, name string, err error) {
	m := s.Manifest
	name = r.key.Name(m.Host)
	m.Host = name
	if m.User != "root" && m.User != "padmin" && m.User != "" {
		m.User = r.key.Name(m.User)
	}
	m.Environment, m.Error = r.String(m.Environment), r.String(m.Error)
	m.Gaps = slices.Clone(m.Gaps)
	for i, g := range m.Gaps {
		m.Gaps[i] = inventory.Gap{What: r.String(g.What), Why: r.String(g.Why)}
	}
	w, err := collect.NewWriter(dst, m)
	if err != nil {
		return "", "", fmt.Errorf("redact: %w", err)
	}
	for i := range s.Manifest.Commands {
		if err := r.output(w, s, &s.Manifest.Commands[i]); err != nil {
			w.Abort()
			return "", "", fmt.Errorf("redact: %w", err)
		}
	}
	dir, err = w.Close()
	if err != nil {
		w.Abort()
		return "", "", fmt.Errorf("redact: %w", err)
	}
	return dir, name, nil
}

func (r *Redactor) output(w *collect.Writer, s *collect.Snapshot, rec *collect.Record) error {
	text, err := s.Text(rec)
	if err != nil {
		return err
	}
	said, err := s.Stderr(rec)
	if err != nil {
		return err
	}
	c := *rec
	c.Line, c.Error = r.String(c.Line), r.String(c.Error)
	c.From = "" // names of files and folders are the user's own
	return w.Add(c, r.Output(rec.ID, text), r.Text("", said))
}

// Output replaces in one output of a command. A longer value in a table of
// lsattr would run into the columns behind it, which alone show what value is
// empty: all rows are padded by as much.
func (r *Redactor) Output(id string, text []byte) []byte {
	switch id {
	case "lsattr-El", "lsattr-Dl", "lsdev-dev-attr", "lsattr-other":
	default:
		return r.Text(id, text)
	}
	l, err := lsattr.Parse(text)
	if err != nil || l.Form.Kind != lsattr.Four {
		return r.Text(id, text)
	}
	values, grow := map[int]string{}, 0 // by line
	for _, a := range l.Attributes {
		if a.Value != nil {
			values[a.Line] = r.value(a.Name, *a.Value)
			grow = max(grow, len(values[a.Line])-len(*a.Value))
		}
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if words := bytes.Fields(line); l.Form.Heading && len(words) == 4 && string(words[0]) == "attribute" {
			n := len(words[0])
			lines[i] = widen(line[:n], line[n:], words[1], string(words[1]), len(words[1])+grow)
		} else if _, ok := values[i+1]; !ok {
			lines[i] = r.Text(id, line)
		}
	}
	for _, a := range l.Attributes {
		if v, ok := values[a.Line]; ok {
			line := lines[a.Line-1]
			end := bytes.Index(line, []byte(a.Name)) + len(a.Name)
			lines[a.Line-1] = widen(line[:end], line[end:], []byte(*a.Value), v, len(*a.Value)+grow)
		}
	}
	return bytes.Join(lines, nil)
}

// widen replaces the first value behind a row's name, or the blanks of an empty
// one, by another, padded to a width.
func widen(name, rest, value []byte, by string, width int) []byte {
	at := max(bytes.Index(rest, value), 0)
	return slices.Concat(name, rest[:at], []byte(fmt.Sprintf("%-*s", width, by)), rest[at+len(value):])
}

// value replaces an attribute's value, with the name before it: it says what
// the value is.
func (r *Redactor) value(name, value string) string {
	if value == "" {
		return value
	}
	const gap = "  "
	got := r.Text("lsattr-El", []byte(name+gap+value+gap))
	if len(got) < len(name)+2*len(gap) || !bytes.HasPrefix(got, []byte(name+gap)) {
		return value
	}
	return string(got[len(name)+len(gap) : len(got)-len(gap)])
}
