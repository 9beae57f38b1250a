package node

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/dialect/aix/lsattr"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/slots"
	"seaworthy/lab/odm"
)

func (w *Simulator) lsdev(_ context.Context, c *Call, o *Options) error {
	form := lsdev.C()
	if format, ok := o.Get("F"); ok {
		form = lsdev.F(format)
	}
	form.Heading = o.Has("H")
	out := &lsdev.List{Form: form}
	for _, d := range w.Stores[c.Node].Devices() {
		if matches(o, "c", d.Class) && matches(o, "s", d.Subclass) && matches(o, "t", d.Type) &&
			matches(o, "l", d.Name) && matches(o, "p", d.Parent) && inState(o, d.Status) {
			out.Devices = append(out.Devices, lsdevRow(d))
		}
	}
	if column, ok := o.Get("r"); ok {
		return listColumn(c, column, out.Devices)
	}
	return c.Print(lsdev.Format(out))
}

func matches(o *Options, flag, have string) bool {
	want, ok := o.Get(flag)
	return !ok || want == have
}

// inState reads -S: a state, or d, a, s for its first letter.
func inState(o *Options, s odm.Status) bool {
	want, ok := o.Get("S")
	return !ok || strings.HasPrefix(strings.ToLower(string(s)), strings.ToLower(want))
}

func lsdevRow(d odm.Device) lsdev.Device {
	return lsdev.Device{Name: d.Name, Status: string(d.Status), Location: d.Location, Description: d.Description,
		Class: d.Class, Subclass: d.Subclass, Type: d.Type, PhysLoc: d.PhysLoc, Parent: d.Parent}
}

// listColumn is -r: each value of a column once.
func listColumn(c *Call, column string, ds []lsdev.Device) error {
	seen := map[string]bool{}
	for _, d := range ds {
		v, ok := map[string]string{"class": d.Class, "subclass": d.Subclass, "type": d.Type, "name": d.Name, "status": d.Status}[column]
		if !ok {
			return &odm.Error{Code: "0514-529", Text: fmt.Sprintf("devices have no column %q", column)}
		}
		if !seen[v] {
			seen[v] = true
			fmt.Fprintln(c.Stdout, v)
		}
	}
	return nil
}

// lsdevVIOS is lsdev of ioscli: with -dev and -attr it is what lsattr is to root.
func (w *Simulator) lsdevVIOS(_ context.Context, c *Call, o *Options) error {
	dev, one := o.Get("dev")
	d, found := w.Stores[c.Node].Device(dev)
	if one && !found {
		return odm.NotFound(dev)
	}
	switch {
	case o.Has("attr") || o.Has("range"):
		if !one {
			return wrong("-attr and -range need -dev")
		}
		return w.deviceAttributes(c, d, o)
	case o.Has("slots"):
		return w.slots(c)
	case o.Has("parent"):
		fmt.Fprintf(c.Stdout, "parent\n\n%s\n", d.Parent)
		return nil
	}
	form := lsdev.V()
	if o.Has("field") {
		sep := " "
		if f, ok := o.Get("fmt"); ok {
			sep = f
		}
		form = lsdev.F(strings.Join(o.All("field"), sep))
		form.Heading = !o.Has("fmt")
	}
	out := &lsdev.List{Form: form}
	for _, x := range w.Stores[c.Node].Devices() {
		switch {
		case o.Has("child"):
			if x.Parent != dev {
				continue
			}
		case one && x.Name != dev:
			continue
		case o.Has("virtual") && x.Subclass != "vdevice" && x.Type != "sea":
			continue
		case !ofType(o.All("type"), x):
			continue
		}
		if want, ok := o.Get("state"); ok && !strings.EqualFold(want, string(x.Status)) {
			continue
		}
		out.Devices = append(out.Devices, lsdevRow(x))
	}
	return c.Print(lsdev.Format(out))
}

// ofType knows ioscli's device types: a class, or sea, ent4sea, en4.
func ofType(types []string, d odm.Device) bool {
	classes := map[string]string{"ent4sea": "adapter", "ent4ip": "adapter", "en4": "if"}
	is := func(t string) bool { return t == d.Type || cmp.Or(classes[t], t) == d.Class }
	return len(types) == 0 || slices.ContainsFunc(types, is)
}

// deviceAttributes is lsdev -dev X -attr: the table under a heading, or with a
// name the bare value.
func (w *Simulator) deviceAttributes(c *Call, d odm.Device, o *Options) error {
	if name, ok := o.Get("range"); ok {
		attrs, err := chosen(w.Stores[c.Node], d.Name, []string{name})
		if err != nil {
			return err
		}
		return w.allowed(c, attrs, &Options{List: []Option{{"a", name}}})
	}
	var names []string
	for _, n := range o.All("attr") {
		if n != "" {
			names = append(names, n)
		}
	}
	attrs, err := chosen(w.Stores[c.Node], d.Name, names)
	if err != nil {
		return err
	}
	form := lsattr.EHl()
	if len(names) == 1 {
		form = lsattr.DevAttr()
	}
	out := &lsattr.Listing{Form: form}
	for _, a := range attrs {
		out.Attributes = append(out.Attributes, row(a, &Options{}))
	}
	return c.Print(lsattr.Format(out))
}

// slots lists the virtual and physical slots that hold an adapter.
func (w *Simulator) slots(c *Call) error {
	out := &slots.List{}
	for _, d := range w.Stores[c.Node].Devices() {
		if d.PhysLoc == "" {
			continue
		}
		kind := "Logical I/O Slot"
		if d.Subclass == "vdevice" {
			kind = "Virtual I/O Slot"
		}
		slot, _, _ := strings.Cut(d.PhysLoc, "-T")
		out.Slots = append(out.Slots, &slots.Slot{Location: slot, Description: kind, Devices: []string{d.Name}})
	}
	return c.Print(slots.Format(out))
}
