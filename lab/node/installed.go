package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/dialect/aix/instfix"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/lab/odm"
)

const (
	lscfgUsage   = `	lscfg [-v] [-p] -l Name`
	instfixUsage = `	instfix -i [-q] [-k "Keyword..."]`
)

// lscfg prints where one device stands; a lab's devices have no other vital
// product data.
func (w *Simulator) lscfg(_ context.Context, c *Call) int {
	o, err := Letters("vpsl:", c.Argv[1:])
	if err == nil && len(o.Rest) > 0 {
		err = &usageError{"too many parameters: " + strings.Join(o.Rest, " ")}
	}
	name, one := o.Get("l")
	if err == nil && !one {
		err = errors.New("in this lab it shows one device at a time: -l")
	}
	if err != nil {
		return usage(c, err, lscfgUsage)
	}
	d, ok := w.Stores[c.Node].Device(name)
	if !ok {
		return fail(c, "", odm.NotFound(name))
	}
	r := &lscfg.Resource{Name: d.Name, Location: d.PhysLoc, Description: d.Description}
	if o.Has("v") && d.PhysLoc != "" {
		r.VPD = []lscfg.Item{{Label: "Hardware Location Code", Value: d.PhysLoc}}
	}
	c.Stdout.Write(lscfg.Format(r))
	return 0
}

// instfix says of fixes that it has no data: a lab's level is a name, nothing
// is installed by it.
func (w *Simulator) instfix(_ context.Context, c *Call) int {
	o, err := Letters("iqcvak:t:s:p", c.Argv[1:])
	if err == nil && !o.Has("i") {
		err = errors.New("in this lab it only lists: -i")
	}
	if err != nil {
		return usage(c, err, instfixUsage)
	}
	keys, _ := o.Get("k")
	list := &instfix.List{}
	for _, k := range strings.Fields(keys) {
		list.Fixes = append(list.Fixes, &instfix.Fix{Name: k, State: instfix.Unknown})
	}
	fmt.Fprintf(c.Stderr, "%s", instfix.Format(list))
	if len(list.Fixes) > 0 {
		return 1
	}
	return 0
}

// rules would compare the VIOS with rules files, of which a lab has none.
func (w *Simulator) rules(_ context.Context, c *Call) int {
	fmt.Fprintln(c.Stderr, "rules: there are no rules files in this lab: nothing to compare")
	return 1
}
