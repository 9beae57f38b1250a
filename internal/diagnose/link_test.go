package diagnose_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// port is a host whose only port has a link or not, by the time since it began.
type port struct {
	name string
	up   func(since time.Duration) bool
	from time.Time
	asks int
}

func (p *port) Name() string { return p.name }
func (p *port) Close() error { return nil }
func (p *port) Start(context.Context, string) (*remote.Session, error) {
	return nil, io.ErrUnexpectedEOF
}

func (p *port) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	if !strings.Contains(c.Line, "entstat -d ent5") { // the SEA has ent0 opened
		return &remote.Result{Exit: 1, Stderr: []byte("entstat: 0909-003 Unable to connect to device ent0, errno = 19")}, nil
	}
	p.asks++
	state := "Down"
	if p.up(time.Since(p.from)) {
		state = "Up"
	}
	return &remote.Result{Stdout: fmt.Appendf(nil, `ETHERNET STATISTICS (ent5) :
Device Type: Shared Ethernet Adapter
Hardware Address: 00:11:22:33:44:55
Statistics for adapters in the Shared Ethernet Adapter ent5
-----------------------------------------------------------
Real Adapter: ent0

ETHERNET STATISTICS (ent0) :
Device Type: 4-Port 10/100/1000 Base-TX PCI-Express Adapter
Hardware Address: 00:11:22:33:44:55
Link Status: %s
`, state)}, nil
}

// Links are looked at once there is a reason, and until one came and went.
func TestWatch(t *testing.T) {
	by := func(period time.Duration) func(time.Duration) bool {
		return func(since time.Duration) bool { return since%period >= period/2 }
	}
	always := func(up bool) func(time.Duration) bool { return func(time.Duration) bool { return up } }
	tests := []struct {
		name   string
		up     func(time.Duration) bool
		lost   bool // packets, after a second
		flaps  bool
		looked bool
	}{
		{"no reason", always(true), false, false, false},
		{"packets lost, and no link", always(true), true, false, true},
		{"unplugged", always(false), false, false, true},
		{"down at the second reading alone", func(d time.Duration) bool { return d < 4*time.Second }, false, false, true},
		{"flaps within a second", by(time.Second), true, true, true},
		{"flaps within two", by(2 * time.Second), true, true, true},
		{"up at first, down for a moment each second", func(d time.Duration) bool { return d%time.Second < 800*time.Millisecond }, true, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				host := &port{"vios1", tt.up, time.Now(), 0}
				reading := func() diagnose.Input {
					return input(t, "two-systems", with{"vios1:ent0": with{"link_up": host.up(time.Since(host.from))}}, nil)
				}
				in := reading()
				var found error
				p := diagnose.Prober{Fleet: in.Fleet, Hosts: map[string]remote.Host{"vios1": host}}
				w := p.Watch(t.Context(), in.Path, time.Now().Add(5*time.Second), func(err error) { found = err })
				time.Sleep(time.Second)
				if tt.lost {
					w.Lost()
				}
				time.Sleep(4 * time.Second)
				links := w.End(t.Context(), reading().Fleet)
				if took := time.Since(host.from); took > 8*time.Second+100*time.Millisecond {
					t.Errorf("it took %s, want the time to watch and a moment", took)
				}
				if !tt.looked {
					if len(links) > 0 || host.asks > 0 {
						t.Errorf("got %d looks, %+v, want none", host.asks, links)
					}
					return
				}
				if len(links) != 1 || links[0].Port != (model.Ref{Host: "vios1", Element: "ent0"}) || links[0].Looks < 4 {
					t.Fatalf("got %+v, want some looks at vios1:ent0", links)
				}
				if got := links[0].Changes > 1; got != tt.flaps || got != (found != nil) {
					t.Errorf("got %+v, %v, want it to come and go: %v", links[0], found, tt.flaps)
				}
			})
		})
	}
}
