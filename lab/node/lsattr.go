package node

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/dialect/aix/lsattr"
	"seaworthy/lab/odm"
)

// lsattr prints what the database says. -E is the value of the next boot:
// after chdev -P it differs from what the device works with, which is -P.
func (w *Simulator) lsattr(_ context.Context, c *Call, o *Options) error {
	forms := 0
	for _, f := range []string{"D", "E", "P", "R"} {
		if o.Has(f) {
			forms++
		}
	}
	if forms == 0 && !o.Has("F") {
		return wrong("one of -D, -E, -P, -R, -F is required")
	}
	if forms > 1 || o.Has("R") && o.Has("F") {
		return wrong("-D, -E, -P and -R exclude each other, and -R excludes -F")
	}
	d, err := w.subject(c.Node, o)
	if err != nil {
		return err
	}
	if d == "" {
		return wrong("a device is required: -l, or -c, -s and -t")
	}
	attrs, err := chosen(w.Stores[c.Node], d, o.All("a"))
	if err != nil {
		return err
	}
	if o.Has("R") {
		return w.allowed(c, attrs, o)
	}
	out := &lsattr.Listing{Form: lsattrForm(o)}
	for _, a := range attrs {
		out.Attributes = append(out.Attributes, row(a, o))
	}
	return c.Print(lsattr.Format(out))
}

func lsattrForm(o *Options) lsattr.Form {
	f := lsattr.El()
	if format, ok := o.Get("F"); ok {
		f = lsattr.F(format)
	} else if o.Has("O") {
		f.Kind = lsattr.Names
	} else if o.Has("D") {
		f = lsattr.F("attribute deflt description user_settable")
	}
	f.Heading = o.Has("H")
	return f
}

func row(a odm.Attribute, o *Options) lsattr.Attribute {
	v := a.NextBoot
	switch {
	case o.Has("P"):
		v = a.Running
	case o.Has("D"):
		v = a.Default
	}
	r := lsattr.Row(a.Name, v, a.Label, lsattr.False)
	if a.Settable {
		r.Settable = lsattr.True
	}
	r.Default = &a.Default
	return r
}

// subject is the device a call is about: by name, or the first of a type.
func (w *Simulator) subject(node string, o *Options) (string, error) {
	s := w.Stores[node]
	if name, ok := o.Get("l"); ok {
		if _, found := s.Device(name); !found {
			return "", odm.NotFound(name)
		}
		return name, nil
	}
	class, c := o.Get("c")
	sub, u := o.Get("s")
	typ, t := o.Get("t")
	if !c && !u && !t {
		return "", nil
	}
	for _, d := range s.Devices() {
		if (!c || d.Class == class) && (!u || d.Subclass == sub) && (!t || d.Type == typ) {
			return d.Name, nil
		}
	}
	return "", &odm.Error{Code: "0514-520", Text: "no device of this class, subclass and type:",
		Items: []string{strings.TrimSpace(class + " " + sub + " " + typ)}}
}

// chosen are the attributes named, or all.
func chosen(s *odm.Store, device string, names []string) ([]odm.Attribute, error) {
	all, err := s.Attributes(device)
	if err != nil || len(names) == 0 {
		return all, err
	}
	var out []odm.Attribute
	for _, n := range names {
		i := slices.IndexFunc(all, func(a odm.Attribute) bool { return a.Name == n })
		if i < 0 {
			return nil, odm.NoAttribute(n)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// allowed prints lsattr -R: a value a line, or a range.
func (w *Simulator) allowed(c *Call, attrs []odm.Attribute, o *Options) error {
	if len(o.All("a")) == 0 {
		return wrong("-R needs -a")
	}
	var choices []lsattr.Choice
	for _, a := range attrs {
		switch {
		case len(a.Values) > 0:
			for _, v := range a.Values {
				choices = append(choices, lsattr.Choice{Value: v})
			}
		case a.Min != nil && a.Max != nil:
			r := &lsattr.Range{Low: *a.Min, High: *a.Max, Step: 1}
			if a.Step != nil && *a.Step > 0 {
				r.Step = *a.Step
			}
			choices = append(choices, lsattr.Choice{Range: r})
		default:
			return fmt.Errorf("no list and no range of values is known for %s", a.Name)
		}
	}
	return c.Print(lsattr.Format(&lsattr.Listing{Form: lsattr.Form{Kind: lsattr.Allowed}, Allowed: choices}))
}
