// Package growth says what counters gained between two snapshots: which were reset
// in between, which wrapped, and over which time the others count.
package growth

import (
	"fmt"
	"strings"
	"time"

	"seaworthy/internal/inventory/model"
)

// Span is the time over which an element's counters count: since the earlier
// snapshot, or since they were reset.
type Span struct {
	before  model.Counters // values at its begin; none: they began at zero
	Grows   bool           // an earlier snapshot is its begin, or what came after
	reset   bool           // the counters were reset after the earlier snapshot
	proved  bool           // their age shows that they did not
	Seconds int64          // 0: not known
	gap     string         // why growth is not known; else empty
}

// Counters have an age where the driver prints when they were reset. Snapshots
// are not taken in an instant: ages may differ by this much and a hundredth.
const slack = 2 * time.Minute

// OfElement gives the span of an element's counters since an earlier snapshot of
// its host; without one they are totals.
func OfElement(e *model.Element, now, before *model.Host) Span {
	if before == nil {
		return spanOf(e, nil, 0)
	}
	return spanOf(e, before.Elements[e.Name], timeBetween(now, before))
}

// spanOf compares an element with what it was in an earlier snapshot of its
// host; before is nil if there is none, and the counters are totals.
func spanOf(now *model.Element, before *model.Element, between time.Duration) Span {
	age, known := seconds(now.CountedS)
	if before == nil {
		return Span{Seconds: int64(age / time.Second)}
	}
	s := Span{before: before.Counters, Grows: true, Seconds: int64(between / time.Second)}
	then, knownThen := seconds(before.CountedS)
	began := "its counters were reset between the snapshots"
	switch {
	case now.MAC != "" && before.MAC != "" && now.MAC != before.MAC:
		s.gap = "another adapter has this name now (" + before.MAC + " became " + now.MAC + ")"
	case known && knownThen && age < then,
		known && knownThen && between > 0 && then+between-age > slack+between/100,
		known && between > 0 && between-age > slack+between/100:
		s.before, s.reset, s.Seconds = model.Counters{}, true, int64(age/time.Second)
	case known && knownThen:
		s.proved, s.Seconds = true, int64((age-then)/time.Second)
	case fell(now.Counters, before.Counters) != "":
		s.gap = began + " (" + fell(now.Counters, before.Counters) + " fell), by a reboot or by hand: not compared"
	}
	return s
}

func seconds(n *int64) (time.Duration, bool) {
	if n == nil || *n < 0 || *n > int64(100*365*24*time.Hour/time.Second) {
		return 0, false
	}
	return time.Duration(*n) * time.Second, true
}

// only grow: what falls among these began again.
var onlyGrow = []string{"tx.Packets", "rx.Packets", "tx.Bytes", "rx.Bytes", "tx_packets", "rx_packets", "tx_bytes", "rx_bytes"}

// fell names a counter of traffic that is smaller than before; empty if none
// is, or if it may as well have wrapped.
func fell(now, before model.Counters) string {
	for _, name := range onlyGrow {
		n, ok := now.Get(name)
		b, had := before.Get(name)
		if ok && had && n < b && (b < 1<<31 || b >= 1<<32) {
			return Label(name)
		}
	}
	return ""
}

// Gained gives what a counter gained in a span, or why that is not known.
func (s Span) Gained(key string, now uint64) (n uint64, wrapped bool, gap string) {
	if s.gap != "" {
		return 0, false, s.gap
	}
	if !s.Grows || s.reset {
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

// Text says what a counter gained, over which time and how fast.
func (s Span) Text(n uint64, wrapped bool) string {
	text := fmt.Sprint(n)
	if s.Grows {
		text = fmt.Sprintf("+%d", n)
	}
	if over := s.String(); over != "" {
		text += " " + over
		if s.Seconds > 0 && n > 0 {
			text += " (" + rate(n, s.Seconds) + ")"
		}
	}
	if wrapped {
		text += ", past its 32-bit end"
	}
	return text
}

// timeBetween is the time between two snapshots of a host; 0 if not known.
func timeBetween(now, before *model.Host) time.Duration {
	if now.Taken.IsZero() || before.Taken.IsZero() {
		return 0
	}
	return max(0, now.Taken.Sub(before.Taken))
}

// String says how long a span is: "in 1 h 5 min", "in 3 h since a reset".
func (s Span) String() string {
	var parts []string
	if s.Seconds > 0 {
		parts = append(parts, "in "+lasting(time.Duration(s.Seconds)*time.Second))
	}
	switch {
	case s.reset:
		parts = append(parts, "since the counters were reset")
	case s.Grows && s.Seconds == 0:
		parts = append(parts, "since the earlier snapshot")
	}
	return strings.Join(parts, " ")
}

// rate is so many a second, with two or three digits that count.
func rate(n uint64, seconds int64) string {
	r := float64(n) / float64(seconds)
	switch {
	case r >= 10:
		return fmt.Sprintf("%.0f/s", r)
	case r >= 1:
		return fmt.Sprintf("%.1f/s", r)
	case r*3600 >= 100:
		return fmt.Sprintf("%.0f/h", r*3600)
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
	var parts []string
	for _, u := range units {
		n := d / u.of
		d %= u.of
		if n > 0 || len(parts) > 0 || u.of == time.Second {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
		}
	}
	if len(parts) > 1 && strings.HasPrefix(parts[1], "0 ") {
		return parts[0]
	}
	return strings.Join(parts[:min(2, len(parts))], " ")
}

// Label writes a counter's key as a person would.
func Label(key string) string {
	if rest, ok := strings.CutPrefix(key, "tx."); ok {
		return "transmit " + rest
	}
	if rest, ok := strings.CutPrefix(key, "rx."); ok {
		return "receive " + rest
	}
	return key
}
