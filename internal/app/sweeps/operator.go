package sweeps

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/app"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
)

// Asking is an operator's connection to a hub.
type Asking struct{ nc *nats.Conn }

// Operator logs in to the hub of a token's file; empty: that of the hub whose state is here.
func Operator(ctx context.Context, state, file string, options ...nats.Option) (*Asking, error) {
	if file == "" {
		dir, err := StateDir(state)
		if err != nil {
			return nil, err
		}
		file = filepath.Join(dir, operatorFile)
		_, err = os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, app.Usage("no hub on this machine (%s is missing): start one with seaworthy fleet serve, "+
				"or give --token with a copy of its operator.token", file)
		}
	}
	t, err := trust.Read(ctx, file)
	if err != nil {
		return nil, err
	}
	if t.User != trust.Operator {
		return nil, app.Usage("--token %s: a token of zone %s: give the hub's operator.token", file, t.User)
	}
	nc, err := queue.Dial(t, options...)
	if err != nil {
		return nil, err
	}
	return &Asking{nc}, nil
}

// Close ends the connection.
func (a *Asking) Close() { a.nc.Close() }

func ask[A any](ctx context.Context, a *Asking, request string, question any) (A, error) {
	ctx, done := context.WithTimeout(ctx, Patience)
	defer done()
	return control.Ask[A](ctx, a.nc, request, question)
}

// AddZone makes a zone, or gives it another key.
func (a *Asking) AddZone(ctx context.Context, z control.NewZone) (control.Made, error) {
	return ask[control.Made](ctx, a, control.AddZone, z)
}

// Token makes a token of a zone and writes it to a file, which must not be there.
func (a *Asking) Token(ctx context.Context, z control.NewZone, file string) error {
	err := message.CheckZone(z.Name)
	if err != nil {
		return app.Usage("fleet token: %w", err)
	}
	_, err = os.Stat(file)
	if err == nil {
		return app.Usage("fleet token -o %s: this file is there already: name another", file)
	}
	seed, public, err := trust.NewKey()
	if err != nil {
		return err
	}
	z.Key = public
	made, err := a.AddZone(ctx, z)
	if err != nil {
		return err
	}
	t := &trust.Token{Schema: trust.SchemaToken, User: z.Name, Hubs: made.Hubs, Pin: made.Pin, OwnCA: made.OwnCA, Seed: seed}
	return t.Write(file)
}

// Zones lists the zones.
func (a *Asking) Zones(ctx context.Context) ([]control.ZoneState, error) {
	return ask[[]control.ZoneState](ctx, a, control.ListZones, control.Nothing{})
}

// RemoveZone removes a zone: its tokens are refused from then on.
func (a *Asking) RemoveZone(ctx context.Context, name string) error {
	_, err := ask[control.Nothing](ctx, a, control.RemoveZone, control.Named{Name: name})
	return err
}

// Sweep begins a sweep.
func (a *Asking) Sweep(ctx context.Context, s control.NewSweep) (*control.Sweep, error) {
	s.User = asker()
	return ask[*control.Sweep](ctx, a, control.StartSweep, s)
}

// asker is who runs this program: NAME@MACHINE; what cannot be told is left out.
func asker() string {
	login := ""
	u, err := user.Current()
	if err == nil {
		login = u.Username
	}
	machine, err := os.Hostname()
	if err != nil || login == "" {
		return login
	}
	return login + "@" + machine
}

// Status is how far a sweep is.
func (a *Asking) Status(ctx context.Context, id string) (*control.Sweep, error) {
	return ask[*control.Sweep](ctx, a, control.SweepStatus, control.Named{Name: id})
}

// Sweeps lists the last sweeps.
func (a *Asking) Sweeps(ctx context.Context) ([]control.Sweep, error) {
	return ask[[]control.Sweep](ctx, a, control.ListSweeps, control.Nothing{})
}

// Cancel ends a sweep: the hosts that were not read end with that reason.
func (a *Asking) Cancel(ctx context.Context, id string) (*control.Sweep, error) {
	return ask[*control.Sweep](ctx, a, control.CancelSweep, control.Named{Name: id})
}

// PutSchedule keeps a schedule, in place of one of the same name.
func (a *Asking) PutSchedule(ctx context.Context, s control.Schedule) (control.Schedule, error) {
	return ask[control.Schedule](ctx, a, control.PutSchedule, s)
}

// RemoveSchedule removes a schedule.
func (a *Asking) RemoveSchedule(ctx context.Context, name string) error {
	_, err := ask[control.Nothing](ctx, a, control.RemoveSchedule, control.Named{Name: name})
	return err
}

// Schedules lists the schedules.
func (a *Asking) Schedules(ctx context.Context) ([]control.Schedule, error) {
	return ask[[]control.Schedule](ctx, a, control.ListSchedules, control.Nothing{})
}

// askEvery is how often a sweep that is waited for is asked about.
const askEvery = 500 * time.Millisecond

// Wait waits until a sweep has ended, and shows how far it is. The hub may be gone for a while.
func (a *Asking) Wait(ctx context.Context, s *control.Sweep) (*control.Sweep, error) {
	shown := progress.Begin(ctx, "sweep "+s.ID, "host", s.All)
	defer shown.End()
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for s.Ended.IsZero() {
		shown.At(s.Done(), s.All)
		var parts []string
		for _, z := range s.Zones {
			switch {
			case z.Silent:
				parts = append(parts, z.Zone+" (silent)")
			case z.Done < z.All:
				parts = append(parts, z.Zone)
			}
		}
		shown.Now(strings.Join(parts, ", "))
		select {
		case <-ctx.Done():
			return s, context.Cause(ctx)
		case <-tick.C:
		}
		now, err := a.Status(ctx, s.ID)
		switch {
		case err == nil:
			s = now
		case a.nc.IsConnected() && ctx.Err() == nil:
			return s, err
		}
	}
	return s, nil
}
