package measure

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/sock"
	"seaworthy/internal/remote"
)

// stopWait bounds the end of a load.
const stopWait = 10 * time.Second

// Builtin is the project's own load, made by the helpers on From and To, or between
// the pairs of a mesh.
type Builtin struct{ pairs []Pair }

// Name is "builtin".
func (Builtin) Name() string { return "builtin" }

// NeedsProbe is true.
func (Builtin) NeedsProbe() bool { return true }

// Start listens on To and connects from From; in a mesh all pairs do at once, or none if one fails.
func (b Builtin) Start(ctx context.Context, p *Path, w Workload) (Running, error) {
	if b.pairs == nil {
		return startPair(ctx, p, w, 0, Pair{p.From, p.To, p.Target})
	}
	return startMesh(ctx, p, w, b.pairs)
}

// startPair starts one of the loads between hosts of a path, by its number.
func startPair(ctx context.Context, p *Path, w Workload, number int, pair Pair) (Running, error) {
	to, from := p.agent(pair.To), p.agent(pair.From)
	if to == nil || from == nil {
		return nil, errors.New("the built-in load needs seaworthy-probe on both ends")
	}
	if to == from {
		return nil, fmt.Errorf("%s: the built-in load needs two hosts", pair.To.Name())
	}
	var random [16]byte
	rand.Read(random[:])
	listen := w.spec(hex.EncodeToString(random[:]))
	connect := listen
	listen.Send, connect.Send = w.Reverse, !w.Reverse
	r := &builtinRun{kind: w.Kind, number: number, sender: from.agent, receiver: to.agent}
	if w.Reverse {
		r.sender, r.receiver = r.receiver, r.sender
	}
	port, err := to.agent.Client.Listen(ctx, number, listen, "", p.Port)
	if err != nil {
		return nil, to.agent.Fail(err)
	}
	if err := from.agent.Client.Connect(ctx, number, connect, pair.Target, port); err != nil {
		r.Abort()
		a, b := pair.From.Name(), pair.To.Name()
		return nil, &remote.Error{Host: a, Command: "seaworthy-probe", Err: fmt.Errorf("to %s, %s port %d: %w",
			b, pair.Target, port, err), Hint: hint(a, b, p.lookup)}
	}
	return r, nil
}

type builtinRun struct {
	kind             load.Kind
	number           int
	sender, receiver *deploy.Agent
}

func (r *builtinRun) Finish(ctx context.Context, reports map[string]*probe.Report) (*Measure, error) {
	// The sending end first: the receiving one then sees an orderly end.
	m := &Measure{Sockets: map[string][]sock.State{}}
	for _, a := range []*deploy.Agent{r.sender, r.receiver} {
		s, err := a.Client.Stop(ctx, r.number)
		if err != nil {
			return nil, a.Fail(err)
		}
		if s == nil {
			return nil, a.Fail(errors.New("load generator exited early"))
		}
		m.Sockets[a.Host.Name()] = s.Sockets
		if s.Latency != nil {
			m.Latency = s.Latency
		}
	}
	at := func(a *deploy.Agent) (*load.Interval, error) {
		if rep := reports[a.Host.Name()]; rep != nil && rep.Loads[r.number] != nil && rep.Loads[r.number].Seconds > 0 {
			return rep.Loads[r.number], nil
		}
		return nil, a.Fail(errors.New("no report of the load"))
	}
	sent, err := at(r.sender)
	if err != nil {
		return nil, err
	}
	got, err := at(r.receiver)
	if err != nil {
		return nil, err
	}
	m.Retransmits = sent.Retransmits
	if r.kind == load.RequestResponse {
		got = sent // a transaction is complete when the asking end has its response
		m.TPS = new(float64(got.Transactions) / got.Seconds)
	} else {
		m.BPS, m.Bytes = new(8*float64(got.Received)/got.Seconds), new(got.Received)
	}
	m.Seconds, m.Connections = got.Seconds, got.Connections
	m.Course = course(got.Samples, r.kind)
	return m, nil
}

func (r *builtinRun) soFar(reports map[string]*probe.Report, g *Glance) {
	sender, receiver := reports[r.sender.Host.Name()], reports[r.receiver.Host.Name()]
	if sender == nil || receiver == nil || sender.Loads[r.number] == nil || receiver.Loads[r.number] == nil {
		return
	}
	sent, got := sender.Loads[r.number], receiver.Loads[r.number]
	g.Retransmits = sent.Retransmits
	if r.kind == load.RequestResponse {
		g.Transactions = &sent.Transactions
	} else {
		g.Bytes = &got.Received
	}
}

func (r *builtinRun) Abort() {
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	for _, a := range []*deploy.Agent{r.sender, r.receiver} {
		// A helper that does not answer ends with its session.
		_, _ = a.Client.Stop(ctx, r.number)
	}
}
