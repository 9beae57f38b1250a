package load_test

import (
	"context"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure/probe/load"
)

func pairOf(t *testing.T, spec load.Spec) (listening, connected *load.Load) {
	t.Helper()
	spec.Limit, spec.Token = 60, strings.Repeat("ab", 16)
	l, port, err := load.Listen(spec, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), 0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Stop() })
	spec.Send = true
	c, err := load.Connect(t.Context(), spec, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Stop() })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := l.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	return l, c
}

// Loops that bypass the scheduler must still let the runtime stop the world,
// whether their data flows or not.
func TestWorldCanBeStopped(t *testing.T) {
	for name, spec := range map[string]load.Spec{
		"stream": {Kind: load.Stream, Connections: 2, Write: 64 << 10},
		"rr":     {Kind: load.RequestResponse, Connections: 2, Request: 1, Response: 1, NoDelay: true},
	} {
		t.Run(name, func(t *testing.T) {
			l, c := pairOf(t, spec)
			stopped := make(chan struct{})
			go func() {
				runtime.GC()
				c.Stop() // the other end now waits for data that does not come, or sees the end
				runtime.GC()
				close(stopped)
			}()
			select {
			case <-stopped:
			case <-time.After(30 * time.Second):
				t.Fatal("a collection does not end while the load runs")
			}
			l.Stop()
		})
	}
}

// A receiving end whose sender keeps silent must be stoppable at once.
func TestSilentPeer(t *testing.T) {
	spec := load.Spec{Kind: load.Stream, Connections: 1, Write: 1, Limit: 60, Token: strings.Repeat("ab", 16)}
	l, port, err := load.Listen(spec, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), 0))
	if err != nil {
		t.Fatal(err)
	}
	c, err := load.Connect(t.Context(), spec, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port))) // neither end sends
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		for range 5 {
			runtime.GC()
		}
		l.Stop()
		c.Stop()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("two silent ends cannot be stopped")
	}
}

func TestTimeLimit(t *testing.T) {
	spec := load.Spec{Kind: load.Stream, Connections: 1, Write: 1, Limit: 0.2, Token: strings.Repeat("ab", 16)}
	l, _, err := load.Listen(spec, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), 0))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Stop()
	if err := l.Ready(t.Context()); err == nil {
		t.Error("nobody came: got ready, want an error when the limit has passed")
	}
}
