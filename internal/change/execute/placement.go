package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

// Placement is where a host of a run was when the run began. Empty: not read.
type Placement struct {
	Host      string         `json:"host"`
	Platform  model.Platform `json:"platform,omitempty"`
	System    string         `json:"system,omitempty"` // 9009-22A*7812345
	Partition *int           `json:"partition,omitempty"`
	Booted    time.Time      `json:"booted,omitzero"`
}

// Move is what happened to a host since its run began: a Live Partition Mobility, or a reboot or
// Live Update.
type Move struct {
	Host string `json:"host"`
	From string `json:"from,omitempty"` // managed systems; empty: it did not leave its own
	To   string `json:"to,omitempty"`
	// Left are VIOSes of the run that carried it and stay behind: their steps say nothing of
	// those that carry it now.
	Left   []string  `json:"left,omitempty"`
	Booted time.Time `json:"booted,omitzero"` // when it was rebooted or updated live; zero: it was not
}

// String names the move, and what follows from it.
func (m Move) String() string {
	var parts []string
	if m.To != "" {
		parts = append(parts, fmt.Sprintf("was moved from %s to %s", m.From, m.To))
	}
	if !m.Booted.IsZero() {
		parts = append(parts, "was rebooted or updated live at "+m.Booted.Format(time.DateTime)+" UTC")
	}
	text := m.Host + " " + strings.Join(parts, " and ") + " since the run began"
	if len(m.Left) > 0 {
		text += fmt.Sprintf(": steps on %s stay on the system that it left; the VIOSes that carry it now were not changed",
			strings.Join(m.Left, ", "))
	}
	return text
}

// steady is by how much two readings of when a host was booted may differ: both count whole
// seconds since the boot, over a connection that may be slow.
const steady = time.Minute

// placements reads where hosts are. One that cannot be asked is left out: nothing is said of it.
func (r *Runner) placements(ctx context.Context, hosts []string) []Placement {
	if r.Placement == nil {
		return nil
	}
	found, _ := gather(ctx, "", hosts, func(host string) (Placement, error) {
		h, err := r.Placement(ctx, host)
		if err != nil {
			return Placement{}, err
		}
		return placementOf(host, h, time.Now().UTC()), nil
	})
	return slices.DeleteFunc(found, func(p Placement) bool { return p.Host == "" })
}

// stayed refuses a plan for a partition that was on another managed system when it was made: other
// VIOSes carry it now.
func stayed(p *plan.Plan, placed []Placement) error {
	for _, was := range p.KnownBy {
		for _, is := range placed {
			if is.Host == was.Host && was.System != "" && is.System != "" && was.System != is.System {
				return fmt.Errorf("plan %s: %s was moved from %s to %s: %w (other VIOSes carry it: make a new plan)",
					p.ID, is.Host, was.System, is.System, ErrDrift)
			}
		}
	}
	return nil
}

func placementOf(name string, h *model.Host, now time.Time) Placement {
	p := Placement{Host: name, Platform: h.Platform, System: h.MachineID, Partition: h.Partition.Number}
	if up, ok := h.Figures[model.Uptime]; ok {
		p.Booted = now.Add(-time.Duration(up.Value) * time.Second).Truncate(time.Second)
	}
	return p
}

// looking bounds how long a confirmation waits to learn where hosts are.
const looking = 15 * time.Second

// Moves compares where the hosts of a run are with where they were when it began. A host
// that cannot be asked is not compared.
func (r *Runner) Moves(ctx context.Context, run *Run) []Move {
	if len(run.Placed) == 0 {
		return nil
	}
	var hosts []string
	for _, p := range run.Placed {
		hosts = append(hosts, p.Host)
	}
	ctx, cancel := context.WithTimeout(ctx, looking)
	defer cancel()
	return moves(run.Placed, r.placements(ctx, hosts))
}

func moves(then, now []Placement) []Move {
	var all []Move
	for _, was := range then {
		i := slices.IndexFunc(now, func(p Placement) bool { return p.Host == was.Host })
		if i < 0 {
			continue
		}
		is, m := now[i], Move{Host: was.Host}
		if was.System != "" && is.System != "" && was.System != is.System {
			m.From, m.To = was.System, is.System
			m.Left = leftBehind(was, then)
		}
		if !was.Booted.IsZero() && is.Booted.Sub(was.Booted) > steady {
			m.Booted = is.Booted
		}
		if m.To != "" || !m.Booted.IsZero() {
			all = append(all, m)
		}
	}
	return all
}

// leftBehind are the VIOSes that were on the system of a partition.
func leftBehind(was Placement, then []Placement) []string {
	var left []string
	for _, p := range then {
		if p.Platform == model.VIOS && p.Host != was.Host && p.System == was.System {
			left = append(left, p.Host)
		}
	}
	return left
}
