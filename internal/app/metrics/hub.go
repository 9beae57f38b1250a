package metrics

import (
	"time"

	"seaworthy/internal/fleet/control"
)

// Hub is what a fleet's hub says of itself.
type Hub struct {
	Zones  []control.ZoneState
	Sweeps []control.Sweep
}

// add has zones and sweeps.
func (s *Hub) add(f *families) {
	s.addZones(f)
	s.addSweeps(f)
}

func (s *Hub) addZones(f *families) {
	for _, z := range s.Zones {
		f.add("seaworthy_fleet_zone_hosts", float64(z.Hosts), z.Name)
		f.add("seaworthy_fleet_zone_connected", oneIf(z.Connected), z.Name)
		if !z.Seen.IsZero() {
			f.add("seaworthy_fleet_zone_last_seen_timestamp_seconds", seconds(z.Seen), z.Name)
		}
		f.add("seaworthy_fleet_jobs", float64(z.Waiting), z.Name, "waiting")
		f.add("seaworthy_fleet_jobs", float64(z.Held), z.Name, "held")
		f.add("seaworthy_fleet_hosts_being_read", float64(z.Reading), z.Name)
		f.add("seaworthy_fleet_results_spooled", float64(z.Spooled), z.Name)
		f.add("seaworthy_fleet_refused_messages_total", float64(z.Refused), z.Name)
	}
}

// addSweeps has the last sweep that was begun, and when the last one ended.
func (s *Hub) addSweeps(f *families) {
	running := 0
	var last *control.Sweep
	var ended time.Time
	for i := range s.Sweeps {
		x := &s.Sweeps[i]
		if x.Ended.IsZero() {
			running++
		}
		if x.Ended.After(ended) {
			ended = x.Ended
		}
		if last == nil || x.Begun.After(last.Begun) {
			last = x
		}
	}
	f.add("seaworthy_fleet_sweeps_running", float64(running))
	if !ended.IsZero() {
		f.add("seaworthy_fleet_last_sweep_timestamp_seconds", seconds(ended))
	}
	if last == nil {
		return
	}
	f.add("seaworthy_fleet_sweep_hosts", float64(last.Read), "read")
	f.add("seaworthy_fleet_sweep_hosts", float64(last.Partial), "partial")
	f.add("seaworthy_fleet_sweep_hosts", float64(last.Failed), "failed")
	f.add("seaworthy_fleet_sweep_hosts", float64(last.All-last.Done()), "to_come")
}

// seconds is a time as metrics have it.
func seconds(t time.Time) float64 { return float64(t.Unix()) }
