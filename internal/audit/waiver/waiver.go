package waiver

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/base/decode"
)

// maxFile bounds a file of waivers, in bytes.
const maxFile = 4 << 20

// Waiver is one accepted finding, or several of a kind.
type Waiver struct {
	Rules  rules  `yaml:"rule"`
	At     string `yaml:"at"`     // host or host:element, * for any text
	Reason string `yaml:"reason"` // why the site lives with it
	Last   string `yaml:"until"`  // the last day on which it holds
	Owner  string `yaml:"owner"`  // who decided; may be empty

	Until time.Time `yaml:"-"` // the first moment at which it no longer holds
	File  string    `yaml:"-"` // where it was read
	Line  int       `yaml:"-"` // its place in the file, counted from 1
}

// String names a waiver for messages: "site.yaml: waiver 2 (R040 at vios1:*)".
func (w *Waiver) String() string {
	return fmt.Sprintf("%s: waiver %d (%s at %s)", w.File, w.Line, strings.Join(w.Rules, ", "), w.At)
}

// rules are the ids of one rule or several.
type rules []string

func (r *rules) UnmarshalYAML(n *yaml.Node) error {
	var one string
	if n.Decode(&one) == nil {
		*r = rules{one}
		return nil
	}
	return n.Decode((*[]string)(r))
}

// Load reads a file of waivers. Each needs a rule, a place, a reason and a last
// day; what lacks one, or holds a key that does not exist, is an error that
// names it.
func Load(ctx context.Context, file string) ([]Waiver, error) {
	text, err := decode.Read(ctx, file, maxFile)
	if err != nil {
		return nil, fmt.Errorf("waivers: %w", err)
	}
	return Parse(file, text)
}

// Parse is Load of a text; name is what messages call it.
func Parse(name string, text []byte) ([]Waiver, error) {
	var doc struct {
		Waivers []Waiver `yaml:"waivers"`
	}
	if err := decode.YAML(name, text, &doc); err != nil {
		return nil, fmt.Errorf("waivers: %w", err)
	}
	var out []Waiver
	var errs []error
	for i, w := range doc.Waivers {
		w.File, w.Line = name, i+1
		w.At = strings.TrimSpace(w.At)
		w.Reason = strings.TrimSpace(w.Reason)
		if err := w.complete(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", &w, err))
			continue
		}
		out = append(out, w)
	}
	return out, errors.Join(errs...)
}

func (w *Waiver) complete() error {
	if len(w.Rules) == 0 {
		return errors.New("rule: want the id of the rule to waive")
	}
	for _, r := range w.Rules {
		if r == "" || strings.ContainsAny(r, "*/ \t") {
			return fmt.Errorf("rule %q: want the id of a rule (seaworthy rules ls)", r)
		}
	}
	if _, err := path.Match(w.At, ""); err != nil {
		return fmt.Errorf("at %q: %w", w.At, err)
	}
	switch {
	case w.At == "":
		return errors.New(`at: want host or host:element; "*" is everywhere`)
	case w.Reason == "":
		return errors.New("reason: want why the finding is accepted")
	case w.Last == "":
		return errors.New("until: want the last day on which it holds, such as 2027-03-31")
	}
	day, err := time.ParseInLocation(time.DateOnly, w.Last, time.Local)
	if err != nil {
		return fmt.Errorf("until %q: want a day such as 2027-03-31", w.Last)
	}
	w.Until = day.AddDate(0, 0, 1)
	return nil
}

// Waived is a finding that a site accepts.
type Waived struct {
	finding.Finding
	Reason string `json:"reason"`
	Until  string `json:"until"` // the last day
	Owner  string `json:"owner,omitempty"`
}

// Apply takes what is waived at a moment out of findings, whose order stays.
// Ineffective are messages about waivers that have expired or match no finding.
// One that matches a symptom of another finding is effective.
func Apply(findings []finding.Finding, waivers []Waiver, now time.Time) (left []finding.Finding, waived []Waived, ineffective []string) {
	if len(waivers) == 0 {
		return findings, nil, nil // no second list of a large fleet's
	}
	used := make([]bool, len(waivers))
	by := byPlace(waivers)
	for _, f := range findings {
		i := -1
		if f.Verdict == finding.Found {
			for _, k := range by.of(f.ID) {
				used[k] = true
				if now.Before(waivers[k].Until) && (i < 0 || k < i) {
					i = k
				}
			}
			for _, id := range f.Symptoms {
				for _, k := range by.of(id) {
					used[k] = true
				}
			}
		}
		if i < 0 {
			left = append(left, f)
			continue
		}
		w := &waivers[i]
		waived = append(waived, Waived{Finding: f, Reason: w.Reason, Until: w.Last, Owner: w.Owner})
	}
	for i := range waivers {
		w := &waivers[i]
		switch {
		case !now.Before(w.Until) && used[i]:
			ineffective = append(ineffective, fmt.Sprintf("%s expired after %s", w, w.Last))
		case !now.Before(w.Until):
			ineffective = append(ineffective, fmt.Sprintf("%s expired after %s and matches no finding: remove it", w, w.Last))
		case !used[i]:
			ineffective = append(ineffective, fmt.Sprintf("%s matches no finding of this audit", w))
		}
	}
	return left, waived, ineffective
}

// places finds the waivers of a finding, by their place in the list: many name many
// findings.
type places struct {
	list  []Waiver
	plain map[string][]int // by "R012/lpar1:en0", or "R012/lpar1" for all of a host
	any   map[string][]int // by rule, those whose place is a pattern
}

func byPlace(list []Waiver) places {
	p := places{list, map[string][]int{}, map[string][]int{}}
	for i, w := range list {
		for _, rule := range w.Rules {
			if strings.ContainsAny(w.At, `*?[\`) {
				p.any[rule] = append(p.any[rule], i)
			} else {
				p.plain[rule+"/"+w.At] = append(p.plain[rule+"/"+w.At], i)
			}
		}
	}
	return p
}

// of are the waivers of a finding by its id, R012/lpar1:en0, in no order.
func (p places) of(id string) []int {
	rule, at, _ := strings.Cut(id, "/")
	host, _, whole := strings.Cut(id, ":")
	out := slices.Clone(p.plain[id])
	if whole {
		out = append(out, p.plain[host]...)
	}
	for _, i := range p.any[rule] {
		pattern := p.list[i].At
		if !strings.Contains(pattern, ":") {
			pattern += ":*"
		}
		if there, _ := path.Match(pattern, at); there { // the pattern was checked when it was read
			out = append(out, i)
		}
	}
	return out
}
