package diagnose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/remote"
)

// Prober measures a path between hosts that can run commands.
type Prober struct {
	Fleet *model.Fleet
	Hosts map[string]remote.Host
	Lost  func()       // called for packets that were lost; may be nil
	Hung  *remote.Hung // commands that are not asked again; may be nil
}

// Echo requests: so many as root, which may send them without a pause, and so many
// as another user, one a second. The size is that of a frame of 1500 bytes.
const (
	burst = 600
	retry = 20 // of a size that seems not to pass
	few   = 4
	size  = 1428
)

// pauses before a few pings more, of lengths that no regular outage has.
var pauses = []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, 800 * time.Millisecond, 300 * time.Millisecond}

// Path measures both directions: the largest packets that pass, then round trip and
// loss. What cannot be measured says so in its direction.
func (p Prober) Path(ctx context.Context, path *model.Path) []Measured {
	ways := p.proveMTU(ctx, path, false) // first: a burst could make it lose packets
	var all sync.WaitGroup
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
	p.narrow(ctx, &ways[0], path)
	if why := context.Cause(ctx); why != nil {
		ways[0].Error, ways[1].Error = why.Error(), why.Error()
	}
	return ways
}

// narrow asks which part of a path makes its round trip long.
func (p Prober) narrow(ctx context.Context, m *Measured, path *model.Path) {
	if m.RTTms < knowledge.BuiltIn().Ranking().LongTripMS {
		return
	}
	trip := func(ctx context.Context, host string, to netip.Addr) float64 {
		login := task.LoginOf(p.Fleet.Host(host))
		out, _, err := p.run(ctx, p.Hosts[host], login.Ping(to, 84, 1, ""))
		if err != nil || !pathmtu.Answered(out) {
			return 0
		}
		n := few
		if login.Floods() {
			n = retry
		}
		r, took, err := p.replies(ctx, p.Hosts[host], login.Echo(to, 84, n))
		if err != nil || *r.Received == 0 {
			return 0
		}
		ms, _ := shortest(r, took, login)
		return max(ms, least)
	}
	late, err := pathmtu.Prober{Fleet: p.Fleet, Hosts: p.Hosts}.Late(ctx, path, m.RTTms/2, trip)
	if err == nil && len(late) == 1 {
		m.Late = &late[0]
	}
}

// proveMTU gives both directions with the largest packets that pass, where that could
// be proved. Quick, it does not count fragments within a subnet.
func (p Prober) proveMTU(ctx context.Context, path *model.Path, quick bool) []Measured {
	ways := []Measured{{From: path.From, To: path.To}, {From: path.To, To: path.From}}
	mtu, err := pathmtu.Prober{Fleet: p.Fleet, Hosts: p.Hosts, Quick: quick, Lost: p.Lost}.Between(ctx, path.From.String(), path.To.String())
	for i := range mtu {
		if err == nil {
			ways[i].MTU = &mtu[i]
		}
	}
	return ways
}

// underOne is the longest round trip that is less than a millisecond, least the
// shortest that differs from none.
const (
	underOne = 0.8
	least    = 0.001
)

// sender holds what echo requests of one direction are sent with.
type sender struct {
	host  remote.Host
	login task.Login
	to    netip.Addr
}

func (p Prober) sender(m *Measured, path *model.Path) (sender, error) {
	target, err := p.Fleet.Target(path)
	if err != nil {
		return sender{}, err
	}
	m.Address = target
	to, err := netip.ParseAddr(target)
	if err != nil || !to.Is4() {
		return sender{}, fmt.Errorf("%s: %s is not an IPv4 address", m.To, target)
	}
	host, inv := p.Hosts[m.From.Host], p.Fleet.Host(m.From.Host)
	if host == nil || inv == nil {
		return sender{}, fmt.Errorf("%s is not connected", m.From.Host)
	}
	return sender{host, task.LoginOf(inv), to}, nil
}

// sample counts the loss of a few echo requests, where the login may send them without a
// pause; else nothing is counted.
func (p Prober) sample(ctx context.Context, m *Measured, path *model.Path) {
	s, err := p.sender(m, path)
	if err != nil || !s.login.Floods() || m.MTU == nil || m.MTU.Largest == 0 {
		return
	}
	r, _, err := p.replies(ctx, s.host, s.login.Echo(s.to, min(size, m.MTU.Largest), retry))
	if err != nil {
		return
	}
	m.SmallPassed = true // what MTU.Largest says
	m.Sent, m.Lost = *r.Sent, max(0, *r.Sent-*r.Received)
}

// echo measures round trip and loss of one direction.
func (p Prober) echo(ctx context.Context, m *Measured, path *model.Path) error {
	s, err := p.sender(m, path)
	if err != nil {
		return err
	}
	host, login, to := s.host, s.login, s.to
	first, _, err := p.run(ctx, host, login.Ping(to, 84, 1, "")) // also asks for the address
	if err != nil {
		return err
	}
	// A burst is over in a moment: a link that comes and goes shows in some seconds.
	later := make(chan Measured, 1)
	go func() {
		var all Measured
		for _, pause := range pauses {
			select {
			case <-ctx.Done():
			case <-time.After(pause):
				if r, _, err := p.replies(ctx, host, login.Echo(to, 84, few)); err == nil {
					all.Sent, all.Lost = all.Sent+*r.Sent, all.Lost+max(0, *r.Sent-*r.Received)
				}
			}
		}
		later <- all
	}()
	n, again := few, few
	if login.Floods() {
		n, again = burst, retry
	}
	bytes := size
	if m.MTU != nil && m.MTU.Verdict == pathmtu.BlackHole {
		large, _, err := p.replies(ctx, host, login.Echo(to, m.MTU.Wanted, again))
		if err == nil { // else the verdict stands as it is
			m.LargeSent, m.LargePassed = *large.Sent, min(*large.Sent, *large.Received)
		}
	}
	if m.MTU != nil && m.MTU.Largest > 0 && m.LargePassed == 0 {
		bytes = min(size, m.MTU.Largest) // of what passes, how much is lost
	}
	if m.MTU != nil && m.MTU.Verdict == pathmtu.NoAnswer && !pathmtu.Answered(first) {
		n = again // how much of nothing arrives is known
		m.Said = pathmtu.Complaint(first)
	}
	replies, took, err := p.replies(ctx, host, login.Echo(to, bytes, n))
	if err != nil {
		return err
	}
	m.Sent = *replies.Sent
	got := *replies.Received
	m.Bytes = int64(bytes) * int64(m.Sent+got)
	more := <-later
	m.Lost = max(0, m.Sent-got) + more.Lost
	m.Sent += more.Sent
	m.Bytes += 84 * int64(2*more.Sent-more.Lost)
	m.SmallPassed = pathmtu.Answered(first)
	if ms, ok := shortest(replies, took, login); ok {
		m.RTTms = ms
	}
	return nil
}

// shortest is the shortest round trip of a ping in ms, as far as it says.
func shortest(r *linewise.PingReplies, took time.Duration, login task.Login) (ms float64, ok bool) {
	if r.Least != nil && *r.Least > 0 {
		return *r.Least, true
	}
	// AIX prints whole milliseconds: a burst without pauses takes as long as its round trips.
	if login.Floods() && *r.Received >= *r.Sent && *r.Sent > 0 {
		return math.Round(min(underOne, took.Seconds()*1000/float64(*r.Sent))*1000) / 1000, true
	}
	return 0, false
}

// replies runs ping, and gives how many packets were sent and answered, and how long
// that took.
func (p Prober) replies(ctx context.Context, host remote.Host, step remote.Step) (*linewise.PingReplies, time.Duration, error) {
	out, took, err := p.run(ctx, host, step)
	if err != nil {
		return nil, 0, err
	}
	r, err := linewise.ParsePing([]byte(out))
	if err != nil || r.Sent == nil || r.Received == nil {
		return nil, 0, fmt.Errorf("%s: %s: %s", host.Name(), step, strings.TrimSpace(out))
	}
	if *r.Received < *r.Sent && p.Lost != nil {
		p.Lost()
	}
	return r, took, nil
}

// socketsLimit bounds how long a host may take to list its connections.
const socketsLimit = 12 * time.Second

func (p Prober) run(ctx context.Context, host remote.Host, step remote.Step) (out string, took time.Duration, err error) {
	err = p.Hung.Err(host.Name(), step.Line)
	if err != nil {
		return "", 0, fmt.Errorf("%s: %s: %w", host.Name(), step, err)
	}
	begun := time.Now()
	c := step.Command()
	c.Limit, c.MaxOutput = 12*time.Second, 1<<18
	res, err := host.Run(ctx, c)
	if errors.Is(err, remote.ErrTimeout) {
		p.Hung.Note(host.Name(), step.Line)
	}
	if err != nil {
		return "", 0, fmt.Errorf("%s: %s: %w", host.Name(), step, err)
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
			out, took, err := p.run(ctx, host, remote.Step{Line: "date -u '+%Y-%m-%d %H:%M:%S'"})
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
