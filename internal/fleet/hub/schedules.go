package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/schedule"
	"seaworthy/internal/remote"
)

// scheduled is a schedule with its times.
type scheduled struct {
	control.Schedule
	times *schedule.Schedule
}

var scheduleName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)

func (h *sweeper) loadSchedules(ctx context.Context) error {
	return h.each(ctx, queue.Schedules, func(e jetstream.KeyValueEntry) error {
		s := &scheduled{}
		err := decode.JSON("schedule "+e.Key(), e.Value(), &s.Schedule, decode.Newer)
		if err == nil {
			s.times, err = schedule.Parse(s.Cron, time.Duration(s.Jitter), s.Not)
		}
		if err == nil {
			h.schedules[e.Key()] = s
		}
		return err
	})
}

// beginDue makes the sweeps of schedules whose time has come. One that was missed while no hub
// ran is made up for once.
func (h *sweeper) beginDue(ctx context.Context) {
	now := time.Now()
	h.mu.Lock()
	var due []*scheduled
	for _, s := range h.schedules {
		if !s.Next.IsZero() && !now.Before(s.Next) {
			due = append(due, s)
		}
	}
	h.mu.Unlock()
	for _, s := range due {
		h.beginOne(ctx, s, now)
	}
}

func (h *sweeper) beginOne(ctx context.Context, s *scheduled, now time.Time) {
	h.mu.Lock()
	before := h.sweeps[s.Last]
	h.mu.Unlock()
	note, last := "", s.Last
	switch {
	case s.times.Blackout(now):
		note = "left out: in a window of --not"
	case before != nil:
		note = "left out: sweep " + s.Last + " had not ended"
	default:
		made, err := h.startSweep(ctx, control.NewSweep{Words: s.Words, Within: s.Within, By: s.Name})
		if err != nil {
			note = remote.Brief(err.Error())
			h.notice("schedule %s: %v", s.Name, err)
		} else {
			last = made.ID
		}
	}
	h.mu.Lock()
	s.Note, s.Last, s.Next = note, last, s.times.Next(now, nil)
	text, err := json.Marshal(s.Schedule)
	there := h.schedules[s.Name] == s
	h.mu.Unlock()
	if err == nil && there {
		err = h.put(ctx, queue.Schedules, s.Name, text)
	}
	if err != nil {
		h.notice("schedule %s: %v", s.Name, err)
	}
}

func (h *sweeper) putSchedule(ctx context.Context, q control.Schedule) (control.Schedule, error) {
	if !scheduleName.MatchString(q.Name) {
		return q, fmt.Errorf("schedule %.60q: expected up to 60 letters, digits, - and _", q.Name)
	}
	_, err := parseSelector(q.Words)
	if err != nil {
		return q, err
	}
	within := cmp.Or(time.Duration(q.Within), defaultWithin)
	if within < time.Second || within > maxWithin {
		return q, fmt.Errorf("--within %s: expected from 1s to 30d", within)
	}
	q.Within = control.Seconds(within)
	s := &scheduled{Schedule: q}
	s.times, err = schedule.Parse(q.Cron, time.Duration(q.Jitter), q.Not)
	if err != nil {
		return q, err
	}
	s.Next, s.Last, s.Note = s.times.Next(time.Now(), nil), "", ""
	if s.Next.IsZero() {
		return q, fmt.Errorf("schedule %s: no time is in none of its windows", q.Name)
	}
	text, err := json.Marshal(s.Schedule)
	if err != nil {
		return q, fmt.Errorf("schedule %s: %w", q.Name, err)
	}
	err = h.put(ctx, queue.Schedules, q.Name, text)
	if err != nil {
		return q, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedules[q.Name] = s
	return s.Schedule, nil
}

func (h *sweeper) removeSchedule(ctx context.Context, q control.Named) (none control.Nothing, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.schedules[q.Name] == nil {
		var names []string
		for name := range h.schedules {
			names = append(names, name)
		}
		slices.Sort(names)
		return none, h.unknown("schedule", q.Name, names)
	}
	delete(h.schedules, q.Name)
	return none, h.remove(ctx, queue.Schedules, q.Name)
}

func (h *sweeper) listSchedules(context.Context, control.Nothing) ([]control.Schedule, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []control.Schedule{}
	for _, s := range h.schedules {
		out = append(out, s.Schedule)
	}
	slices.SortFunc(out, func(a, b control.Schedule) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
