package diagnose

import (
	"context"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"sync"
	"time"

	"seaworthy/change/pathmtu"
	"seaworthy/change/task"
	"seaworthy/dialect/ping"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// Prober measures a path between hosts that can run commands.
type Prober struct {
	Fleet *inventory.Fleet
	Hosts map[string]remote.Host
	Few   bool // send few echo requests: the round trip is wanted, no loss
}

// Echo requests: so many as root, which may send them without a pause, and so many
// as another user, one a second. The size is that of a frame of 1500 bytes.
const (
	burst = 600
	short = 20 // a burst for the round trip alone
	few   = 4
	size  = 1428
)

// Path measures both directions: the largest packets that pass, then round trip and
// loss. What cannot be measured says so in its direction.
func (p Prober) Path(ctx context.Context, path *inventory.Path) []Measured {
	ways := []Measured{{From: path.From, To: path.To}, {From: path.To, To: path.From}}
	proveMTU := func() {
		mtu, err := pathmtu.Prober{Fleet: p.Fleet, Hosts: p.Hosts}.Between(ctx, path.From.String(), path.To.String())
		for i := range mtu {
			if err == nil {
				ways[i].MTU = &mtu[i]
			}
		}
	}
	var all sync.WaitGroup
	if p.Few {
		all.Go(proveMTU)
	} else {
		proveMTU() // a burst could make it lose packets
	}
	for i := range ways {
		all.Go(func() {
			back := *path
			back.From, back.To = ways[i].From, ways[i].To
			if err := p.echo(ctx, &ways[i], &back); err != nil {
				ways[i].Error = err.Error()
			}
		})
	}
	all.Wait()
	return ways
}

// underOne is the longest round trip that is less than a millisecond.
const underOne = 0.8

// echo measures round trip and loss of one direction.
func (p Prober) echo(ctx context.Context, m *Measured, path *inventory.Path) error {
	target, err := p.Fleet.Target(path)
	if err != nil {
		return err
	}
	m.Address = target
	to, err := netip.ParseAddr(target)
	if err != nil || !to.Is4() {
		return fmt.Errorf("%s: %s is not an IPv4 address", m.To, target)
	}
	host, inv := p.Hosts[m.From.Host], p.Fleet.Host(m.From.Host)
	if host == nil || inv == nil {
		return fmt.Errorf("%s is not connected", m.From.Host)
	}
	login := task.LoginOf(inv)
	first := "" // the first also asks for the address
	if !p.Few {
		if first, _, err = p.run(ctx, host, login.Ping(to, 84, 1, "")); err != nil {
			return err
		}
	}
	n := few
	switch {
	case login.Floods() && p.Few:
		n = short
	case login.Floods():
		n = burst
	}
	out, took, err := p.run(ctx, host, login.Echo(to, size, n))
	if err != nil {
		return err
	}
	replies, err := ping.Parse([]byte(out))
	if err != nil || replies.Sent == nil || replies.Received == nil {
		return fmt.Errorf("%s: ping %s: %s", m.From.Host, target, strings.TrimSpace(out))
	}
	m.Sent = *replies.Sent
	got := *replies.Received
	m.Lost = max(0, m.Sent-got)
	m.Bytes = int64(size) * int64(m.Sent+got)
	if m.Sent == m.Lost && pathmtu.Answered(first) {
		m.Lost = m.Sent - 1 // small ones pass: not dead
	}
	if replies.Least != nil {
		m.RTTms = *replies.Least
	}
	// AIX prints whole milliseconds: a burst without pauses takes as long as its round trips.
	if m.RTTms == 0 && login.Floods() && m.Lost == 0 && m.Sent > 0 {
		m.RTTms = math.Round(min(underOne, took.Seconds()*1000/float64(m.Sent))*1000) / 1000
	}
	return nil
}

// socketsLimit bounds how long a host may take to list its connections.
const socketsLimit = 12 * time.Second

func (p Prober) run(ctx context.Context, host remote.Host, line string) (out string, took time.Duration, err error) {
	begun := time.Now()
	res, err := host.Run(ctx, remote.Command{Line: line, Limit: 12 * time.Second, MaxOutput: 1 << 16})
	if err != nil {
		return "", 0, fmt.Errorf("%s: %s: %w", host.Name(), line, err)
	}
	return string(res.Stdout) + "\n" + string(res.Stderr), time.Since(begun), nil
}

// Clocks gives how many seconds each host's clock is off, of those that said.
func (p Prober) Clocks(ctx context.Context) map[string]float64 {
	off := map[string]float64{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for name, host := range p.Hosts {
		all.Go(func() {
			out, took, err := p.run(ctx, host, "date -u '+%Y-%m-%d %H:%M:%S'")
			if err != nil {
				return
			}
			t, err := time.Parse(time.DateTime, strings.TrimSpace(out))
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			off[name] = math.Abs(time.Now().Add(-took / 2).UTC().Sub(t).Round(time.Second).Seconds())
		})
	}
	all.Wait()
	return off
}
