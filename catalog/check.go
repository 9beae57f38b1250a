package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// check holds the whole catalogue against its promises.
func (c *Catalog) check() []error {
	var errs []error
	for layer, list := range c.attributes {
		for i, a := range list {
			bad := func(format string, args ...any) {
				errs = append(errs, fmt.Errorf("attributes: %s %s: %s", layer, a.Name, fmt.Sprintf(format, args...)))
			}
			if i > 0 && list[i-1].Name == a.Name {
				bad("is listed twice")
			}
			c.checkAttribute(a, bad)
		}
	}
	return append(errs, checkRules(c.rules, c)...)
}

func (c *Catalog) checkAttribute(a Attribute, bad func(string, ...any)) {
	if a.Name == "" || a.Label == "" || a.Effective == "" {
		bad("name, label and effective are needed")
	}
	if !slices.Contains(types, a.Type) {
		bad("type %q is not one of %s", a.Type, strings.Join(types, ", "))
	}
	if !a.Class.Valid() {
		bad("class %q is not one of O0 to O6", a.Class)
	}
	if !slices.Contains(confidences, a.Confidence) {
		bad("confidence %q is not one of %s", a.Confidence, strings.Join(confidences, ", "))
	}
	if len(a.Read) == 0 || len(a.Set) == 0 && !a.ReadOnly {
		bad("commands to read and to set are needed")
	}
	if len(a.Sources) == 0 {
		bad("no source")
	}
	for _, s := range a.Sources {
		if _, ok := c.Source(s); !ok {
			bad("source %q is not in sources.yaml", s)
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min > *a.Max {
		bad("min %d is above max %d", *a.Min, *a.Max)
	}
	for _, d := range append(slices.Clone(a.Defaults), a.Implied...) {
		for _, level := range []string{d.From, d.Below} {
			if _, err := ParseLevel(level); level != "" && err != nil {
				bad("%v", err)
			}
		}
		if err := a.Accepts(d.Value); d.Value != "" && err != nil {
			bad("default: %v", err)
		}
	}
}

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
