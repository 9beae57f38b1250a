package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func dateCommand() command {
	both := &form{
		flags:    "u",
		operands: 1,
		usage:    `date [-u] [+FieldDescriptor...]`,
	}
	return command{run: runDate, aix: both, vios: both}
}

func runDate(_ context.Context, c *call) error {
	t := c.sim.Clock(c.Node)
	if c.Has("u") {
		t = t.UTC()
	}
	if len(c.Rest) == 0 {
		fmt.Fprintln(c.Stdout, t.Format("Mon Jan _2 15:04:05 MST 2006"))
		return nil
	}
	format, ok := strings.CutPrefix(c.Rest[0], "+")
	if !ok {
		return errors.New("the clock of a lab's node is the machine's: lab break NODE clock-jump lets it jump")
	}
	fmt.Fprintln(c.Stdout, strftime(t, format))
	return nil
}

// descriptor is a field descriptor of date.
var descriptor = regexp.MustCompile(`%.`)

// strftime fills in the field descriptors of date; one that it does not know
// stays as it is, as on AIX.
func strftime(t time.Time, format string) string {
	year, week := t.ISOWeek()
	days, weekday := t.YearDay(), int(t.Weekday())
	monday := (weekday + 6) % 7
	fields := map[string]string{
		"%C": fmt.Sprintf("%02d", t.Year()/100), "%G": strconv.Itoa(year), "%j": fmt.Sprintf("%03d", days), "%n": "\n",
		"%N": fmt.Sprintf("%09d", t.Nanosecond()), "%s": strconv.FormatInt(t.Unix(), 10), "%t": "\t",
		"%u": strconv.Itoa(monday + 1), "%V": fmt.Sprintf("%02d", week), "%w": strconv.Itoa(weekday), "%%": "%",
		// Weeks that begin on Sunday, and on Monday.
		"%U": fmt.Sprintf("%02d", (days+6-weekday)/7), "%W": fmt.Sprintf("%02d", (days+6-monday)/7),
	}
	return descriptor.ReplaceAllStringFunc(format, func(d string) string {
		if layout, ok := layouts[d]; ok {
			return t.Format(layout)
		}
		return cmp.Or(fields[d], d)
	})
}

// layouts are the descriptors that package time has a layout for.
var layouts = map[string]string{
	"%a": "Mon", "%A": "Monday", "%b": "Jan", "%h": "Jan", "%B": "January", "%c": "Mon Jan _2 15:04:05 2006",
	"%d": "02", "%D": "01/02/06", "%e": "_2", "%F": "2006-01-02", "%H": "15", "%I": "03", "%m": "01", "%M": "04",
	"%p": "PM", "%r": "03:04:05 PM", "%R": "15:04", "%S": "05", "%T": "15:04:05", "%x": "01/02/06", "%X": "15:04:05",
	"%y": "06", "%Y": "2006", "%z": "-0700", "%Z": "MST",
}
