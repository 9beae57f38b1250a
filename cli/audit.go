package cli

import (
	"cmp"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"seaworthy/audit"
	"seaworthy/catalog"
	"seaworthy/inventory"
	"seaworthy/report"
)

// SchemaFindings names the format of audit -f json.
const SchemaFindings = "seaworthy.findings/1"

// findings is what audit prints as JSON.
type findings struct {
	Schema   string          `json:"schema"`
	Hosts    []string        `json:"hosts"`
	Findings []audit.Finding `json:"findings"` // verdict FINDING, most severe first
	Notes    []audit.Finding `json:"notes"`    // the same of severity info: worth knowing, nothing wrong
	Groups   []audit.Group   `json:"groups"`   // findings and notes by cause, those of greatest impact first
	Others   []audit.Finding `json:"not_assessed"`
	Passed   int             `json:"passed"`
	Gaps     []hostGap       `json:"gaps"` // what a host did not tell
	Failed   []failedHost    `json:"failed"`
}

type hostGap struct {
	Host string `json:"host"`
	inventory.Gap
}

type failedHost struct {
	Host  string `json:"host,omitempty"` // not known if its folder is broken
	Error string `json:"error"`
}

type ruleFlags struct {
	dirs    []string
	disable []string
}

func (r *ruleFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&r.dirs, "rules", nil, "`folder` with a site's own rules; may be given more than once")
	c.Flags().StringSliceVar(&r.disable, "disable", nil, "rule `ids` not to run")
}

// load gives the built-in rules and the site's own, without the disabled ones.
func (r *ruleFlags) load(cat *catalog.Catalog) ([]catalog.Rule, error) {
	rules := cat.Rules()
	for _, d := range r.dirs {
		own, err := catalog.LoadRules(d)
		if err != nil {
			return nil, err
		}
		rules = append(rules, own...)
	}
	off := map[string]bool{}
	for _, id := range r.disable {
		off[id] = true
	}
	var on []catalog.Rule
	for _, rule := range rules {
		if off[rule.ID] {
			delete(off, rule.ID)
			continue
		}
		on = append(on, rule)
	}
	for id := range off {
		return nil, usage("--disable %s: there is no such rule (seaworthy rules ls)", id)
	}
	return on, nil
}

// compile gives them ready to judge by.
func (r *ruleFlags) compile() (*audit.Set, error) {
	cat, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	rules, err := r.load(cat)
	if err != nil {
		return nil, err
	}
	return audit.Compile(rules)
}

func (a *app) audit() *cobra.Command {
	var flags ruleFlags
	var failOn string
	var verbose bool
	c := &cobra.Command{
		Use:   "audit [DIR|HOST]...",
		Short: "Find what is wrong, with evidence and sources",
		Long: `Audit judges hosts by the rules of the catalogue: saved ones (a folder that
collect wrote) or live ones, which it only reads. With -i and no host it takes
every host of the inventory.

A rule that lacks a fact says NOT_ASSESSED and names the fact. Exit status 2 if
a finding is at or above --fail-on.`,
		Example: "  seaworthy audit today\n  seaworthy audit lpar1 vios1 vios2 lpar2\n  seaworthy audit -i lab -f json",
		RunE: func(c *cobra.Command, argv []string) error {
			if failOn != "never" && !known(failOn) {
				return usage("--fail-on %s: the severities are critical, high, medium, low, info and never", failOn)
			}
			defer spacious()()
			rules := sync.OnceValues(flags.compile)
			if slices.ContainsFunc(argv, func(arg string) bool { return !isSnapshot(arg) }) || len(argv) == 0 {
				// A word that is wrong is said before any host is asked.
				if _, err := rules(); err != nil {
					return err
				}
			} else {
				go rules() // while the folders are read
			}
			got, err := a.fleet(c.Context(), argv)
			set, wrong := rules()
			if err := cmp.Or(wrong, err); err != nil {
				return err
			}
			passed := 0
			all, err := set.Run(c.Context(), got.fleet, audit.Options{Passed: &passed})
			if err != nil {
				return err
			}
			told := summary(got, all, passed)
			view := report.Audited{Findings: all, Groups: told.Groups, Passed: passed, Verbose: verbose}
			got.fleet = nil // a large one makes room for what is printed
			if err := a.answer(told, func() { report.Audit(a.printer(), view) }); err != nil {
				return err
			}
			return a.verdict(got, all, failOn)
		},
	}
	flags.add(c)
	c.Flags().StringVar(&failOn, "fail-on", "medium", "exit with 2 at this `severity` or above: critical, high, medium, low, info, never")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "all of the notes, and what was missing for rules that could not be assessed")
	return c
}

func known(severity string) bool {
	switch audit.Severity(severity) {
	case audit.Critical, audit.High, audit.Medium, audit.Low, audit.Info:
		return true
	}
	return false
}

// summary sorts findings into their lists. They come sorted by verdict and
// severity, so that each list is a part of the whole.
func summary(got *fleet, all []audit.Finding, passed int) findings {
	f := findings{Schema: SchemaFindings, Hosts: []string{}, Passed: passed, Gaps: []hostGap{}, Failed: got.failed}
	for _, h := range got.fleet.Hosts {
		f.Hosts = append(f.Hosts, h.Name)
		for _, g := range h.Gaps {
			f.Gaps = append(f.Gaps, hostGap{h.Name, g})
		}
	}
	rest := all
	take := func(belongs func(audit.Finding) bool) []audit.Finding {
		n := slices.IndexFunc(rest, func(x audit.Finding) bool { return !belongs(x) })
		if n < 0 {
			n = len(rest)
		}
		list := rest[:n:n]
		rest = rest[n:]
		if list == nil {
			list = []audit.Finding{} // printed as [], not as null
		}
		return list
	}
	f.Findings = take(func(x audit.Finding) bool { return x.Verdict == audit.Found && x.Severity != audit.Info })
	f.Notes = take(func(x audit.Finding) bool { return x.Verdict == audit.Found })
	f.Others = take(func(x audit.Finding) bool { return x.Verdict == audit.NotAssessed })
	if f.Groups = audit.Groups(all); f.Groups == nil {
		f.Groups = []audit.Group{}
	}
	return f
}

// verdict turns findings into an exit status. A host that could not be read
// makes a clean audit inconclusive: silence is not health.
func (a *app) verdict(got *fleet, all []audit.Finding, failOn string) error {
	if failOn != "never" {
		for _, f := range all {
			if f.Verdict == audit.Found && f.Severity.AtLeast(audit.Severity(failOn)) {
				return &status{ExitNo, nil}
			}
		}
	}
	if len(got.failed) > 0 {
		return &status{ExitInconclusive, nil}
	}
	return nil
}
