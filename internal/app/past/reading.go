package past

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
)

// Moment is a time of a history that a command reads hosts at.
type Moment struct {
	History string // as a user named it; empty: the default one
	At      string // empty: now, hosts are read as they run
}

// Over returns an access that reads hosts as they were, if a time was named.
func (m Moment) Over(access fleet.Access) (fleet.Access, error) {
	if m.At == "" {
		if m.History != "" {
			return access, app.Usage("--history %s: --at TIME says when (--at now for the hosts as last read)", m.History)
		}
		return access, nil
	}
	at, err := ParseTime(m.At)
	if err != nil {
		return access, err
	}
	open := access
	access.Past = func(ctx context.Context, names []string) ([]collect.Live, error) {
		store, err := OpenToRead(ctx, open, m.History)
		if err != nil {
			return nil, err
		}
		defer store.Close()
		return asOf(ctx, open, store, at, names)
	}
	return access, nil
}

// asOf gives hosts as they were last read up to a time, and says which were not reached since.
func asOf(ctx context.Context, access fleet.Access, store *history.Store, at time.Time, names []string) ([]collect.Live, error) {
	list, err := store.Snapshots(ctx, at, names...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("history %s: no host was read up to %s UTC", store.Name(), at.Format(time.DateTime))
	}
	spans, err := store.Hosts(ctx, at, names...)
	if err != nil {
		return nil, err
	}
	for _, h := range spans {
		if h.NotSeen() && h.Snapshots > 0 {
			access.Notice("%s: not seen since %s UTC; not reached at %s UTC: %s", h.Host, h.Last.Format(time.DateTime),
				h.Missed.Format(time.DateTime), h.Why)
		}
	}
	return restore(ctx, store, list)
}

// restore gives snapshots back. One whose raw text was pruned is a host that was not read.
func restore(ctx context.Context, store *history.Store, list []history.Past) ([]collect.Live, error) {
	shown := progress.Begin(ctx, "reading the history", "host", len(list))
	defer shown.End()
	var out []collect.Live
	for _, p := range list {
		l, err := restoreOne(ctx, store, p)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
		shown.Step(p.Host)
	}
	return out, nil
}

func restoreOne(ctx context.Context, store *history.Store, p history.Past) (collect.Live, error) {
	s, err := store.Restore(ctx, p)
	switch {
	case errors.Is(err, history.ErrPruned):
		return collect.Live{Outcome: collect.Outcome{Host: p.Host, Err: err}}, nil
	case err != nil:
		return collect.Live{}, err
	}
	return collect.Live{Outcome: collect.Outcome{Host: p.Host, Manifest: &s.Manifest}, Snapshot: s}, nil
}

// Restored is a host that was written as a folder.
type Restored struct {
	Host  string    `json:"host"`
	Taken time.Time `json:"taken"`
	Dir   string    `json:"dir,omitempty"`
	Error string    `json:"error,omitempty"`
}

// Write writes hosts as they were last read up to a time as folders below dir, as collect does.
func Write(ctx context.Context, store *history.Store, at time.Time, dir string, names []string) ([]Restored, error) {
	list, err := store.Snapshots(ctx, at, names...)
	if err != nil {
		return nil, err
	}
	out := []Restored{}
	for _, p := range list {
		r := Restored{Host: p.Host, Taken: p.Taken}
		s, err := store.Restore(ctx, p)
		switch {
		case errors.Is(err, history.ErrPruned):
			r.Error = err.Error()
		case err != nil:
			return nil, err
		default:
			r.Dir, err = writeFolder(s, dir)
			if err != nil {
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func writeFolder(s *collect.Snapshot, dir string) (string, error) {
	w, err := collect.NewWriter(dir, s.Manifest, false)
	if err != nil {
		return "", err
	}
	for i := range s.Manifest.Commands {
		r := &s.Manifest.Commands[i]
		stdout, err := s.Text(r)
		if err != nil {
			return "", err
		}
		stderr, err := s.Stderr(r)
		if err != nil {
			return "", err
		}
		err = w.Add(*r, stdout, stderr)
		if err != nil {
			w.Abort()
			return "", err
		}
	}
	return w.Close()
}
