package importer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// write makes a snapshot of each host, in the order of their names.
func (r *reader) write(ctx context.Context, dir string) ([]Host, error) {
	by := map[string][][]*part{} // of each host its readings, the earliest first
	for _, f := range r.files {
		for _, p := range f.parts {
			if !p.Stored {
				continue
			}
			k := key(p.Host)
			by[k] = append(by[k], make([][]*part, max(0, p.reading+1-len(by[k])))...)
			by[k][p.reading] = append(by[k][p.reading], p)
		}
	}
	var hosts []Host
	for _, k := range slices.SortedFunc(maps.Keys(by), model.Natural) {
		for n, parts := range by[k] {
			if err := ctx.Err(); err != nil || len(parts) == 0 {
				return hosts, err
			}
			at, last := dir, n == len(by[k])-1
			if !last {
				at = filepath.Join(dir, earlier, taken(parts).Format("20060102-150405"))
			}
			h, err := r.host(at, parts)
			if err != nil {
				return hosts, err
			}
			if !last {
				h.Warnings = append(h.Warnings, "an earlier reading of the host")
			}
			hosts = append(hosts, *h)
		}
	}
	return hosts, nil
}

// earlier is the folder of all readings but each host's last one: a folder per
// time, to compare with.
const earlier = "earlier"

// taken is when a reading was made: the latest of its times, of its files'
// where nothing says.
func taken(parts []*part) (t time.Time) {
	for _, p := range parts {
		if p.when.After(t) {
			t = p.when
		}
	}
	for _, p := range parts {
		if t.IsZero() || parts[0].when.IsZero() && p.file.time.After(t) {
			t = p.file.time
		}
	}
	return t
}

func (r *reader) host(dir string, parts []*part) (*Host, error) {
	h := &Host{Host: parts[0].Host, Found: parts[0].HostFrom}
	m := collect.Manifest{Started: taken(parts)}
	for _, p := range parts {
		if len(p.Host) > len(h.Host) {
			h.Host = p.Host
		}
		if sure(p.HostFrom) < sure(h.Found) {
			h.Found = p.HostFrom
		}
	}
	m.Host = h.Host
	list := votes(parts)
	platform, said, decision := r.platformOf(parts, list)
	m.Platform = platform
	h.Decision = append(hostCandidates(h.Host, parts), decision...)
	m.Finished = m.Started
	if had := parts[0].manifest; had != nil {
		m.User = had.User
		m.Started = had.Started
		m.Finished = had.Finished
		m.Gaps = slices.Clone(had.Gaps)
		m.Error = had.Error
	}
	switch {
	case platform == string(model.Unknown):
		m.Gaps = append(m.Gaps, model.Gap{What: model.PlatformGap, Why: whyUnknown(list)})
	case said == "" && platform != collect.PlatformHMC && doubtful(list):
		m.Gaps = append(m.Gaps, model.Gap{What: model.PlatformGap, Why: "taken from how few outputs look: " + sureBy})
	}
	for _, p := range parts {
		if d := recordOf(p); d.ID != p.found.ID {
			continue
		} else if detect.PerDevice(d.ID) && d.Element == "" {
			m.Gaps = append(m.Gaps, model.Gap{What: d.Line, Why: "which device it is about does not show from " + from(p)})
		}
	}
	w, err := collect.NewWriter(dir, m, false)
	if err != nil {
		return nil, err
	}
	if err = fill(w, parts); err == nil {
		h.Dir, err = w.Close()
	}
	if err != nil {
		w.Abort()
		return nil, err
	}
	h.Taken = m.Started
	h.Platform, h.Outputs = m.Platform, len(parts)
	if sure(h.Found) == guessed {
		h.Warnings = append(h.Warnings, "no text names the host: its name is only the "+h.Found)
	}
	return h, nil
}

// whyUnknown says why the platform of a host is not known, and what tells it.
func whyUnknown(list []vote) string {
	if system := foreignSystem(list); system != "" {
		return "its outputs are " + notRead(system)
	}
	return "no output tells it: " + sureBy
}

// sureBy is what to do where the platform of a host is not sure.
const sureBy = "import what uname -a (on a VIOS, ioslevel) prints along with them, or say it with --platform"

// fill adds the outputs of a host.
func fill(w *collect.Writer, parts []*part) error {
	several := values(parts)
	for _, p := range parts {
		if p.ofValue {
			same := several[slot(p)]
			if same[0] == p {
				if err := addValues(w, same); err != nil {
					return err
				}
			}
			continue
		}
		text, err := os.ReadFile(p.spill)
		if err == nil {
			err = w.Add(recordOf(p), text, nil)
		}
		if err != nil {
			return fmt.Errorf("import %s: %w", p.file.path, err)
		}
	}
	if parts[0].manifest == nil {
		return nil
	}
	for _, r := range parts[0].manifest.Commands { // one that had nothing to print answered all the same
		if r.Stdout == "" && r.Stderr == "" && r.Exit == 0 && r.Error == "" {
			if err := w.Add(r, nil, nil); err != nil {
				return fmt.Errorf("import %s: %w", r.Line, err)
			}
		}
	}
	return nil
}

// How sure a host's name is.
const (
	named    = iota // a text of it says so
	inferred        // others beside it do
	guessed         // only files and folders are called so
)

func sure(from string) int {
	switch {
	case strings.HasPrefix(from, "the only host"), strings.HasPrefix(from, "most outputs"), strings.HasPrefix(from, "most files"):
		return inferred
	case strings.HasPrefix(from, "file name"), strings.HasPrefix(from, "folder name"), strings.HasPrefix(from, "nothing"):
		return guessed
	}
	return named
}

// read are the devices whose attributes and statistics the inventory holds.
var read = parse.Lazy(`^(?:en\d+|ent\d+|sys0|inet0)$`)

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
	if f.Namespace != "" || p.foreign {
		r.ID, r.Element, r.Attribute = otherID, cmp.Or(f.Namespace, f.Kind), ""
		return r
	}
	if f.Family != registry.Linux && detect.PerDevice(f.ID) && strings.HasPrefix(f.ID, "ls") && !read.MatchString(f.Element) {
		r.ID = "lsattr-other"
	}
	return r
}

// platformOf is the platform of a host, as given or decided, who gave it, and what spoke for it and for others.
func (r *reader) platformOf(parts []*part, list []vote) (platform, saidBy string, decision []Candidate) {
	platform = decidePlatform(list)
	if had := parts[0].manifest; had != nil {
		platform, saidBy = had.Platform, "manifest beside it"
	}
	for _, p := range parts {
		if p.given != "" {
			platform, saidBy = p.given, "--map"
		}
	}
	if r.options.Platform != "" {
		platform, saidBy = r.options.Platform, "--platform"
	}
	setForeignApart(parts, platform, foreignSystem(list))
	return platform, saidBy, platformCandidates(platform, saidBy, list)
}
