package node

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	dialect "seaworthy/dialect/aix/errpt"
)

// errStamp is MMDDhhmmYY, as errpt prints and reads it.
const errStamp = "0102150406"

// errTypes are the long names of the types.
var errTypes = map[string]string{"T": "TEMP", "P": "PERM", "I": "INFO"}

// errpt lists the error log, newest first; the errlog of ioscli does the same.
func (w *Simulator) errpt(_ context.Context, c *call) error {
	chosen, err := chooser(c.Options)
	if err != nil {
		return err
	}
	w.printErrors(c, slices.DeleteFunc(w.errors(c.Node), func(e errEntry) bool { return !chosen(e) }), c.Has("a") || c.Has("A"))
	return nil
}

// errlog is errpt of ioscli, and errclear of all.
func (w *Simulator) errlog(_ context.Context, c *call) error {
	if days, remove := c.Get("rm"); remove {
		return w.clearErrors(c.Node, days, func(errEntry) bool { return true })
	}
	w.printErrors(c, w.errors(c.Node), c.Has("ls"))
	return nil
}

// chooser are the flags that errpt and errclear choose entries by.
func chooser(o *Options) (func(errEntry) bool, error) {
	var from, to time.Time
	for _, x := range o.List {
		var err error
		switch x.Name {
		case "s":
			from, err = time.ParseInLocation(errStamp, x.Value, time.Local)
		case "e":
			to, err = time.ParseInLocation(errStamp, x.Value, time.Local)
		}
		if err != nil {
			return nil, wrong("-%s %s is not a date of the form MMDDhhmmYY", x.Name, x.Value)
		}
	}
	return func(e errEntry) bool {
		if !from.IsZero() && e.at.Before(from) || !to.IsZero() && !e.at.Before(to.Add(time.Minute)) {
			return false
		}
		for _, x := range o.List {
			have, chooses := map[string]string{"d": e.class, "T": errTypes[e.kind], "N": e.resource, "l": strconv.Itoa(e.sequence),
				"j": e.id, "k": e.id, "J": e.label, "K": e.label}[x.Name]
			in := slices.ContainsFunc(strings.Split(x.Value, ","), func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), have) })
			if chooses && in == (x.Name == "k" || x.Name == "K") {
				return false
			}
		}
		return true
	}, nil
}

// printErrors prints a list of entries; nothing of none.
func (w *Simulator) printErrors(c *call, list []errEntry, long bool) {
	if long {
		for _, e := range list {
			w.printError(c.Stdout, c.Node, e)
		}
		return
	}
	r := &dialect.Report{}
	for _, e := range list {
		r.Entries = append(r.Entries, &dialect.Entry{ID: e.id, Stamp: e.at.Format(errStamp),
			Type: e.kind, Class: e.class, Resource: e.resource, Description: e.description})
	}
	if len(r.Entries) > 0 {
		c.Stdout.Write(dialect.Format(r))
	}
}

// printError prints an entry at length, without what only hardware has.
func (w *Simulator) printError(out io.Writer, node string, e errEntry) {
	sys, _ := w.node(node)
	p := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	p("%s", strings.Repeat("-", 75))
	p("LABEL:          %s", e.label)
	p("IDENTIFIER:     %s\n", e.id)
	p("Date/Time:       %s", e.at.Format("Mon Jan _2 15:04:05 MST 2006"))
	p("Sequence Number: %d", e.sequence)
	p("Machine Id:      %s", machineID(sys.Serial))
	p("Node Id:         %s", node)
	p("Class:           %s", e.class)
	p("Type:            %s", errTypes[e.kind])
	p("WPAR:            Global")
	p("Resource Name:   %s", e.resource)
	if d, ok := w.Stores[node].Device(e.resource); ok {
		p("Resource Class:  %s", d.Class)
		p("Resource Type:   %s", d.Type)
		p("Location:        %s", d.PhysLoc)
	}
	p("\nDescription\n%s", e.description)
	if e.detail != "" {
		p("\nDetail Data\n%s", e.detail)
	}
}

// errclear deletes entries that are at least so many days old.
func (w *Simulator) errclear(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return wrong("a number of days is required: 0 stands for all")
	}
	chosen, err := chooser(c.Options)
	if err != nil {
		return err
	}
	return w.clearErrors(c.Node, c.Rest[0], chosen)
}

func (w *Simulator) clearErrors(node, days string, chosen func(errEntry) bool) error {
	n, err := strconv.ParseUint(days, 10, 16)
	if err != nil {
		return wrong("%s is not a number of days", days)
	}
	since := w.clock(node).AddDate(0, 0, -int(n))
	w.forgetErrors(node, func(e errEntry) bool { return (n == 0 || !e.at.After(since)) && chosen(e) })
	return nil
}

// maxNote is the longest message of errlogger.
const maxNote = 230

// errlogger writes an operator's message to the log.
func (w *Simulator) errlogger(_ context.Context, c *call) error {
	text := strings.Join(c.Rest, " ")
	if text == "" {
		return wrong("a message is required")
	}
	if len(text) > maxNote {
		return wrong("the message has %d bytes, more than %d", len(text), maxNote)
	}
	w.log(c.Node, errNote, "OPERATOR", "MESSAGE FROM ERRLOGGER COMMAND\n"+strings.Map(printable, text))
	return nil
}

// printable keeps a message on its line.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}
