package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func schedoCommand() command {
	return command{
		run: func(ctx context.Context, c *call) error { return tunableCall{c}.run(ctx) },
		aix: &form{
			ordinary: &refusal{says: "schedo: only root may change options", exit: 1, when: "=|^-[dDrp]"},
			flags:    "prKFo:d:DaLxh",
			operands: anyNumber,
			usage: `schedo [-p | -r] {-o Tunable[=NewValue]}...
schedo [-p | -r] {-d Tunable}...
schedo [-p | -r] -D
schedo [-p | -r] [-F] -a
schedo [-F] -L [Tunable]
schedo [-F] -x [Tunable]
schedo -h Tunable`,
		},
	}
}

func noCommand() command {
	return command{
		run: func(ctx context.Context, c *call) error { return tunableCall{c}.run(ctx) },
		aix: &form{
			ordinary: &refusal{says: "no: only root may change options", exit: 1, when: "=|^-[dDrp]"},
			flags:    "prKFo:d:DaLxh",
			operands: anyNumber,
			usage: `no [-p | -r] {-o Tunable[=NewValue]}...
no [-p | -r] {-d Tunable}...
no [-p | -r] -D
no [-p | -r] [-F] -a
no [-F] -L [Tunable]
no [-F] -x [Tunable]
no -h Tunable`,
		},
	}
}

// tunableCall is a call of no or schedo.
type tunableCall struct{ *call }

// run shows and sets network options, schedo the scheduler's. Alone it changes
// what runs, -r the next boot, -p both.
func (c tunableCall) run(ctx context.Context) error {
	if len(c.Rest) > 0 && !c.Has("L") && !c.Has("x") && !c.Has("h") {
		return flags.TooMany(c.Rest)
	}
	if c.Has("p") && c.Has("r") {
		return flags.Usagef("-p and -r exclude each other")
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
		return c.Print(printing.FormatNo(tunableValues(no.All, mode, c.visible()...)))
	case c.Has("L"), c.Has("x"):
		return c.list()
	case c.Has("D"):
		for _, t := range c.db.TunablesOf(c.family()) {
			if t.Settable && (t.Running != t.Default || t.NextBoot != t.Default) {
				failed = errors.Join(failed, c.set(ctx, t, t.Default, mode))
			}
		}
		return failed
	}
	for _, x := range c.List {
		if x.Name != "o" && x.Name != "d" {
			continue
		}
		name, v, set := strings.Cut(x.Value, "=")
		t, err := c.tunable(name)
		switch {
		case err != nil && x.Name == "d":
			return err
		case err != nil:
		case x.Name == "d":
			err = c.set(ctx, t, t.Default, mode)
		case set:
			err = c.set(ctx, t, v, mode)
		default:
			err = c.Print(printing.FormatNo(tunableValues(no.Named, mode, t)))
		}
		failed = errors.Join(failed, err)
	}
	if c.Has("h") && len(c.Rest) == 1 {
		t, err := c.tunable(c.Rest[0])
		if err != nil {
			return err
		}
		return c.answer("no -h", t)
	}
	if !c.Has("o") && !c.Has("d") {
		return flags.Usagef("one of -o, -d, -D, -a, -L, -x, -h is required")
	}
	return failed
}

// tunableValues returns the values of a mode: with -p only one that runs and stays.
func tunableValues(form no.Form, mode odm.Mode, list ...odm.Attribute) *no.Tunables {
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

// set sets one option and says so as no does.
func (c tunableCall) set(ctx context.Context, t odm.Attribute, v string, mode odm.Mode) error {
	if t.Restricted && mode != odm.RunningOnly && !confirmed(c.Call, t.Name) {
		return exit(1)
	}
	if err := c.sim.Faults().RefuseChange(c.Node, "no"); err != nil {
		return err
	}
	if err := c.write(ctx, "", mode, func(s *odm.Store) error { return s.SetTunable(t.Name, v, mode) }); err != nil {
		return err
	}
	if t.Class == knowledge.O1 && mode != odm.NextBoot {
		c.sim.Inetd.Restart(c.Node) // as no does for tunables of type Connect
	}
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
func confirmed(c *node.Call, name string) bool {
	fmt.Fprintf(c.Stdout, "Modification to restricted tunable %s, confirmation required yes/no ", name)
	answer := ""
	if c.Stdin != nil {
		fmt.Fscanln(c.Stdin, &answer)
	}
	return answer == "yes"
}
