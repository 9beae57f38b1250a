package rule

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Report is the outcome of the rules' own test cases.
type Report struct {
	BuiltIn  Tally     `json:"built_in"`
	Site     Tally     `json:"site"` // of a site's own rules
	Failures []Failure `json:"failures,omitempty"`
	Untested []string  `json:"untested,omitempty"` // rules without a case
}

// Tally counts rules and their cases.
type Tally struct {
	Rules  int `json:"rules"`
	Cases  int `json:"cases"`
	Failed int `json:"failed"`
}

// Failure is a case that did not come out as expected.
type Failure struct {
	Rule string `json:"rule"`
	Case string `json:"case"`
	At   string `json:"at,omitempty"` // host:element
	Got  string `json:"got"`
	Want string `json:"want"`
}

func (f Failure) String() string {
	return fmt.Sprintf("rule %s, case %q, at %s: got %s, want %s", f.Rule, f.Case, f.At, f.Got, f.Want)
}

// Test runs the cases that rules bring with them. The error is of rules
// that do not compile or cases that cannot be built; what came out otherwise
// than expected is in the report.
func Test(ctx context.Context, rules []knowledge.Rule) (Report, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return Report{}, err
	}
	rep := Report{}
	for _, r := range rules {
		count := &rep.Site
		if r.BuiltIn {
			count = &rep.BuiltIn
		}
		count.Rules++
		set, err := Compile([]knowledge.Rule{r})
		if err != nil {
			return rep, err
		}
		if len(r.Cases) == 0 {
			rep.Untested = append(rep.Untested, r.ID)
		}
		for _, k := range r.Cases {
			count.Cases++
			fleet, opts, err := stage(cat, k)
			if err != nil {
				return rep, fmt.Errorf("%s: rule %s: case %q: %w", r.File, r.ID, k.Name, err)
			}
			found, err := set.Run(ctx, fleet, opts)
			if err != nil {
				return rep, err
			}
			if wrong := compareCase(r, k, found); len(wrong) > 0 {
				count.Failed++
				rep.Failures = append(rep.Failures, wrong...)
			}
		}
	}
	return rep, nil
}

// stage builds what a case is about.
func stage(cat *knowledge.Catalog, k knowledge.Case) (*model.Fleet, Options, error) {
	opts := Options{All: true}
	base, ok := cat.Fleet(k.Fleet)
	if !ok {
		return nil, opts, fmt.Errorf("no fleet %q", k.Fleet)
	}
	fleet, err := BuildFleet(base, k.With)
	if err != nil {
		return nil, opts, err
	}
	if k.Before != nil {
		if opts.Before, err = BuildFleet(base, k.With, k.Before); err != nil {
			return nil, opts, fmt.Errorf("before: %w", err)
		}
	}
	opts.Measured = k.Measured
	for _, pair := range k.Paths {
		from, to, ok := strings.Cut(pair, " ")
		fh, fe, ok1 := strings.Cut(from, ":")
		th, te, ok2 := strings.Cut(to, ":")
		if !ok || !ok1 || !ok2 {
			return nil, opts, fmt.Errorf("path %q: want two of host:interface", pair)
		}
		opts.Paths = append(opts.Paths, model.Path{From: model.Ref{Host: fh, Element: fe}, To: model.Ref{Host: th, Element: te}})
	}
	return fleet, opts, nil
}

// compareCase holds a case's findings against what it expects.
func compareCase(r knowledge.Rule, k knowledge.Case, found []finding.Finding) []Failure {
	var out []Failure
	bad := func(at, got, want string) {
		out = append(out, Failure{Rule: r.ID, Case: k.Name, At: at, Got: got, Want: want})
	}
	byRef := map[string]finding.Finding{}
	for _, f := range found {
		byRef[f.Element.String()] = f
	}
	expected := map[string]bool{}
	for _, e := range k.Expect {
		expected[e.At] = true
		f, ok := byRef[e.At]
		if !ok {
			bad(e.At, "nothing: the rule does not judge it", e.Verdict)
			continue
		}
		if string(f.Verdict) != e.Verdict {
			bad(e.At, strings.TrimSpace(string(f.Verdict)+" "+strings.Join(f.Missing, "; ")), e.Verdict)
			continue
		}
		var refs, settings []string
		for _, a := range f.Affects {
			refs = append(refs, a.String())
		}
		for _, m := range f.Remedy {
			settings = append(settings, m.Ref.String()+" "+m.Attr+"="+m.Value)
		}
		missing := strings.Join(f.Missing, "; ")
		for _, x := range []struct {
			right           bool
			what, got, want string
		}{
			{e.Severity == "" || e.Severity == string(f.Severity), "severity", string(f.Severity), e.Severity},
			{strings.Contains(missing, e.Missing), "missing:", missing, e.Missing},
			{f.Verdict != finding.NotAssessed || missing != "", "missing:", "nothing", "what is missing"},
			{e.Affects == nil || slices.Equal(refs, e.Affects), "affects", strings.Join(refs, " "), strings.Join(e.Affects, " ")},
			{e.Remedy == nil || slices.Equal(settings, e.Remedy), "remedy", strings.Join(settings, ", "), strings.Join(e.Remedy, ", ")},
		} {
			if !x.right {
				bad(e.At, x.what+" "+x.got, x.what+" "+x.want)
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(byRef)) {
		if byRef[at].Verdict == finding.Found && !expected[at] {
			bad(at, "FINDING", "no finding that the case does not name")
		}
	}
	return out
}
