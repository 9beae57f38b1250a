package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

// runLsdevVIOS is lsdev of ioscli; with -dev and -attr it prints attributes, as lsattr does for root.
func runLsdevVIOS(_ context.Context, c *call) error {
	dev, one := c.Get("dev")
	d, found := c.db.Device(dev)
	of, ranged := c.Get("range")
	switch {
	case one && !found:
		return odm.NotFound(dev)
	case (c.Has("attr") || ranged) && !one:
		return flags.Usagef("-attr and -range need -dev")
	case ranged:
		return printAttributes(c, dev, []string{of}, lsattr.Form{})
	case c.Has("attr"): // the table under a heading, or with a name the bare value
		names := slices.DeleteFunc(c.All("attr"), func(n string) bool { return n == "" })
		form := lsattr.EHl()
		if len(names) == 1 {
			form = lsattr.DevAttr()
		}
		return printAttributes(c, dev, names, form)
	case c.Has("slots"):
		return printSlots(c)
	case c.Has("parent"):
		fmt.Fprintf(c.Stdout, "parent\n\n%s\n", d.Parent)
		return nil
	}
	form := lsdev.V()
	if c.Has("field") {
		sep, given := c.Get("fmt")
		if !given {
			sep = " "
		}
		form = lsdev.F(strings.Join(c.All("field"), sep))
		form.Heading = !given
	}
	state, states := c.Get("state")
	return c.Print(printing.FormatLsdev(lsdevOf(c, form, func(x odm.Device) bool {
		wanted := !states || strings.EqualFold(state, string(x.Status))
		if c.Has("child") {
			return wanted && x.Parent == dev
		}
		return wanted && (!one || x.Name == dev) && (!c.Has("virtual") || x.Subclass == "vdevice" || x.Type == "sea") && ofType(c.All("type"), x)
	})))
}

// ofType knows ioscli's device types: a class, or sea, ent4sea, en4.
func ofType(types []string, d odm.Device) bool {
	classes := map[string]string{"ent4sea": "adapter", "ent4ip": "adapter", "en4": "if"}
	is := func(t string) bool { return t == d.Type || cmp.Or(classes[t], t) == d.Class }
	return len(types) == 0 || slices.ContainsFunc(types, is)
}

// printSlots lists the virtual and physical slots that hold an adapter.
func printSlots(c *call) error {
	out := &linewise.SlotList{}
	for _, d := range c.db.Devices() {
		kind := "Logical I/O Slot"
		if d.Subclass == "vdevice" {
			kind = "Virtual I/O Slot"
		}
		if slot, _, _ := strings.Cut(d.PhysLoc, "-T"); slot != "" {
			out.Slots = append(out.Slots, &linewise.Slot{Location: slot, Description: kind, Devices: []string{d.Name}})
		}
	}
	return c.Print(printing.FormatSlots(out))
}
