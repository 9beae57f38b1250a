package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// no shows and sets network options, schedo the scheduler's. Alone it changes
// what runs, -r the next boot, -p both.
func (w *Simulator) no(ctx context.Context, c *call) error {
	if len(c.Rest) > 0 && !c.Has("L") && !c.Has("x") && !c.Has("h") {
		return tooMany(c.Rest)
	}
	if c.Has("p") && c.Has("r") {
		return wrong("-p and -r exclude each other")
	}
	mode := odm.RunningOnly
	switch {
	case c.Has("p"):
		mode = odm.Both
	case c.Has("r"):
		mode = odm.NextBoot
	}
	var failed error
	switch {
	case c.Has("a"):
		return c.Print(printing.FormatNo(shown(no.All, mode, visible(c)...)))
	case c.Has("L"), c.Has("x"):
		return noList(c)
	case c.Has("D"):
		for _, t := range c.db.TunablesOf(family(c)) {
			if t.Settable && (t.Running != t.Default || t.NextBoot != t.Default) {
				failed = errors.Join(failed, w.noSet(ctx, c, t, t.Default, mode))
			}
		}
		return failed
	}
	for _, x := range c.List {
		if x.Name != "o" && x.Name != "d" {
			continue
		}
		name, v, set := strings.Cut(x.Value, "=")
		t, err := tunable(c, name)
		switch {
		case err != nil && x.Name == "d":
			return err
		case err != nil:
		case x.Name == "d":
			err = w.noSet(ctx, c, t, t.Default, mode)
		case set:
			err = w.noSet(ctx, c, t, v, mode)
		default:
			err = c.Print(printing.FormatNo(shown(no.Named, mode, t)))
		}
		failed = errors.Join(failed, err)
	}
	if c.Has("h") && len(c.Rest) == 1 {
		t, err := tunable(c, c.Rest[0])
		if err != nil {
			return err
		}
		return c.answer("no -h", t)
	}
	if !c.Has("o") && !c.Has("d") {
		return wrong("one of -o, -d, -D, -a, -L, -x, -h is required")
	}
	return failed
}

// shown are the values of a mode: with -p only one that runs and stays.
func shown(form no.Form, mode odm.Mode, list ...odm.Attribute) *no.Tunables {
	out := &no.Tunables{Form: form}
	for _, t := range list {
		v := no.Value(t.Running)
		switch {
		case mode == odm.NextBoot:
			v = no.Value(t.NextBoot)
		case mode == odm.Both && t.Running != t.NextBoot:
			v = "NONE"
		}
		out.Tunables = append(out.Tunables, &no.Tunable{Name: t.Name, Current: &v})
	}
	return out
}

// noSet sets one option and says so as no does.
func (w *Simulator) noSet(ctx context.Context, c *call, t odm.Attribute, v string, mode odm.Mode) error {
	if t.Restricted && mode != odm.RunningOnly && !confirmed(c.Call, t.Name) {
		return exit(1)
	}
	if err := w.write(ctx, c, "", mode, func(s *odm.Store) error { return s.SetTunable(t.Name, v, mode) }); err != nil {
		return err
	}
	w.restartInetd(c.Node, t, mode)
	if mode != odm.NextBoot {
		fmt.Fprintf(c.Stdout, "Setting %s to %s\n", t.Name, v)
	}
	if mode != odm.RunningOnly {
		fmt.Fprintf(c.Stdout, "Setting %s to %s in nextboot file\n", t.Name, v)
	}
	switch {
	case t.Class == knowledge.O1 && mode != odm.NextBoot:
		fmt.Fprintf(c.Stdout, "%s: new connections only\n", t.Name)
	case t.Class == knowledge.O4:
		fmt.Fprintf(c.Stderr, "Warning: %s takes effect at the next boot\n", t.Name)
	}
	return nil
}

// confirmed asks before a restricted tunable is changed for longer than until
// the next boot; the end of the input is a no.
func confirmed(c *Call, name string) bool {
	fmt.Fprintf(c.Stdout, "Modification to restricted tunable %s, confirmation required yes/no ", name)
	answer := ""
	if c.Stdin != nil {
		fmt.Fscanln(c.Stdin, &answer)
	}
	return answer == "yes"
}

// tunable is an option of the command called; no does not know schedo's.
func tunable(c *call, name string) (odm.Attribute, error) {
	t, ok := c.db.Tunable(name)
	if !ok || t.Command != family(c) {
		return t, fmt.Errorf("there is no tunable %s", name)
	}
	return t, nil
}

// visible are all options of the command called; restricted ones with -F.
func visible(c *call) (list []odm.Attribute) {
	for _, t := range c.db.TunablesOf(family(c)) {
		if !t.Restricted || c.Has("F") {
			list = append(list, t)
		}
	}
	return list
}

// family is how the database marks a command's options.
func family(c *call) string { return strings.TrimPrefix(c.Argv[0], "no") }

// noList is the table of no -L, or no -x with commas.
func noList(c *call) error {
	var list []odm.Attribute
	for _, name := range c.Rest {
		t, err := tunable(c, name)
		if err != nil {
			return err
		}
		list = append(list, t)
	}
	if len(c.Rest) == 0 {
		list = visible(c)
	}
	out := &no.Tunables{Form: no.List}
	for _, t := range list {
		low, high, kind := limit(t.Min), limit(t.Max), tunableType(t)
		if c.Has("x") {
			fmt.Fprintf(c.Stdout, "%s,%s,%s,%s,%s,%s,%s,%s,\n", t.Name, t.Running, t.Default, t.NextBoot, low, high, t.Unit, kind)
			continue
		}
		out.Tunables = append(out.Tunables, &no.Tunable{Name: t.Name, Current: short(t.Running), Default: short(t.Default),
			Boot: short(t.NextBoot), Min: short(low), Max: short(high), Unit: t.Unit, Type: kind})
	}
	if c.Has("x") {
		return nil
	}
	return c.Print(printing.FormatNo(out))
}

func limit(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// short spells a number as the table does: 256K, 8E-1.
func short(v string) *no.Value {
	x := no.Value(v)
	if n, ok := x.Uint(); ok {
		x = no.Short(n)
	}
	return &x
}

// tunableType is the letter of no -L: when a change takes effect.
func tunableType(t odm.Attribute) string {
	switch {
	case !t.Settable:
		return "S"
	case t.Class == knowledge.O1:
		return "C"
	case t.Class == knowledge.O4:
		return "R"
	}
	return "D"
}
