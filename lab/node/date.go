package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/lab/effect"
)

// clock is a node's time of day. Only the lab's own commands know of a jump:
// see the fault clock-jump.
func (w *Simulator) clock(node string) time.Time {
	w.changing.Lock()
	defer w.changing.Unlock()
	return w.seenClock(node)
}

// date prints the node's time of day.
func (w *Simulator) date(_ context.Context, c *Call, o *Options) error {
	t := w.clock(c.Node)
	if o.Has("u") {
		t = t.UTC()
	}
	if len(o.Rest) == 0 {
		fmt.Fprintln(c.Stdout, t.Format("Mon Jan _2 15:04:05 MST 2006"))
		return nil
	}
	format, ok := strings.CutPrefix(o.Rest[0], "+")
	if !ok {
		return errors.New("the clock of a lab's node is the machine's: lab break NODE clock-jump lets it jump")
	}
	fmt.Fprintln(c.Stdout, strftime(t, format))
	return nil
}

// strftime fills in the field descriptors of date; one that it does not know
// stays as it is, as on AIX.
func strftime(t time.Time, format string) string {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		out.WriteString(field(t, format[i]))
	}
	return out.String()
}

// layouts are the descriptors that package time has a layout for.
var layouts = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January", 'c': "Mon Jan _2 15:04:05 2006", 'd': "02", 'D': "01/02/06",
	'e': "_2", 'F': "2006-01-02", 'H': "15", 'I': "03", 'm': "01", 'M': "04", 'p': "PM", 'r': "03:04:05 PM", 'R': "15:04",
	'S': "05", 'T': "15:04:05", 'x': "01/02/06", 'X': "15:04:05", 'y': "06", 'Y': "2006", 'z': "-0700", 'Z': "MST",
}

func field(t time.Time, d byte) string {
	year, week := t.ISOWeek()
	days, weekday := t.YearDay(), int(t.Weekday())
	switch d {
	case 'C':
		return fmt.Sprintf("%02d", t.Year()/100)
	case 'G':
		return strconv.Itoa(year)
	case 'j':
		return fmt.Sprintf("%03d", days)
	case 'n':
		return "\n"
	case 'N':
		return fmt.Sprintf("%09d", t.Nanosecond())
	case 's':
		return strconv.FormatInt(t.Unix(), 10)
	case 't':
		return "\t"
	case 'u':
		return strconv.Itoa((weekday+6)%7 + 1)
	case 'U': // weeks begin on Sunday
		return fmt.Sprintf("%02d", (days+6-weekday)/7)
	case 'V':
		return fmt.Sprintf("%02d", week)
	case 'w':
		return strconv.Itoa(weekday)
	case 'W': // weeks begin on Monday
		return fmt.Sprintf("%02d", (days+6-(weekday+6)%7)/7)
	case '%':
		return "%"
	}
	if l, ok := layouts[d]; ok {
		return t.Format(l)
	}
	return "%" + string(d)
}

// seenClock is the node's time for who holds the lock of the changes.
func (w *Simulator) seenClock(node string) time.Time {
	return w.now().Add(time.Duration(w.seen.faults.Of(effect.ClockJump, node)))
}
