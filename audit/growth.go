package audit

import (
	"fmt"
	"strings"
	"time"

	"seaworthy/inventory"
)

// span is the time over which an element's counters count: since the earlier
// snapshot, or since they were reset.
type span struct {
	before  inventory.Counters // values at its begin; none: they began at zero
	grows   bool               // an earlier snapshot is its begin, or what came after
	reset   bool               // the counters began anew after the earlier snapshot
	proved  bool               // their age shows that they did not
	seconds int64              // 0: not known
	gap     string             // why growth cannot be told; else empty
}

// Counters have an age where the driver prints when they were reset. Snapshots
// are not taken in an instant: ages may differ by this much and a hundredth.
const slack = 2 * time.Minute

// spanOf compares an element with what it was in an earlier snapshot of its
// host; before is nil if there is none, and the counters are totals.
func spanOf(now *inventory.Element, before *inventory.Element, between time.Duration) span {
	age, known := seconds(now.CountedS)
	if before == nil {
		return span{seconds: int64(age / time.Second)}
	}
	s := span{before: before.Counters, grows: true, seconds: int64(between / time.Second)}
	then, knownThen := seconds(before.CountedS)
	began := "its counters began anew between the snapshots"
	switch {
	case now.MAC != "" && before.MAC != "" && now.MAC != before.MAC:
		s.gap = "another adapter has this name now (" + before.MAC + " became " + now.MAC + ")"
	case known && knownThen && age < then,
		known && knownThen && between > 0 && then+between-age > slack+between/100,
		known && between > 0 && between-age > slack+between/100:
		s.before, s.reset, s.seconds = inventory.Counters{}, true, int64(age/time.Second)
	case known && knownThen:
		s.proved, s.seconds = true, int64((age-then)/time.Second)
	case fell(now.Counters, before.Counters) != "":
		s.gap = began + " (" + fell(now.Counters, before.Counters) + " fell), and when was not read"
	}
	return s
}

func seconds(n *int64) (time.Duration, bool) {
	if n == nil || *n < 0 || *n > int64(100*365*24*time.Hour/time.Second) {
		return 0, false
	}
	return time.Duration(*n) * time.Second, true
}

// only grow: what falls among these began anew.
var onlyGrow = []string{"tx.Packets", "rx.Packets", "tx.Bytes", "rx.Bytes", "tx_packets", "rx_packets", "tx_bytes", "rx_bytes"}

// fell names a counter of traffic that is smaller than before; empty if none
// is, or if it may as well have wrapped.
func fell(now, before inventory.Counters) string {
	for _, name := range onlyGrow {
		n, ok := now.Get(name)
		b, had := before.Get(name)
		if ok && had && n < b && (b < 1<<31 || b >= 1<<32) {
			return plainLabel(name)
		}
	}
	return ""
}

// growth gives what a counter gained in a span, or why that is not known.
func (s span) growth(key string, now uint64) (n uint64, wrapped bool, gap string) {
	if s.gap != "" {
		return 0, false, s.gap
	}
	if !s.grows || s.reset {
		return now, false, ""
	}
	then, ok := s.before.Get(key)
	switch {
	case !ok:
		return 0, false, "the earlier snapshot does not have it"
	case now >= then:
		return now - then, false, ""
	case s.proved && then < 1<<32 && then >= 1<<31:
		// Some drivers count in 32 bits.
		return now + 1<<32 - then, true, ""
	}
	return 0, false, fmt.Sprintf("it fell from %d to %d between the snapshots: it was reset, or it wrapped", then, now)
}

// counted says what a counter gained, over which time and how fast.
func (s span) counted(n uint64, wrapped bool) string {
	text := fmt.Sprint(n)
	if s.grows {
		text = fmt.Sprintf("+%d", n)
	}
	if over := s.String(); over != "" {
		text += " " + over
		if s.seconds > 0 && n > 0 {
			text += " (" + rate(n, s.seconds) + ")"
		}
	}
	if wrapped {
		text += ", past its 32-bit end"
	}
	return text
}

// between is the time between two snapshots of a host; 0 if not known.
func between(now, before *inventory.Host) time.Duration {
	if now.Taken.IsZero() || before.Taken.IsZero() {
		return 0
	}
	return max(0, now.Taken.Sub(before.Taken))
}

// String says how long a span is: "in 1 h 5 min", "in 3 h since a reset".
func (s span) String() string {
	var words []string
	if s.seconds > 0 {
		words = append(words, "in "+lasting(time.Duration(s.seconds)*time.Second))
	}
	switch {
	case s.reset:
		words = append(words, "since the counters were reset")
	case s.grows && s.seconds == 0:
		words = append(words, "since the earlier snapshot")
	}
	return strings.Join(words, " ")
}

// rate is so many a second, with two digits that count.
func rate(n uint64, seconds int64) string {
	r := float64(n) / float64(seconds)
	switch {
	case r >= 10:
		return fmt.Sprintf("%.0f/s", r)
	case r >= 1:
		return fmt.Sprintf("%.1f/s", r)
	case r*3600 >= 1:
		return fmt.Sprintf("%.3g/h", r*3600)
	}
	return fmt.Sprintf("%.2g/day", r*86400)
}

// lasting is a duration in its two largest units.
func lasting(d time.Duration) string {
	units := []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	for i, u := range units {
		if d < u.of && i < len(units)-1 {
			continue
		}
		text := fmt.Sprintf("%d %s", d/u.of, u.name)
		if i+1 < len(units) {
			if rest := d % u.of / units[i+1].of; rest > 0 {
				text += fmt.Sprintf(" %d %s", rest, units[i+1].name)
			}
		}
		return text
	}
	return "0 s"
}
