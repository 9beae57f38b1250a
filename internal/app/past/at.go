package past

import (
	"context"
	"fmt"
	"strings"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Host is what was known of a host at a time.
type Host struct {
	Name        string       `json:"host"`
	At          time.Time    `json:"at"`
	Span        history.Span `json:"seen"`
	Facts       []Attribute  `json:"facts"`
	Findings    []Verdict    `json:"findings"`
	NotAssessed int          `json:"not_assessed"` // verdicts for which a fact was missing
}

// Attribute is a fact with its layers; nil: not known.
type Attribute struct {
	Element  string    `json:"element"`
	What     string    `json:"what"`
	Running  *string   `json:"running,omitempty"`
	NextBoot *string   `json:"next_boot,omitempty"`
	Default  *string   `json:"default,omitempty"`
	Since    time.Time `json:"since"`            // that all of them hold
	Unread   bool      `json:"unread,omitempty"` // an earlier snapshot showed them, this one did not
}

// Verdict is a finding and since when it is there.
type Verdict struct {
	model.Ref
	Rule  string    `json:"rule"`
	Title string    `json:"title,omitempty"`
	Since time.Time `json:"since"`
}

// HostAt gives what was known of HOST or HOST:ELEMENT at a time.
func HostAt(ctx context.Context, store *history.Store, where string, at time.Time) (*Host, error) {
	name, element, _ := strings.Cut(where, ":")
	out := &Host{Name: name, At: at, Facts: []Attribute{}, Findings: []Verdict{}}
	held, err := store.At(ctx, name, element, at)
	if err != nil {
		return nil, err
	}
	spans, err := store.Hosts(ctx, at, name)
	if err != nil {
		return nil, err
	}
	if len(spans) == 0 || spans[0].Snapshots == 0 {
		return nil, fmt.Errorf("host %s was not read up to %s UTC", name, at.Format(time.DateTime))
	}
	out.Span = spans[0]
	titles := map[string]string{}
	for _, r := range knowledge.BuiltIn().Rules() {
		titles[r.ID] = r.Title
	}
	for _, h := range held {
		switch {
		case h.Layer == history.Finding && h.Unread:
		case h.Layer == history.Finding && h.Value == string(finding.Found):
			out.Findings = append(out.Findings, Verdict{h.Ref, h.Attribute, titles[h.Attribute], h.Since})
		case h.Layer == history.Finding:
			out.NotAssessed++
		default:
			out.add(h)
		}
	}
	return out, nil
}

// add adds a fact to the others of its element and attribute, which come one after the other.
func (h *Host) add(f history.Held) {
	n := len(h.Facts)
	if n == 0 || h.Facts[n-1].Element != f.Element || h.Facts[n-1].What != f.Attribute || h.Facts[n-1].Unread != f.Unread {
		h.Facts = append(h.Facts, Attribute{Element: f.Element, What: f.Attribute, Since: f.Since, Unread: f.Unread})
		n++
	}
	a := &h.Facts[n-1]
	switch f.Layer {
	case history.Running:
		a.Running = &f.Value
	case history.NextBoot:
		a.NextBoot = &f.Value
	case history.Default:
		a.Default = &f.Value
	}
	if f.Since.After(a.Since) {
		a.Since = f.Since
	}
}
