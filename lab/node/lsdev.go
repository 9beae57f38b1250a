package node

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/slots"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
)

func (w *Simulator) lsdev(_ context.Context, c *call) error {
	form := lsdev.C()
	if format, ok := c.Get("F"); ok {
		form = lsdev.F(format)
	}
	form.Heading = c.Has("H")
	out := lsdevOf(c, form, func(d odm.Device) bool { return matches(c, d) })
	column, ok := c.Get("r")
	if !ok {
		return c.Print(printing.FormatLsdev(out))
	}
	var seen []string // each value of a column once
	for _, d := range out.Devices {
		v, ok := map[string]string{"class": d.Class, "subclass": d.Subclass, "type": d.Type, "name": d.Name, "status": d.Status}[column]
		if !ok {
			return &odm.Error{Code: "0514-529", Text: fmt.Sprintf("devices have no column %q", column)}
		}
		if !slices.Contains(seen, v) {
			seen = append(seen, v)
			fmt.Fprintln(c.Stdout, v)
		}
	}
	return nil
}

// matches says whether a device is what the flags ask for. -S is a state, or d,
// a, s for its first letter.
func matches(c *call, d odm.Device) bool {
	for flag, have := range map[string]string{"c": d.Class, "s": d.Subclass, "t": d.Type, "l": d.Name, "p": d.Parent} {
		if want, ok := c.Get(flag); ok && want != have {
			return false
		}
	}
	return strings.HasPrefix(strings.ToLower(string(d.Status)), strings.ToLower(c.Value("S")))
}

// lsdevOf lists the devices that are wanted.
func lsdevOf(c *call, form lsdev.Form, wanted func(odm.Device) bool) *lsdev.List {
	out := &lsdev.List{Form: form}
	for _, d := range c.db.Devices() {
		if wanted(d) {
			out.Devices = append(out.Devices, lsdev.Device{Name: d.Name, Status: string(d.Status), Location: d.Location,
				Description: d.Description, Class: d.Class, Subclass: d.Subclass, Type: d.Type, PhysLoc: d.PhysLoc, Parent: d.Parent})
		}
	}
	return out
}

// lsdevVIOS is lsdev of ioscli: with -dev and -attr it is what lsattr is to root.
func (w *Simulator) lsdevVIOS(_ context.Context, c *call) error {
	dev, one := c.Get("dev")
	d, found := c.db.Device(dev)
	of, ranged := c.Get("range")
	switch {
	case one && !found:
		return odm.NotFound(dev)
	case (c.Has("attr") || ranged) && !one:
		return wrong("-attr and -range need -dev")
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
	out := &slots.List{}
	for _, d := range c.db.Devices() {
		kind := "Logical I/O Slot"
		if d.Subclass == "vdevice" {
			kind = "Virtual I/O Slot"
		}
		if slot, _, _ := strings.Cut(d.PhysLoc, "-T"); slot != "" {
			out.Slots = append(out.Slots, &slots.Slot{Location: slot, Description: kind, Devices: []string{d.Name}})
		}
	}
	return c.Print(printing.FormatSlots(out))
}

// lsmap shows which SEA bridges which virtual adapter. Without -net it would
// list storage; a lab has none.
func (w *Simulator) lsmap(_ context.Context, c *call) error {
	one, named := c.Get("vadapter")
	if !c.Has("all") && !named {
		return wrong("one of -all and -vadapter is required")
	}
	if !c.Has("net") {
		return nil
	}
	var rows []lsmap.Adapter
	for _, a := range c.n.Adapters {
		d, ok := c.db.Device(a.Name)
		// Only server adapters: those that reach the outside.
		if !ok || a.Kind != topology.Virtual || !a.Trunk || named && a.Name != one {
			continue
		}
		rows = append(rows, w.mapping(c.Node, d))
	}
	if named && len(rows) == 0 {
		return odm.NotFound(one)
	}
	sep := c.Value("fmt")
	return c.Print(printing.FormatLsmap(&lsmap.Map{Delimiter: sep, Adapters: rows}))
}

func (w *Simulator) mapping(node string, d odm.Device) lsmap.Adapter {
	m := lsmap.Adapter{Name: d.Name, PhysLoc: d.PhysLoc, NoSEA: true}
	for _, sea := range w.Stores[node].Devices() {
		if !slices.Contains(sea.Members, d.Name) || len(sea.Members) == 0 {
			continue
		}
		m.SEA, m.NoSEA, m.Backing, m.Status = sea.Name, false, sea.Members[0], string(sea.Status)
		if b, ok := w.Stores[node].Device(m.Backing); ok {
			m.BackingLoc = b.PhysLoc
		}
	}
	return m
}
