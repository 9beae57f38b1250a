package node

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/parse/aix/errpt"
	"seaworthy/lab/printing"
)

// errStamp is MMDDhhmmYY, as errpt prints and reads it.
const errStamp = "0102150406"

var errTypes = map[string]string{"T": "TEMP", "P": "PERM", "I": "INFO"}

// errpt lists the error log, newest first; the errlog of ioscli does the same.
func (w *Simulator) errpt(_ context.Context, c *call) error {
	chosen, err := chooser(c.Options)
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(w.errors(c.Node), func(e errEntry) bool { return !chosen(e) })
	return w.printErrors(c, list, c.Has("a") || c.Has("A"))
}

// errlog is errpt of ioscli, and errclear of all.
func (w *Simulator) errlog(_ context.Context, c *call) error {
	if days, remove := c.Get("rm"); remove {
		return w.clearErrors(c.Node, days, func(errEntry) bool { return true })
	}
	return w.printErrors(c, w.errors(c.Node), c.Has("ls"))
}

func chooser(o *Options) (func(errEntry) bool, error) {
	var when [2]time.Time // from, to
	for i, flag := range []string{"s", "e"} {
		for _, v := range o.All(flag) {
			var err error
			if when[i], err = time.ParseInLocation(errStamp, v, time.Local); err != nil {
				return nil, wrong("-%s %s is not a date of the form MMDDhhmmYY", flag, v)
			}
		}
	}
	from, to := when[0], when[1]
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

// printErrors prints a list of entries, or at length without what only hardware has;
// nothing of none.
func (w *Simulator) printErrors(c *call, list []errEntry, long bool) error {
	r := &errpt.Report{}
	for _, e := range list {
		if !long {
			r.Entries = append(r.Entries, &errpt.Entry{ID: e.id, Stamp: e.at.Format(errStamp),
				Type: e.kind, Class: e.class, Resource: e.resource, Description: e.description})
			continue
		}
		d, _ := c.db.Device(e.resource)
		if err := c.answer("errpt -a", map[string]any{"Label": e.label, "ID": e.id, "At": e.at, "Sequence": e.sequence,
			"Machine": machineID(c.sys.Serial), "Node": c.Node, "Class": e.class, "Type": errTypes[e.kind], "Resource": e.resource, "Device": d,
			"Description": e.description, "Detail": e.detail}); err != nil {
			return err
		}
	}
	if len(r.Entries) == 0 {
		return nil
	}
	return c.Print(printing.FormatErrpt(r))
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
	w.errlogs.Lock()
	defer w.errlogs.Unlock()
	if l := w.errlogs.of[node]; l != nil {
		l.entries = slices.DeleteFunc(l.entries, func(e errEntry) bool { return (n == 0 || !e.at.After(since)) && chosen(e) })
	}
	return nil
}

const maxNote = 230

func (w *Simulator) errlogger(_ context.Context, c *call) error {
	text := strings.Join(c.Rest, " ")
	switch {
	case text == "":
		return wrong("a message is required")
	case len(text) > maxNote:
		return wrong("the message has %d bytes, more than %d", len(text), maxNote)
	}
	keep := func(r rune) rune { // it stays on its line
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}
	w.log(c.Node, errNote, "OPERATOR", "MESSAGE FROM ERRLOGGER COMMAND\n"+strings.Map(keep, text))
	return nil
}
