package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What is built in keeps its promises: the program takes that for granted.
func TestBuiltInIsSound(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.check()...); err != nil {
		t.Error(err)
	}
}

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
	return append(append(errs, checkRules(c.rules, c)...), c.checkCosts()...)
}

var types = []string{"int", "bool", "enum", "string", "list", "device", "address", "mac"}

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
