package hub

import (
	"strings"
	"testing"
	"time"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
)

// A zone that falls silent is told of once, and once when it is back.
func TestTellSilent(t *testing.T) {
	var told []string
	h := &state{o: Options{Lease: time.Hour, OnNotice: func(line string) { told = append(told, line) }}}
	ago := func(d time.Duration) time.Time { return time.Now().UTC().Add(-d) }
	h.began = ago(time.Hour)
	zoneOf := func(hosts int, seen time.Time) *zone {
		z := newZone()
		z.seen = seen
		z.last.Collector = "box"
		for i := range hosts {
			z.hosts[string(rune('a'+i))] = message.Host{}
		}
		return z
	}
	h.zones = map[string]*zone{
		"cut": zoneOf(3, ago(time.Minute)), "new": zoneOf(0, time.Time{}), "never": zoneOf(2, time.Time{}), "well": zoneOf(1, ago(time.Second)),
		"over": zoneOf(1, ago(time.Second)),
	}
	h.zones["over"].ceased = true
	says := func(want ...string) {
		t.Helper()
		told = nil
		h.tellSilent()
		if len(told) != len(want) {
			t.Fatalf("told %q, want %q", told, want)
		}
		for i, w := range want {
			if !strings.Contains(told[i], w) {
				t.Errorf("told %q, want %q", told[i], w)
			}
		}
	}
	says("zone cut: its collector box was last heard of at", "zone never: no collector was heard of since the hub began", "zone over: its collector box ended")
	says()
	parts := []control.Part{{Zone: "cut", All: 3, Done: 1}, {Zone: "over", All: 1, Done: 1}, {Zone: "well", All: 1}, {Zone: "gone", All: 1}}
	if !h.markSilent(parts) || !parts[0].Silent || parts[0].Seen.IsZero() || parts[1].Silent || parts[2].Silent || parts[3].Silent {
		t.Errorf("got %+v", parts)
	}
	h.heard(h.zones["cut"])
	h.heard(h.zones["over"])
	says("zone cut: its collector box is heard of again, after 1m0s", "zone over: its collector box is heard of again")
	says()
	h.began = time.Now() // a hub that has just begun waits for its collectors
	h.zones["never"].silentSince = time.Time{}
	says()
}
