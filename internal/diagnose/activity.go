package diagnose

import (
	"context"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/remote"
)

// Connection is a TCP connection between the ends, as one of them shows it.
type Connection struct {
	Host   string  `json:"host"`
	Local  string  `json:"local"`
	Remote string  `json:"remote"`
	RecvQ  int     `json:"recv_q"` // bytes that the program has not read, the least of some looks
	SendQ  int     `json:"send_q"` // bytes that the other end has not acknowledged
	RTTms  float64 `json:"rtt_ms,omitempty"`
	Retran int     `json:"retransmitted,omitempty"`

	// PeerLimited is the share of its busy time in percent in which the other end's window
	// held it back, as ss shows it.
	PeerLimited float64 `json:"peer_limited_percent,omitempty"`
}

// Activity holds what the hosts did while they were watched.
type Activity struct {
	Cores       map[string]float64 // physical processors in use, by host
	Connections []Connection
	Pressure    map[string]Pressure // of the ends that say
}

// Activity reads processors of all AIX hosts and the connections of both ends. A
// host that does not say is left out.
func (p Prober) Activity(ctx context.Context, path *model.Path) Activity {
	a := Activity{Cores: map[string]float64{}, Pressure: map[string]Pressure{}}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, h := range p.Fleet.Hosts {
		host := p.Hosts[h.Name]
		if host == nil {
			continue
		}
		if h.Platform != model.Linux {
			all.Go(func() {
				if n, ok := p.cores(ctx, host, task.LoginOf(h)); ok {
					mu.Lock()
					defer mu.Unlock()
					a.Cores[h.Name] = n
				}
			})
		}
		if h.Name != path.From.Host && h.Name != path.To.Host {
			continue
		}
		all.Go(func() {
			got := p.watched(ctx, host, h)
			mu.Lock()
			defer mu.Unlock()
			a.Connections = append(a.Connections, got...)
		})
		all.Go(func() {
			seen, ok := p.pressure(ctx, host, h)
			mu.Lock()
			defer mu.Unlock()
			if ok {
				a.Pressure[h.Name] = seen
			}
		})
	}
	all.Wait()
	a.Connections = p.along(a.Connections, path)
	return a
}

// cores are the physical processors that a partition used for two seconds.
func (p Prober) cores(ctx context.Context, host remote.Host, login task.Login) (float64, bool) {
	out, _, err := p.run(ctx, host, login.Cores())
	if err != nil {
		return 0, false
	}
	v, err := lparstat.Parse([]byte(out))
	if err != nil {
		return 0, false
	}
	for _, t := range v.Tables {
		for _, s := range t.Samples {
			if n, ok := t.Get(s, "physc"); ok {
				return n, true
			}
		}
	}
	return 0, false
}

// Data waits in a queue for a moment on any busy connection. A program that is slow
// has it there whenever somebody looks.
const (
	looks   = 3
	between = 500 * time.Millisecond
)

// watched are the connections of a host, with what waited in them at each of some looks.
func (p Prober) watched(ctx context.Context, host remote.Host, h *model.Host) []Connection {
	got := p.connections(ctx, host, h)
	for range looks - 1 {
		if p.waits(ctx, got) {
			got = stillQueued(got, p.connections(ctx, host, h))
		}
	}
	return got
}

// waits says whether data is queued for a program, after the time between two looks.
func (p Prober) waits(ctx context.Context, all []Connection) bool {
	if !slices.ContainsFunc(all, func(c Connection) bool { return c.RecvQ > 0 }) {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(between):
		return true
	}
}

// stillQueued has of each connection what waited at both looks.
func stillQueued(all, later []Connection) []Connection {
	for i, c := range all {
		at := slices.IndexFunc(later, func(x Connection) bool { return x.Local == c.Local && x.Remote == c.Remote })
		if at < 0 {
			all[i].RecvQ = 0
			continue
		}
		all[i].RecvQ = min(c.RecvQ, later[at].RecvQ)
	}
	return all
}

func (p Prober) connections(ctx context.Context, host remote.Host, h *model.Host) []Connection {
	line := "netstat -an"
	if h.Platform == model.Linux {
		line = "ss -tinOH state established"
	}
	res, err := host.Run(ctx, remote.Command{Line: line, Limit: socketsLimit, MaxOutput: 4 << 20})
	if err != nil || res.Exit != 0 {
		return nil
	}
	return Connections(h.Name, string(res.Stdout))
}

var (
	smoothed = regexp.MustCompile(`\brtt:([\d.]+)/`)
	repeated = regexp.MustCompile(`\bretrans:\d+/(\d+)`)
	peerHeld = regexp.MustCompile(`\brwnd_limited:\d+ms\(([\d.]+)%\)`)
)

// Connections reads the established ones of netstat -an of AIX, and ss -tinOH: one line each.
func Connections(host, text string) []Connection {
	var out []Connection
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 6 && strings.HasPrefix(f[0], "tcp") && f[5] == "ESTABLISHED", len(f) > 4 && f[0] == "ESTAB":
			f = f[1:]
		}
		if len(f) < 4 {
			continue
		}
		r, err := strconv.Atoi(f[0])
		s, err2 := strconv.Atoi(f[1])
		if err != nil || err2 != nil {
			continue
		}
		c := Connection{Host: host, Local: f[2], Remote: f[3], RecvQ: r, SendQ: s}
		if m := smoothed.FindStringSubmatch(line); m != nil {
			c.RTTms, _ = strconv.ParseFloat(m[1], 64)
		}
		if m := repeated.FindStringSubmatch(line); m != nil {
			c.Retran, _ = strconv.Atoi(m[1])
		}
		if m := peerHeld.FindStringSubmatch(line); m != nil {
			c.PeerLimited, _ = strconv.ParseFloat(m[1], 64)
		}
		out = append(out, c)
	}
	return out
}

// along keeps the connections between the ends of a path.
func (p Prober) along(all []Connection, path *model.Path) []Connection {
	var out []Connection
	from, to := p.addresses(path.From), p.addresses(path.To)
	for _, c := range all {
		near, far := addressOf(c.Local), addressOf(c.Remote)
		if from[near] && to[far] || to[near] && from[far] {
			out = append(out, c)
		}
	}
	return out
}

func (p Prober) addresses(end model.Ref) map[string]bool {
	out := map[string]bool{}
	if e := p.Fleet.Element(end); e != nil {
		for _, a := range e.Addrs {
			out[a.Addr().String()] = true
		}
	}
	return out
}

// addressOf takes the port off: 10.0.0.1.5001 of AIX, 10.0.0.1:5001 and [::1]:22 of
// Linux.
func addressOf(text string) string {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap().String()
	}
	if i := strings.LastIndexByte(text, '.'); i > 0 {
		return text[:i]
	}
	return text
}
