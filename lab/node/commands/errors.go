package commands

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/node/errorlog"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/printing"
)

// errStamp is MMDDhhmmYY, as errpt prints and reads it.
const errStamp = "0102150406"

var errTypes = map[string]string{"T": "TEMP", "P": "PERM", "I": "INFO"}

// chooser reads the flags that choose entries.
func chooser(o *flags.Options) (func(errorlog.Entry) bool, error) {
	var when [2]time.Time // from, to
	for i, flag := range []string{"s", "e"} {
		for _, v := range o.All(flag) {
			var err error
			if when[i], err = time.ParseInLocation(errStamp, v, time.Local); err != nil {
				return nil, flags.Usagef("-%s %s is not a date of the form MMDDhhmmYY", flag, v)
			}
		}
	}
	from, to := when[0], when[1]
	return func(e errorlog.Entry) bool {
		if !from.IsZero() && e.At.Before(from) || !to.IsZero() && !e.At.Before(to.Add(time.Minute)) {
			return false
		}
		for _, x := range o.List {
			fields := map[string]string{"d": e.Class, "T": errTypes[e.Type], "N": e.Resource, "l": strconv.Itoa(e.Sequence),
				"j": e.ID, "k": e.ID, "J": e.Label, "K": e.Label}
			have, chooses := fields[x.Name]
			in := slices.ContainsFunc(strings.Split(x.Value, ","), func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), have) })
			if chooses && in == (x.Name == "k" || x.Name == "K") {
				return false
			}
		}
		return true
	}, nil
}

// printErrors prints a table of entries, or each at length without the fields that
// only hardware has.
func printErrors(c *call, list []errorlog.Entry, long bool) error {
	r := &linewise.ErrorReport{}
	for _, e := range list {
		if !long {
			r.Entries = append(r.Entries, &linewise.ErrorEntry{ID: e.ID, Stamp: e.At.Format(errStamp),
				Type: e.Type, Class: e.Class, Resource: e.Resource, Description: e.Description})
			continue
		}
		d, _ := c.db.Device(e.Resource)
		if err := c.answer("errpt -a", map[string]any{"Label": e.Label, "ID": e.ID, "At": e.At, "Sequence": e.Sequence,
			"Machine": machineID(c.sys.Serial), "Node": c.Node, "Class": e.Class, "Type": errTypes[e.Type], "Resource": e.Resource, "Device": d,
			"Description": e.Description, "Detail": e.Detail}); err != nil {
			return err
		}
	}
	if len(r.Entries) == 0 {
		return nil
	}
	return c.Print(printing.FormatErrpt(r))
}

// clearErrors deletes the chosen entries that are at least that many days old; 0: all.
func clearErrors(c *call, days string, chosen func(errorlog.Entry) bool) error {
	n, err := strconv.ParseUint(days, 10, 16)
	if err != nil {
		return flags.Usagef("%s is not a number of days", days)
	}
	since := c.sim.Clock(c.Node).AddDate(0, 0, -int(n))
	c.sim.ErrorLogs.Remove(c.Node, func(e errorlog.Entry) bool { return (n == 0 || !e.At.After(since)) && chosen(e) })
	return nil
}
