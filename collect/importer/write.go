package importer

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"seaworthy/collect"
	"seaworthy/collect/importer/detect"
	"seaworthy/dialect"
	"seaworthy/dialect/registry"
	"seaworthy/inventory"
)

// write makes a snapshot of each host, in the order of their names.
func (r *reader) write(ctx context.Context, dir string) ([]Host, error) {
	by := map[string][]*part{}
	for _, f := range r.files {
		for _, p := range f.parts {
			if p.Stored {
				by[key(p.Host)] = append(by[key(p.Host)], p)
			}
		}
	}
	var hosts []Host
	for _, k := range slices.SortedFunc(maps.Keys(by), inventory.Natural) {
		if err := ctx.Err(); err != nil {
			return hosts, err
		}
		h, err := r.host(dir, by[k])
		if err != nil {
			return hosts, err
		}
		hosts = append(hosts, *h)
	}
	return hosts, nil
}

// host writes one host's snapshot.
func (r *reader) host(dir string, parts []*part) (*Host, error) {
	h := &Host{Host: parts[0].Host, Found: parts[0].HostFrom}
	m := collect.Manifest{}
	for _, p := range parts {
		if len(p.Host) > len(h.Host) {
			h.Host = p.Host
		}
		if sure(p.HostFrom) < sure(h.Found) {
			h.Found = p.HostFrom
		}
		if t := p.file.time; m.Started.IsZero() || t.After(m.Started) {
			m.Started = t
		}
	}
	m.Host, m.Platform = h.Host, platform(parts)
	m.Finished = m.Started
	if had := parts[0].manifest; had != nil {
		m.Platform, m.User, m.Started, m.Finished, m.Gaps, m.Error = had.Platform, had.User, had.Started, had.Finished, had.Gaps, had.Error
	}
	for _, p := range parts {
		if d := recordOf(p); d.ID != p.found.ID {
			continue
		} else if detect.PerDevice(d.ID) && d.Element == "" {
			m.Gaps = append(m.Gaps, inventory.Gap{What: d.Line, Why: "which device it is about does not show from " + from(p)})
		}
	}
	w, err := collect.NewWriter(dir, m)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		text, err := os.ReadFile(p.spill)
		if err == nil {
			err = w.Add(recordOf(p), text, nil)
		}
		if err != nil {
			w.Abort()
			return nil, fmt.Errorf("import %s: %w", p.file.path, err)
		}
	}
	if had := parts[0].manifest; had != nil {
		// A command that had nothing to print answered all the same.
		for _, r := range had.Commands {
			if r.Stdout == "" && r.Stderr == "" && r.Exit == 0 && r.Error == "" {
				if err := w.Add(r, nil, nil); err != nil {
					w.Abort()
					return nil, fmt.Errorf("import %s: %w", r.Line, err)
				}
			}
		}
	}
	if h.Dir, err = w.Close(); err != nil {
		w.Abort()
		return nil, err
	}
	h.Platform, h.Outputs = m.Platform, len(parts)
	if sure(h.Found) == guessed {
		h.Warnings = append(h.Warnings, "no text names the host: its name is only the "+h.Found)
	}
	return h, nil
}

// How sure a host's name is.
const (
	named    = iota // a text of it says so
	inferred        // others beside it do
	guessed         // only files and folders are called so
)

func sure(from string) int {
	switch {
	case strings.HasPrefix(from, "the only host"):
		return inferred
	case strings.HasPrefix(from, "file name"), strings.HasPrefix(from, "folder name"), strings.HasPrefix(from, "nothing"):
		return guessed
	}
	return named
}

func from(p *part) string { return fmt.Sprintf("%s:%d", p.file.path, p.Line) }

// read are the devices whose attributes and statistics the inventory holds.
var read = dialect.Lazy(`^(?:en\d+|ent\d+|sys0|inet0)$`)

// recordOf is an output's entry in the manifest. An output about a device that
// is not part of the network keeps its text but not the name under which the
// inventory would read it.
func recordOf(p *part) collect.Record {
	f := p.found
	if p.record != nil {
		r := *p.record
		r.From = from(p)
		return r
	}
	r := collect.Record{ID: f.ID, Element: f.Element, Attribute: f.Attribute, Line: f.Command, Start: p.file.time, From: from(p),
		Truncated: p.file.cutOff}
	if f.Family != registry.Linux && detect.PerDevice(f.ID) && strings.HasPrefix(f.ID, "ls") && !read.MatchString(f.Element) {
		r.ID = "lsattr-other"
	}
	return r
}

// platform is what a host must be to print what it printed.
func platform(parts []*part) string {
	has := map[registry.Family]bool{}
	for _, p := range parts {
		has[p.found.Family] = true
	}
	for _, f := range []registry.Family{registry.VIOS, registry.AIX, registry.Linux, registry.HMC} {
		if has[f] {
			return string(f) // the platforms have the families' names
		}
	}
	return string(inventory.Unknown)
}
