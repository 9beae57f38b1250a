package collect

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
	"seaworthy/inventory/assemble"
)

// Inventory makes the typed model of a host out of its snapshot. What the
// collector already missed stands in its gaps too.
func Inventory(s *Snapshot) (*inventory.Host, error) {
	m := s.Manifest
	outputs, err := outputs(s)
	if err != nil {
		return nil, err
	}
	h := assemble.Host(about(m), outputs)
	// Of a command that failed the collector has seen more than its output.
	h.Gaps = slices.DeleteFunc(h.Gaps, func(g inventory.Gap) bool {
		return slices.ContainsFunc(m.Gaps, func(have inventory.Gap) bool { return have.What == g.What })
	})
	h.Gaps = append(h.Gaps, m.Gaps...)
	if m.Error != "" {
		h.Gaps = append(h.Gaps, inventory.Gap{What: m.Host, Why: m.Error})
	}
	return h, nil
}

func about(m Manifest) assemble.About {
	return assemble.About{Name: m.Host, Platform: inventory.Platform(m.Platform), User: m.User, Taken: m.Started}
}

// outputs are a snapshot's commands in the order of its manifest.
func outputs(s *Snapshot) ([]assemble.Output, error) {
	out := make([]assemble.Output, len(s.Manifest.Commands))
	for i := range s.Manifest.Commands {
		r := &s.Manifest.Commands[i]
		o := assemble.Output{ID: r.ID, Element: r.Element, Attribute: r.Attribute, Command: r.Line, Exit: r.Exit, Problem: r.Error}
		if r.Stdout != "" {
			text, err := s.Text(r)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.Manifest.Host, r.Line, err)
			}
			o.Text = text
		}
		if r.Truncated {
			o.Problem = strings.TrimSpace(o.Problem + " output cut off: too long")
		}
		out[i] = o
	}
	return out, nil
}

// Inventories makes the typed model of every host in a folder that Fleet wrote.
// A host that cannot be read is in the error; the others are returned all the same.
func Inventories(dir string) (*inventory.Fleet, error) {
	f := &inventory.Fleet{}
	snaps, err := Open(dir)
	errs := []error{err}
	for _, s := range snaps {
		h, err := Inventory(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		f.Hosts = append(f.Hosts, h)
	}
	return f, errors.Join(errs...)
}
