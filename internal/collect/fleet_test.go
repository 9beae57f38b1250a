package collect

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

// letGo counts how often a host was disconnected.
type letGo struct {
	remote.Host
	times *atomic.Int64
}

func (c letGo) Disconnect() {
	c.times.Add(1)
	remote.Disconnect(c.Host)
}

// fleetOf makes hosts that are nothing known, and how often each is disconnected.
func fleetOf(t *testing.T, n int) (*remotetest.Fleet, []remote.Host, *atomic.Int64) {
	t.Helper()
	handlers := map[string]remotetest.Handler{}
	for i := range n {
		handlers[fmt.Sprintf("h%d", i)] = table{"uname -s": says("HP-UX\n"), "uname -a": says("HP-UX h B.11.31\n"), "id -u": says("0\n")}.Serve
	}
	fleet := remotetest.Start(t, handlers)
	var hosts []remote.Host
	times := &atomic.Int64{}
	for i := range n {
		hosts = append(hosts, letGo{fleet.Host(fmt.Sprintf("h%d", i)), times})
	}
	return fleet, hosts, times
}

// Of many hosts, each is let go when it is read, and can be asked again.
func TestManyHostsAreDisconnected(t *testing.T) {
	fleet, hosts, times := fleetOf(t, maxConnected+1)
	for _, l := range ReadFleet(t.Context(), hosts, Options{}, nil) {
		if l.Manifest == nil {
			t.Fatalf("%s was not read: %v", l.Host, l.Err)
		}
	}
	if got := times.Load(); got != int64(len(hosts)) {
		t.Errorf("%d of %d hosts were disconnected", got, len(hosts))
	}
	before := fleet.Server("h0").Connections()
	res, err := hosts[0].Run(t.Context(), remote.Command{Line: "uname -s"})
	if err != nil || string(res.Stdout) != "HP-UX\n" {
		t.Errorf("asked again: %v", err)
	}
	if now := fleet.Server("h0").Connections(); now != before+1 {
		t.Errorf("%d connections after asking again, %d before: it was not let go", now, before)
	}
}

// After an interrupt no host is begun any more.
func TestInterruptedBeforeAHost(t *testing.T) {
	fleet, hosts, _ := fleetOf(t, 3)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, l := range ReadFleet(ctx, hosts, Options{}, nil) {
		if !errors.Is(l.Err, ErrNotBegun) || !errors.Is(l.Err, context.Canceled) {
			t.Errorf("%s: got %v, want ErrNotBegun", l.Host, l.Err)
		}
		if n := fleet.Server(l.Host).Connections(); n != 0 {
			t.Errorf("%s: %d connections were made", l.Host, n)
		}
	}
}
