package commands

import (
	"context"
	"fmt"
	"slices"

	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func lsattrCommand() command {
	return command{
		run: runLsattr,
		aix: &form{
			flags: "DEPROHF:l:c:s:t:a:f:hZ:",
			help:  true,
			usage: `lsattr {-D | -E | -P} [-O | -F Format] -l Name [-a Attribute]... [-H]
lsattr {-D [-O] | -F Format} {[-c Class] [-s Subclass] [-t Type]} [-a Attribute]... [-H]
lsattr -R {-l Name | [-c Class] [-s Subclass] [-t Type]} -a Attribute [-H]`,
		},
	}
}

// runLsattr prints what the database says. -E is the value of the next boot:
// after chdev -P it differs from what the device works with, which is -P.
func runLsattr(_ context.Context, c *call) error {
	forms := slices.DeleteFunc([]string{"D", "E", "P", "R"}, func(f string) bool { return !c.Has(f) })
	if len(forms) == 0 && !c.Has("F") {
		return flags.Usagef("one of -D, -E, -P, -R, -F is required")
	}
	if len(forms) > 1 || c.Has("R") && c.Has("F") {
		return flags.Usagef("-D, -E, -P and -R exclude each other, and -R excludes -F")
	}
	d, err := deviceOf(c)
	if err != nil {
		return err
	}
	form := lsattr.El()
	if format, ok := c.Get("F"); ok {
		form = lsattr.F(format)
	} else if c.Has("O") {
		form.Kind = lsattr.Names
	} else if c.Has("D") {
		form = lsattr.F("attribute deflt description user_settable")
	}
	form.Heading = c.Has("H")
	return printAttributes(c, d, c.All("a"), form)
}

// printAttributes prints the attributes named, or all; with -R or -range what
// they may be.
func printAttributes(c *call, device string, names []string, form lsattr.Form) error {
	attrs, err := c.db.Attributes(device)
	if err != nil {
		return err
	}
	var chosen []odm.Attribute
	for _, n := range names {
		i := slices.IndexFunc(attrs, func(a odm.Attribute) bool { return a.Name == n })
		if i < 0 {
			return odm.NoAttribute(n)
		}
		chosen = append(chosen, attrs[i])
	}
	if c.Has("R") || c.Has("range") {
		return printAllowed(c, chosen)
	}
	if len(names) == 0 {
		chosen = attrs
	}
	out := &lsattr.Listing{Form: form}
	for _, a := range chosen {
		v := a.NextBoot
		switch {
		case c.Has("P"):
			v = a.Running
		case c.Has("D"):
			v = a.Default
		}
		if device == "sys0" && a.Name == "systemid" {
			v = "IBM,02" + c.sim.Faults().Serial(c.Node, c.sys.Serial)
		}
		r := lsattr.Row(a.Name, v, a.Label, lsattr.False)
		if a.Settable {
			r.Settable = lsattr.True
		}
		r.Default = &a.Default
		out.Attributes = append(out.Attributes, r)
	}
	return c.Print(printing.FormatLsattr(out))
}

// printAllowed prints a value a line, or a range.
func printAllowed(c *call, attrs []odm.Attribute) error {
	if len(attrs) == 0 {
		return flags.Usagef("-R needs -a")
	}
	out := &lsattr.Listing{Form: lsattr.Form{Kind: lsattr.Allowed}}
	for _, a := range attrs {
		for _, v := range a.Values {
			out.Allowed = append(out.Allowed, lsattr.Choice{Value: v})
		}
		switch {
		case len(a.Values) > 0:
		case a.Min == nil || a.Max == nil:
			return fmt.Errorf("no list and no range of values is known for %s", a.Name)
		default:
			r := &lsattr.Range{Low: *a.Min, High: *a.Max, Step: 1}
			if a.Step != nil && *a.Step > 0 {
				r.Step = *a.Step
			}
			out.Allowed = append(out.Allowed, lsattr.Choice{Range: r})
		}
	}
	return c.Print(printing.FormatLsattr(out))
}
