package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/catalog"
	"seaworthy/dialect/aix/no"
	"seaworthy/lab/odm"
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
	switch {
	case c.Has("a"):
		return w.noAll(c, mode)
	case c.Has("L"), c.Has("x"):
		return w.noList(c)
	case c.Has("D"):
		var failed error
		for _, t := range w.tunables(c) {
			if t.Settable && (t.Running != t.Default || t.NextBoot != t.Default) {
				failed = errors.Join(failed, w.noSet(ctx, c, t.Name, t.Default, mode))
			}
		}
		return failed
	}
	var failed error
	for _, x := range c.List {
		switch x.Name {
		case "o":
			if name, v, set := strings.Cut(x.Value, "="); set {
				failed = errors.Join(failed, w.noSet(ctx, c, name, v, mode))
			} else {
				failed = errors.Join(failed, w.noShow(c, name, mode))
			}
		case "d":
			t, ok := w.tunable(c, x.Value)
			if !ok {
				return noTunable(x.Value)
			}
			failed = errors.Join(failed, w.noSet(ctx, c, x.Value, t.Default, mode))
		}
	}
	if c.Has("h") && len(c.Rest) == 1 {
		return w.noHelp(c, c.Rest[0])
	}
	if !c.Has("o") && !c.Has("d") {
		return wrong("one of -o, -d, -D, -a, -L, -x, -h is required")
	}
	return failed
}

// noHelp says what a tunable is, from the catalogue.
func (w *Simulator) noHelp(c *call, name string) error {
	t, ok := w.tunable(c, name)
	if !ok {
		return noTunable(name)
	}
	return c.answer("no -h", t)
}

func noTunable(name string) error { return fmt.Errorf("there is no tunable %s", name) }

// shown is the value of a mode: with -p only one that runs and stays.
func shown(t odm.Attribute, mode odm.Mode) string {
	switch {
	case mode == odm.NextBoot:
		return t.NextBoot
	case mode == odm.Both && t.Running != t.NextBoot:
		return "NONE"
	}
	return t.Running
}

func (w *Simulator) noShow(c *call, name string, mode odm.Mode) error {
	t, ok := w.tunable(c, name)
	if !ok {
		return noTunable(name)
	}
	v := no.Value(shown(t, mode))
	return c.Print(no.Format(&no.Tunables{Form: no.Named, Tunables: []*no.Tunable{{Name: name, Current: &v}}}))
}

func (w *Simulator) noAll(c *call, mode odm.Mode) error {
	out := &no.Tunables{Form: no.All}
	for _, t := range w.tunables(c) {
		if t.Restricted && !c.Has("F") {
			continue
		}
		v := no.Value(shown(t, mode))
		out.Tunables = append(out.Tunables, &no.Tunable{Name: t.Name, Current: &v})
	}
	return c.Print(no.Format(out))
}

// noSet sets one option and says so as no does.
func (w *Simulator) noSet(ctx context.Context, c *call, name, v string, mode odm.Mode) error {
	t, ok := w.tunable(c, name)
	if !ok {
		return noTunable(name)
	}
	if t.Restricted && mode != odm.RunningOnly && !confirmed(c.Call, name) {
		return exit(1)
	}
	set := func(s *odm.Store) error { return s.SetTunable(name, v, mode) }
	var err error
	if mode == odm.NextBoot {
		err = set(c.db)
	} else {
		err = w.change(ctx, c.Node, set)
	}
	if err != nil {
		return err
	}
	w.restartInetd(c.Node, t, mode)
	if mode != odm.NextBoot {
		fmt.Fprintf(c.Stdout, "Setting %s to %s\n", name, v)
	}
	if mode != odm.RunningOnly {
		fmt.Fprintf(c.Stdout, "Setting %s to %s in nextboot file\n", name, v)
	}
	switch {
	case t.Class == catalog.O1 && mode != odm.NextBoot:
		fmt.Fprintf(c.Stdout, "%s: new connections only\n", name)
	case t.Class == catalog.O4:
		fmt.Fprintf(c.Stderr, "Warning: %s takes effect at the next boot\n", name)
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

// tunables are the options of the command called.
func (w *Simulator) tunables(c *call) []odm.Attribute {
	return c.db.TunablesOf(family(c))
}

// tunable is an option of the command called; no does not know schedo's.
func (w *Simulator) tunable(c *call, name string) (odm.Attribute, bool) {
	t, ok := c.db.Tunable(name)
	return t, ok && t.Command == family(c)
}

// family is how the database marks a command's options.
func family(c *call) string {
	if c.Argv[0] == "no" {
		return ""
	}
	return c.Argv[0]
}

// noList is the table of no -L, or no -x with commas.
func (w *Simulator) noList(c *call) error {
	var list []odm.Attribute
	for _, t := range w.tunables(c) {
		if !t.Restricted || c.Has("F") {
			list = append(list, t)
		}
	}
	if len(c.Rest) > 0 {
		list = nil
		for _, name := range c.Rest {
			t, ok := w.tunable(c, name)
			if !ok {
				return noTunable(name)
			}
			list = append(list, t)
		}
	}
	out := &no.Tunables{Form: no.List}
	for _, t := range list {
		if c.Has("x") {
			fmt.Fprintf(c.Stdout, "%s,%s,%s,%s,%s,%s,%s,%s,\n", t.Name, t.Running,
				t.Default, t.NextBoot, limit(t.Min), limit(t.Max), t.Unit, tunableType(t))
			continue
		}
		x := &no.Tunable{Name: t.Name, Current: short(t.Running), Default: short(t.Default),
			Boot: short(t.NextBoot), Unit: t.Unit, Type: tunableType(t)}
		if t.Min != nil {
			x.Min = short(limit(t.Min))
		}
		if t.Max != nil {
			x.Max = short(limit(t.Max))
		}
		out.Tunables = append(out.Tunables, x)
	}
	if !c.Has("x") {
		c.Stdout.Write(no.Format(out))
	}
	return nil
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
	case t.Class == catalog.O1:
		return "C"
	case t.Class == catalog.O4:
		return "R"
	}
	return "D"
}
