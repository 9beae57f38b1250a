package collect

import (
	"context"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// Values reads hosts again and again for a change: the attributes of devices
// and their states, and the tunables, as Read gives them, without counters,
// defaults, ranges and what else no change is checked by. It asks once what a
// host is, and puts many commands into one session. It is safe for concurrent
// use.
type Values struct {
	Platforms map[string]model.Platform // by host: what it is if it cannot be found out
	Hung      *remote.Hung              // commands that are not asked again; nil: those of one reading alone

	logins sync.Map // name → login
}

// Read reads one host. One that broke off gives an error and no inventory.
func (v *Values) Read(ctx context.Context, h remote.Host) (*model.Host, error) {
	l, err := v.login(ctx, h)
	if err != nil {
		return nil, err
	}
	r := newRunner(h, l, newMemory(h.Name()), Options{Hung: v.Hung}, nil)
	r.values = true
	r.read(ctx)
	if err := r.close(ctx); err != nil {
		return nil, err
	}
	return Inventory(r.snapshot())
}

func (v *Values) login(ctx context.Context, h remote.Host) (login, error) {
	if l, known := v.logins.Load(h.Name()); known {
		return l.(login), nil
	}
	l, err := detect(ctx, h, hints{platform: v.Platforms[h.Name()]})
	if err == nil && l.platform != model.Unknown {
		v.logins.Store(h.Name(), l)
	}
	return l, err
}
