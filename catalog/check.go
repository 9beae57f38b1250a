package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Accepts says why a value cannot be right, going by what the catalogue
// knows; nil means it may be. What the host itself allows (lsattr -R) wins.
func (a Attribute) Accepts(value string) error {
	if len(a.Values) > 0 {
		if slices.Contains(a.Values, value) {
			return nil
		}
		return fmt.Errorf("%s: %q is not one of %s", a.Name, value, strings.Join(a.Values, ", "))
	}
	if a.Type != "int" {
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%s: %q is not a number", a.Name, value)
	}
	if a.Min != nil && n < *a.Min || a.Max != nil && n > *a.Max {
		return fmt.Errorf("%s: %d is outside %s", a.Name, n, a.Range())
	}
	if a.Step != nil && *a.Step > 1 && a.Min != nil && (n-*a.Min)%*a.Step != 0 {
		return fmt.Errorf("%s: %d is not in %s", a.Name, n, a.Range())
	}
	return nil
}

// Range gives the allowed numbers in the form lsattr -R prints a range:
// "60...65535 (+1)". It is empty where no bound is known.
func (a Attribute) Range() string {
	if a.Min == nil || a.Max == nil {
		return ""
	}
	step := int64(1)
	if a.Step != nil {
		step = *a.Step
	}
	return fmt.Sprintf("%d...%d (+%d)", *a.Min, *a.Max, step)
}

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

// ParseLevel reads a software level: "7200-05-03-2148" or "7200-05" of AIX,
// "3.1.2.21" of a VIOS, "5.14.0-427.el9" of a Linux kernel. Levels of one
// platform compare by slices.Compare. What follows the first letter is dropped.
func ParseLevel(text string) ([]int, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '.' || r == '_' })
	var level []int
	for _, f := range fields {
		digits := len(f) - len(strings.TrimLeft(f, "0123456789"))
		if digits == 0 {
			break
		}
		n, err := strconv.Atoi(f[:digits])
		if err != nil {
			break
		}
		level = append(level, n)
		if digits < len(f) {
			break
		}
	}
	if len(level) == 0 {
		return nil, fmt.Errorf("level %q: no number at its start", text)
	}
	return level, nil
}

// CompareLevels orders two levels of one platform: -1, 0 or 1.
func CompareLevels(a, b string) (int, error) {
	x, err := ParseLevel(a)
	if err != nil {
		return 0, err
	}
	y, err := ParseLevel(b)
	if err != nil {
		return 0, err
	}
	return slices.Compare(x, y), nil
}

// Default gives the attribute's default at a level, or false where the
// catalogue has none for it. Without a level, only a default that holds at
// all levels counts.
func (a Attribute) Default(level string) (string, bool) {
	for _, d := range a.Defaults {
		if d.holds(level) {
			return d.Value, true
		}
	}
	return "", false
}

func (d Default) holds(level string) bool {
	from, err := CompareLevels(level, d.From)
	below, err2 := CompareLevels(level, d.Below)
	return (d.From == "" || err == nil && from >= 0) && (d.Below == "" || err2 == nil && below < 0)
}
