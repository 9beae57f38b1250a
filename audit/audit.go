package audit

import (
	"context"

	"seaworthy/audit/expr"
	"seaworthy/audit/finding"
	"seaworthy/audit/growth"
	"seaworthy/audit/rule"
	"seaworthy/catalog"
	"seaworthy/inventory"
)

// What an audit gives, by the names its users know.
type (
	Finding     = finding.Finding
	Evidence    = finding.Evidence
	Setting     = finding.Setting
	Verdict     = finding.Verdict
	Severity    = finding.Severity
	Group       = finding.Group
	MissingFact = finding.MissingFact
	Set         = rule.Set
	Options     = rule.Options
	Report      = rule.Report
	Failure     = rule.Failure
	Interval    = growth.Interval
	Fact        = expr.Fact
)

const (
	Pass          = finding.Pass
	Found         = finding.Found
	NotAssessed   = finding.NotAssessed
	NotApplicable = finding.NotApplicable

	Critical = finding.Critical
	High     = finding.High
	Medium   = finding.Medium
	Low      = finding.Low
	Info     = finding.Info
)

// Compile makes rules ready to judge by. Its error names every rule that does
// not compile, with its file.
func Compile(rules []catalog.Rule) (*Set, error) { return rule.Compile(rules) }

// Run judges a fleet by rules and gives one finding per rule and element it
// applies to, those of greatest impact first. What the inventory does not hold
// makes NOT_ASSESSED findings, never an error; the error is of rules that do
// not compile, or the context's.
func Run(ctx context.Context, fleet *inventory.Fleet, rules []catalog.Rule, opts Options) ([]Finding, error) {
	set, err := rule.Compile(rules)
	if err != nil {
		return nil, err
	}
	return set.Run(ctx, fleet, opts)
}

// TestRules runs the cases that rules bring with them.
func TestRules(ctx context.Context, rules []catalog.Rule) (Report, error) {
	return rule.Test(ctx, rules)
}

// Groups puts the FINDINGs of an audit together by cause.
func Groups(all []Finding) []Group { return finding.Groups(all) }

// SummarizeMissing sums up what NOT_ASSESSED findings miss.
func SummarizeMissing(all []Finding) []MissingFact { return finding.SummarizeMissing(all) }

// OnPath keeps the verdicts that concern a path.
func OnPath(all []Finding, p *inventory.Path) []Finding { return finding.OnPath(all, p) }

// Intervals says for each host that also has an earlier snapshot how far they
// are apart, and what happened to its counters in between.
func Intervals(now, before *inventory.Fleet) []Interval { return growth.Intervals(now, before) }

// Facts lists what the built-in rules ask for besides snapshots.
func Facts() []Fact { return expr.Facts() }
