// Package finding holds what an audit found: verdicts with their evidence, grouped
// by cause, without the symptoms of a cause that is named, and a summary of the
// facts that were missing.
package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// Verdict of a rule on an element.
type Verdict string

const (
	Pass          Verdict = "PASS"
	Found         Verdict = "FINDING"
	NotAssessed   Verdict = "NOT_ASSESSED"
	NotApplicable Verdict = "NOT_APPLICABLE"
)

// Weight orders verdicts: what decides when several checks of a rule speak.
func (v Verdict) Weight() int {
	return slices.Index([]Verdict{Found, NotAssessed, Pass, NotApplicable}, v)
}

// Severity orders findings by impact.
type Severity string

const (
	Critical Severity = "critical" // loses traffic now
	High     Severity = "high"     // loses a large share of throughput or CPU
	Medium   Severity = "medium"
	Low      Severity = "low"
	Info     Severity = "info"
)

// Finding is one verdict, with all a reader needs to believe and act on it.
type Finding struct {
	ID       string      `json:"id"`   // stable over runs: R001/lpar1:en0
	Rule     string      `json:"rule"` // R001
	Title    string      `json:"title"`
	Verdict  Verdict     `json:"verdict"`
	Severity Severity    `json:"severity"`
	Element  model.Ref   `json:"element"`
	Evidence []Evidence  `json:"evidence,omitempty"`
	Missing  []string    `json:"missing,omitempty"` // NOT_ASSESSED: what was not known
	Why      string      `json:"why,omitempty"`
	Effect   string      `json:"effect,omitempty"` // expected, with the measured figures
	Cautions []string    `json:"cautions,omitempty"`
	Sources  []string    `json:"sources,omitempty"`
	Class    string      `json:"class,omitempty"` // outage class of the remedy, O0..O6
	Remedy   []Setting   `json:"remedy,omitempty"`
	Advice   []string    `json:"advice,omitempty"`   // what no setting can cure
	Affects  []model.Ref `json:"affects,omitempty"`  // clients of a wrong SEA, ...
	Symptoms []string    `json:"symptoms,omitempty"` // ids of findings that are consequences of this one
	Change   string      `json:"change,omitempty"`   // since an earlier snapshot: "new", "newly assessed", "still there"
	Defect   string      `json:"defect,omitempty"`   // of a known defect: Bites or MayBite
	Known    bool        `json:"-"`                  // it is about a known defect
	Signed   bool        `json:"-"`                  // of a known defect: it left a sign, whether or not the level is known to have it
	Specific bool        `json:"-"`                  // of a known defect: it left a sign that other causes do not leave
	Rare     bool        `json:"-"`                  // it rests on totals that are too few to be felt
	// Of what shows in a stream: the share of its throughput that it costs, 0 to 1, and
	// how sure that is: proved by growing counters or a measurement, likely or possible.
	Harm      float64 `json:"harm,omitempty"`
	Certainty string  `json:"certainty,omitempty"`
}

// Whether a known defect shows.
const (
	Bites   = "bites"    // its conditions hold, and it left a sign
	MayBite = "may bite" // its conditions hold, and no sign was seen
)

// presumed is 0 for what was seen, 1 for a known defect whose sign other causes leave too, or for totals that are too few to
// be felt, and 2 for a known defect that left no sign.
func (f Finding) presumed() int {
	switch {
	case f.Defect != "" && !f.Signed:
		return 2
	case f.Defect != "" && !f.Specific, f.Rare:
		return 1
	}
	return 0
}

// Evidence is an output line that proves a verdict.
type Evidence struct {
	Host    string `json:"host"`
	Command string `json:"command"`
	Line    int    `json:"line,omitempty"`
	Text    string `json:"text"`
}

// Setting is a wanted attribute value. The planner turns it into commands.
type Setting struct {
	model.Ref
	Attr  string `json:"attr"`
	Value string `json:"value"`

	AtLeast bool `json:"-"` // a larger value serves too
}

var order = []Severity{Critical, High, Medium, Low, Info}

// Word is the severity as it is printed: info is a note.
func (s Severity) Word() string {
	if s == Info {
		return "note"
	}
	return string(s)
}

// AdviceText is the advice with A B, the ends of a path, as the finding's host and a peer of it.
func (f *Finding) AdviceText() []string {
	var out []string
	for _, text := range f.Advice {
		if strings.Contains(text, " A B") {
			text = strings.ReplaceAll(text, " A B", " "+f.Element.Host+" PEER") + " PEER is the other end of a connection that is slow."
		}
		out = append(out, text)
	}
	return out
}

// Rank gives 0 for critical up to 4 for info; anything else ranks last.
func (s Severity) Rank() int {
	if i := slices.Index(order, s); i >= 0 {
		return i
	}
	return len(order)
}

// ExplainedBy is the command that says more of a finding's rule or known defect.
func (f *Finding) ExplainedBy() string {
	if f.Defect != "" {
		return "seaworthy defects show " + f.Rule
	}
	return "seaworthy rules show " + f.Rule
}

// Below is the next lower severity; of the lowest, itself.
func (s Severity) Below() Severity { return order[min(s.Rank()+1, len(order)-1)] }

// ParseSeverity reads a severity a user typed.
func ParseSeverity(text string) (Severity, error) {
	s := Severity(strings.ToLower(text))
	if !slices.Contains(order, s) {
		return "", fmt.Errorf("severity %q: critical, high, medium, low or info", text)
	}
	return s, nil
}

// AtLeast says whether s is as severe as min, or more.
func (s Severity) AtLeast(min Severity) bool { return s.Rank() <= min.Rank() }

// ByImpact orders findings before what passed, the severe first, of those the ones that were
// seen before defects without a sign, then those that more elements suffer from; then by rule and element.
func ByImpact(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Verdict.Weight(), b.Verdict.Weight()),
		cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
		a.presumed()-b.presumed(),
		cmp.Compare(len(b.Affects), len(a.Affects)),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Element.Host, b.Element.Host),
		model.Natural(a.Element.Element, b.Element.Element),
	)
}
