package live_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/remote"
)

// fake is a host that hangs, or does not let the user in.
type fake struct {
	name  string
	hangs bool
}

func (f fake) Name() string { return f.name }
func (f fake) Close() error { return nil }

func (f fake) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	_, err := f.Start(ctx, c.Line)
	return nil, err
}

func (f fake) Start(ctx context.Context, line string) (*remote.Session, error) {
	if f.hangs {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	return nil, &remote.Error{Host: f.name, Command: line, Err: remote.ErrAuth}
}

// Hosts that hang do not keep others from being read.
func TestHangingHostsHoldNoPlaces(t *testing.T) {
	var hosts []remote.Host
	for i := range 100 {
		hosts = append(hosts, fake{fmt.Sprintf("hangs%d", i), true})
	}
	hosts = append(hosts, fake{"answers", false})
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	heard := ""
	live.Watch(ctx, hosts, collect.Options{}, time.Second, func(e live.Event) {
		heard = e.Host()
		stop()
	})
	if heard != "answers" {
		t.Errorf("heard of %q, want the host that answers", heard)
	}
}
