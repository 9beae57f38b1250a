package hub

import (
	"fmt"
	"time"

	"seaworthy/internal/fleet/control"
)

// A zone is silent when it has hosts and no collector of it was heard of for a while. Nothing else would tell: its jobs wait.

// connected reports whether a collector of a zone is at work, as far as the hub heard. h.mu is held.
func (h *state) connected(z *zone) bool {
	return !z.ceased && time.Since(z.seen) < h.aliveFor()
}

// silent reports whether nobody reads the hosts of a zone. h.mu is held.
func (h *state) silent(z *zone) bool {
	return len(z.hosts) > 0 && !h.connected(z) && time.Since(h.began) > h.aliveFor()
}

// heard notes that a zone spoke.
func (h *state) heard(z *zone) {
	z.seen, z.ceased = time.Now().UTC(), false
}

// tellSilent tells once of each zone that fell silent, and once that it is back.
func (h *state) tellSilent() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range h.zoneNames() {
		z := h.zones[name]
		silent := h.silent(z)
		switch {
		case silent && z.silentSince.IsZero():
			z.silentSince = z.seen
			if z.seen.IsZero() {
				z.silentSince = h.began
			}
			h.notice("zone %s: %s: jobs and results wait until seaworthy fleet join there reaches the hub", name, h.lastHeard(z))
		case !silent && !z.silentSince.IsZero():
			h.notice("zone %s: its collector %s is heard of again, after %s", name, z.last.Collector,
				time.Since(z.silentSince).Round(time.Second))
			z.silentSince = time.Time{}
		}
	}
}

// lastHeard says when a zone was heard of. h.mu is held.
func (h *state) lastHeard(z *zone) string {
	switch {
	case z.seen.IsZero():
		return "no collector was heard of since the hub began"
	case z.ceased:
		return fmt.Sprintf("its collector %s ended at %s UTC", z.last.Collector, z.seen.Format(time.DateTime))
	}
	return fmt.Sprintf("its collector %s was last heard of at %s UTC", z.last.Collector, z.seen.Format(time.DateTime))
}

// markSilent marks the parts of a sweep for which hosts are to come from silent zones. h.mu is held.
func (h *state) markSilent(parts []control.Part) (any bool) {
	for i := range parts {
		p := &parts[i]
		z := h.zones[p.Zone]
		if z == nil || p.Done >= p.All || !h.silent(z) {
			continue
		}
		p.Silent, p.Seen = true, z.seen
		any = true
	}
	return any
}
