package rehearsal

// Connections that end when they are told to, and stay so.

import (
	"context"
	"errors"
	"sync/atomic"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/remote"
)

// lines are all connections of a runner.
type lines struct {
	hosts []remote.Host
	lost  atomic.Bool
}

// errLost is what a command over a lost connection ends with.
var errLost = errors.New("the connection is lost, as the rehearsal wants it")

// loseable makes the connections of a runner ones that can be lost; none that is lost is made again.
func loseable(x *execute.Runner) *lines {
	l := &lines{}
	x.Fresh, x.ReadOver, x.Survey = nil, nil, nil
	for name, h := range x.Hosts {
		l.hosts = append(l.hosts, h)
		x.Hosts[name] = line{h, l}
	}
	return l
}

// lose ends all connections, and the commands that run over them.
func (l *lines) lose() {
	l.lost.Store(true)
	for _, h := range l.hosts {
		h.Close()
	}
}

// line is the connection to one host.
type line struct {
	remote.Host
	all *lines
}

func (l line) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	if l.all.lost.Load() {
		return nil, errLost
	}
	return l.Host.Run(ctx, c)
}

func (l line) Start(ctx context.Context, text string) (*remote.Session, error) {
	if l.all.lost.Load() {
		return nil, errLost
	}
	return l.Host.Start(ctx, text)
}
