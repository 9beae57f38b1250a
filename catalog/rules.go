package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/document"
)

// maxRuleFile bounds a site's rule file, in bytes.
const maxRuleFile = 4 << 20

func decodeRules(name string, text []byte) ([]Rule, error) {
	var own struct {
		Rules []Rule `yaml:"rules"`
	}
	if err := document.YAML(name, text, &own); err != nil {
		return nil, err
	}
	return placed(name, own.Rules), nil
}

// placed notes where rules were read, and which attributes they set.
func placed(name string, rules []Rule) []Rule {
	for i := range rules {
		r := &rules[i]
		r.File = name
		for _, check := range r.Checks {
			for _, remedy := range check.Remedy {
				// Where the element is known at run time only, there is nothing to check here.
				if remedy.Of == "" && len(check.Kind) == 1 {
					r.Attributes = append(r.Attributes, RuleTarget{Layer: layerOf(check.Kind[0]), Name: remedy.Attr})
				}
			}
		}
	}
	return rules
}

// layerOf gives the layer in which the attributes of a judged kind are.
func layerOf(kind string) string {
	switch kind {
	case "tunables":
		return "no"
	case "host":
		return "vios"
	}
	return kind
}

// LoadRules reads a site's own rules: every *.yaml of the folder, in name
// order. They are checked as the built-in ones are; a site's sources need not
// be registered.
func LoadRules(ctx context.Context, dir string) ([]Rule, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("rules folder: %w", err)
		}
		return nil, fmt.Errorf("rules folder %s: no *.yaml file", dir)
	}
	var (
		all  []Rule
		errs []error
	)
	for _, name := range names {
		text, err := document.Read(ctx, name, maxRuleFile)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rules, err := decodeRules(name, text)
		errs = append(errs, err)
		all = append(all, rules...)
	}
	slices.SortStableFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	errs = append(errs, checkRules(all, nil)...)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

var (
	severities  = []string{"critical", "high", "medium", "low", "info"}
	confidences = []string{"high", "medium", "low"}
	verdicts    = []string{"PASS", "FINDING", "NOT_ASSESSED", "NOT_APPLICABLE"}
	kinds       = []string{"interface", "virtual-adapter", "vnic", "sea", "etherchannel", "physical-adapter", "vlan", "host", "tunables"}
	types       = []string{"int", "bool", "enum", "string", "list", "device", "address", "mac"}
)

// checkRules holds rules against the formal promises of the rule format.
// Whether their expressions compile is the audit's to say. With a catalogue,
// sources, attributes and fleets must exist in it.
func checkRules(rules []Rule, c *Catalog) []error {
	var errs []error
	seen := map[string]bool{}
	for _, r := range rules {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s: rule %s: %s", r.File, r.ID, fmt.Sprintf(format, args...)))
		}
		if r.ID == "" || strings.ContainsAny(r.ID, "/ \t") {
			bad("an id without blanks and slashes is needed")
		}
		if seen[r.ID] {
			bad("is listed twice")
		}
		seen[r.ID] = true
		if r.Title == "" || r.Why == "" {
			bad("title and why are needed")
		}
		if !slices.Contains(severities, r.Severity) {
			bad("severity %q is not one of %s", r.Severity, strings.Join(severities, ", "))
		}
		if !r.Class.Valid() {
			bad("class %q is not one of O0 to O6", r.Class)
		}
		if !slices.Contains(confidences, r.Confidence) {
			bad("confidence %q is not one of %s", r.Confidence, strings.Join(confidences, ", "))
		}
		if len(r.Checks) == 0 {
			bad("no checks")
		}
		for _, x := range r.Explains {
			if x == r.ID {
				bad("it cannot explain itself")
			}
		}
		for i, check := range r.Checks {
			checkCheck(check, func(format string, args ...any) {
				bad("check %d: %s", i+1, fmt.Sprintf(format, args...))
			})
		}
		for _, k := range r.Cases {
			checkCase(k, c, func(format string, args ...any) {
				bad("case %q: %s", k.Name, fmt.Sprintf(format, args...))
			})
		}
		if c == nil {
			continue
		}
		for _, cited := range r.Sources {
			if _, ok := c.Source(cited); !ok {
				bad("source %q is not in sources.yaml", cited)
			}
		}
		for _, t := range r.Attributes {
			if _, ok := c.Attribute(t.Layer, t.Name); !ok {
				bad("the remedy sets %s, which layer %s does not have", t.Name, t.Layer)
			}
		}
	}
	return errs
}

func checkCheck(check Check, bad func(string, ...any)) {
	if len(check.Kind) == 0 || check.Condition == "" {
		bad("kind and condition are needed")
	}
	for _, k := range check.Kind {
		if !slices.Contains(kinds, k) {
			bad("kind %q is not one of %s", k, strings.Join(kinds, ", "))
		}
	}
	for _, s := range []string{check.Severity, check.Totals} {
		if s != "" && !slices.Contains(severities, s) {
			bad("severity %q is not one of %s", s, strings.Join(severities, ", "))
		}
	}
	for _, g := range check.Grades {
		if g.When == "" || !slices.Contains(severities, g.Severity) {
			bad("a grade needs when, and a severity of %s", strings.Join(severities, ", "))
		}
	}
	for _, m := range check.Remedy {
		if m.Attr == "" || m.Value == "" {
			bad("a remedy needs attr and value")
		}
	}
}

func checkCase(k Case, c *Catalog, bad func(string, ...any)) {
	if k.Name == "" || len(k.Expect) == 0 {
		bad("name and expect are needed")
	}
	if c != nil {
		if _, ok := c.Fleet(k.Fleet); !ok {
			bad("no fleet %q", k.Fleet)
		}
	}
	for _, e := range k.Expect {
		if !strings.Contains(e.At, ":") {
			bad("expect at %q: want host:element", e.At)
		}
		if !slices.Contains(verdicts, e.Verdict) {
			bad("verdict %q is not one of %s", e.Verdict, strings.Join(verdicts, ", "))
		}
	}
}
