package cli

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe/whole"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/report"
)

func (a *app) probe() *cobra.Command {
	helper, dirs := false, []string(nil)
	mtu := a.command("probe mtu", command.Flags{
		"helper": &helper, "probes": &dirs,
	}, func(c *cobra.Command, argv []string) error {
		var with *helpers
		if helper {
			with = &helpers{dirs: dirs}
			defer with.close()
		}
		ways, err := a.probeMTU(c.Context(), argv, with)
		if err != nil {
			return err
		}
		return a.Conclude(mtuStatus(ways), ways, func(p *report.Document) { report.PathMTU(p, ways) })
	})
	return command.Group("probe", "Test what a path carries", mtu)
}

func (a *app) probeMTU(ctx context.Context, argv []string, with *helpers) ([]pathmtu.Way, error) {
	from, to := argv[0], argv[1]
	c, err := a.open(ctx, a.ofPath(argv))
	if err != nil {
		return nil, err
	}
	defer c.close()
	failed := map[string]string{}
	fleet, err := a.reading(ctx, c, failed)
	if err != nil {
		return nil, err
	}
	for _, host := range slices.Sorted(maps.Keys(failed)) {
		a.Notice("%s", failed[host])
	}
	a.noticeNotRoot(fleet)
	byName := c.byName()
	ends := []remote.Host{byName[hostOf(from)], byName[hostOf(to)]}
	other, err := a.require(ctx, slices.DeleteFunc(ends, func(h remote.Host) bool { return h == nil }), knowledge.ProbingMTU)
	if err != nil {
		return nil, err
	}
	plain := map[string]bool{}
	for _, o := range other {
		plain[o.Host] = plain[o.Host] || o.Result.ID == doctor.PingWhole
	}
	p := pathmtu.Prober{Fleet: fleet, Hosts: byName, PlainPing: plain}
	if with != nil {
		with.hosts, p.Whole = byName, with.whole
	}
	return p.Between(ctx, from, to)
}

func mtuStatus(ways []pathmtu.Way) error {
	worst := command.ExitDone
	for _, w := range ways {
		switch w.Verdict {
		case pathmtu.Whole:
		case pathmtu.NoAnswer, pathmtu.Unable, pathmtu.Arrives:
			if worst == command.ExitDone {
				worst = command.ExitInconclusive
			}
		default:
			worst = command.ExitNo
		}
	}
	if worst == command.ExitDone {
		return nil
	}
	return command.Exit(worst, nil)
}

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

// whole sends a packet that must not be fragmented; see pathmtu.Prober.
func (h *helpers) whole(ctx context.Context, host string, to netip.Addr, size int) (pathmtu.Outcome, error) {
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
	if r := h.runs[host]; r != nil {
		return r
	}
	r := &running{}
	if on := h.hosts[host]; on == nil {
		r.err = fmt.Errorf("%s is not connected", host)
	} else if system, err := deploy.Ask(ctx, on); err != nil {
		r.err = err
	} else {
		r.agent, r.err = deploy.Start(ctx, on, system, h.dirs)
	}
	if h.runs == nil {
		h.runs = map[string]*running{}
	}
	h.runs[host] = r
	return r
}

func (h *helpers) close() {
	for _, r := range h.runs {
		if r.agent != nil {
			_ = r.agent.Close() // it ends with its session
		}
	}
}
