package knowledge

import (
	"cmp"
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

// wrong collects what is wrong with something.
type wrong []string

func (w *wrong) unless(ok bool, format string, args ...any) {
	if !ok {
		*w = append(*w, fmt.Sprintf(format, args...))
	}
}

// among wants one of some words.
func (w *wrong) among(what, word string, words []string) {
	w.unless(slices.Contains(words, word), "%s %q is not one of %s", what, word, strings.Join(words, ", "))
}

// checkRules holds rules against the formal promises of the rule format.
// Whether their expressions compile is the audit's to say. With a catalogue,
// sources, attributes and fleets must exist in it.
func checkRules(rules []Rule, c *Catalog) []error {
	var errs []error
	seen := map[string]bool{}
	for _, r := range rules {
		var w wrong
		w.unless(r.ID != "" && !strings.ContainsAny(r.ID, "/ \t"), "an id without blanks and slashes is needed")
		w.unless(!seen[r.ID], "is listed twice")
		seen[r.ID] = true
		w.unless(r.Title != "" && r.Why != "", "title and why are needed")
		w.among("severity", r.Severity, severities)
		w.unless(r.Class.Valid(), "class %q is not one of O0 to O6", r.Class)
		w.among("confidence", r.Confidence, confidences)
		w.unless(len(r.Checks) > 0, "no checks")
		w.unless(!slices.Contains(r.Explains, r.ID), "it cannot explain itself")
		for i, check := range r.Checks {
			for _, text := range check.wrong(c) {
				w.unless(false, "check %d: %s", i+1, text)
			}
		}
		for _, k := range r.Cases {
			for _, text := range k.wrong(c) {
				w.unless(false, "case %q: %s", k.Name, text)
			}
		}
		for _, cited := range r.Sources {
			if c != nil {
				_, ok := c.Source(cited)
				w.unless(ok, "source %q is not in sources.yaml", cited)
			}
		}
		for _, text := range w {
			errs = append(errs, fmt.Errorf("%s: rule %s: %s", r.File, r.ID, text))
		}
	}
	return errs
}

func (check *Check) wrong(c *Catalog) (w wrong) {
	w.unless(len(check.Kind) > 0 && check.Condition != "", "kind and condition are needed")
	for _, k := range check.Kind {
		w.among("kind", k, kinds)
	}
	for _, s := range []string{check.Severity, check.Totals} {
		w.among("severity", cmp.Or(s, severities[0]), severities)
	}
	for _, g := range check.Grades {
		w.unless(g.When != "", "a grade needs when")
		w.among("severity", g.Severity, severities)
	}
	for _, m := range check.Remedy {
		w.unless(m.Attr != "" && m.Value != "", "a remedy needs attr and value")
		if c != nil && m.Of == "" && len(check.Kind) == 1 { // else the element is known at run time only
			layer := layerOf(check.Kind[0], m.Attr)
			_, ok := c.Attribute(layer, m.Attr)
			w.unless(ok, "the remedy sets %s, which layer %s does not have", m.Attr, layer)
		}
	}
	return w
}

func (k *Case) wrong(c *Catalog) (w wrong) {
	w.unless(k.Name != "" && len(k.Expect) > 0, "name and expect are needed")
	w.unless(c == nil || c.fleets[k.Fleet] != nil, "no fleet %q", k.Fleet)
	for _, e := range k.Expect {
		w.unless(strings.Contains(e.At, ":"), "expect at %q: want host:element", e.At)
		w.among("verdict", e.Verdict, verdicts)
	}
	return w
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
	y, err2 := ParseLevel(b)
	return slices.Compare(x, y), cmp.Or(err, err2)
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
