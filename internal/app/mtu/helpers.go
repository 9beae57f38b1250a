package mtu

import (
	"context"
	"fmt"
	"net/netip"
	"sync"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe/whole"
	"seaworthy/internal/remote"
)

// helpers are seaworthy-probes on hosts, each started when it is first asked.
type helpers struct {
	hosts map[string]remote.Host
	dirs  []string

	mu   sync.Mutex
	runs map[string]*running
}

type running struct {
	agent *deploy.Agent
	err   error
}

// outcomes are those of the helper in the prober's words.
var outcomes = map[whole.Outcome]pathmtu.Outcome{
	whole.Passed: pathmtu.Passed, whole.Refused: pathmtu.Refused, whole.Reported: pathmtu.Reported, whole.Lost: pathmtu.Lost,
}

// sendUnfragmented sends a packet that must not be fragmented; see pathmtu.Prober.
func (h *helpers) sendUnfragmented(ctx context.Context, host string, to netip.Addr, size int) (pathmtu.Outcome, error) {
	r := h.on(ctx, host)
	if r.err != nil {
		return "", r.err
	}
	got, err := r.agent.Client.Packet(ctx, to, size)
	if err != nil {
		return "", r.agent.Fail(err)
	}
	return outcomes[got], nil
}

func (h *helpers) on(ctx context.Context, host string) *running {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.runs[host]
	if known != nil {
		return known
	}
	r := h.start(ctx, host)
	h.runs[host] = r
	return r
}

func (h *helpers) start(ctx context.Context, host string) *running {
	on := h.hosts[host]
	if on == nil {
		return &running{err: fmt.Errorf("%s is not connected", host)}
	}
	system, err := deploy.Ask(ctx, on)
	if err != nil {
		return &running{err: err}
	}
	agent, err := deploy.Start(ctx, on, system, h.dirs)
	return &running{agent, err}
}

func (h *helpers) close() {
	for _, r := range h.runs {
		if r.agent != nil {
			_ = r.agent.Close() // it ends with its session
		}
	}
}
