package commands

import (
	"fmt"
	"strings"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// tunable returns an option of the command called; no does not know schedo's.
func (c tunableCall) tunable(name string) (odm.Attribute, error) {
	t, ok := c.db.Tunable(name)
	if !ok || t.Command != c.family() {
		return t, fmt.Errorf("there is no tunable %s", name)
	}
	return t, nil
}

// visible lists all options of the command called; restricted ones with -F.
func (c tunableCall) visible() (list []odm.Attribute) {
	for _, t := range c.db.TunablesOf(c.family()) {
		if !t.Restricted || c.Has("F") {
			list = append(list, t)
		}
	}
	return list
}

// family is how the database marks a command's options.
func (c tunableCall) family() string {
	if c.VIOS { // optimizenet
		return ""
	}
	return strings.TrimPrefix(c.Argv[0], "no")
}

// list prints the table of no -L, or no -x with commas.
func (c tunableCall) list() error {
	var list []odm.Attribute
	for _, name := range c.Rest {
		t, err := c.tunable(name)
		if err != nil {
			return err
		}
		list = append(list, t)
	}
	if len(c.Rest) == 0 {
		list = c.visible()
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
