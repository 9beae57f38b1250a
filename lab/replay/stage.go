package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"seaworthy/bench"
	"seaworthy/lab"
	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
	"seaworthy/remote"
	"seaworthy/remote/hosts"
)

// downWait bounds taking a lab down, also after an interruption.
const downWait = 30 * time.Second

// stage is a lab that an experiment has to itself.
type stage struct {
	lab   *lab.Lab
	hosts []remote.Host
	lines map[string]way // by switch port
	state string         // case whose variant is in force
}

// open starts a lab. Whatever ends this process ends the lab too.
func (r *runner) open(ctx context.Context, name string) (*stage, error) {
	t, err := topology.Load(name)
	if err != nil {
		return nil, err
	}
	r.labs++
	id := fmt.Sprintf("replay-%d-%d", os.Getpid(), r.labs)
	l, err := r.Up(ctx, lab.Options{Name: id, Topology: name, StateDir: r.StateDir, Tied: true})
	if err != nil {
		return nil, err
	}
	s := &stage{lab: l, lines: map[string]way{}}
	for _, p := range t.Switch.Ports {
		s.lines[p.Name] = way{lineRate: p.LineRate}
	}
	if s.hosts, err = hosts.Open(ctx, nil, hosts.Options{Inventory: l.HostsFile()}); err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	r.result.Machine.Rootless = l.Rootless
	return s, nil
}

func (s *stage) close(ctx context.Context) error {
	for _, h := range s.hosts {
		h.Close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), downWait)
	defer cancel()
	return s.lab.Down(ctx)
}

// run runs a line on a node as root and gives what it printed.
func (s *stage) run(ctx context.Context, node, line string) (string, error) {
	var out, errs bytes.Buffer
	exit, err := s.lab.Exec(ctx, node, "root", line, lab.Stdio{Out: &out, Err: &errs})
	if err == nil && exit != 0 {
		err = fmt.Errorf("%s: %s: exit status %d: %.300s", node, line, exit, strings.TrimSpace(errs.String()+out.String()))
	}
	return out.String(), err
}

// address is that of a path's far end.
func (s *stage) address(p Path) string {
	for _, n := range s.lab.Nodes {
		if p.Address == "" && n.Name == p.To {
			return n.Address
		}
	}
	return p.Address
}

// experiment is a measurement along a path, with the CPU of all nodes.
func (s *stage) experiment(p Path) bench.Experiment {
	// The lab goes when the experiment has ended: there is nothing to put back.
	e := bench.Experiment{Target: s.address(p), Restore: func(context.Context) error { return nil }}
	for _, h := range s.hosts {
		switch h.Name() {
		case p.From:
			e.From = h
		case p.To:
			e.To = h
		default:
			e.Via = append(e.Via, h)
		}
	}
	return e
}

// prepare starts the servers of the far ends, and delays packets on the cables
// that are to be long. A kernel that cannot hold packets leaves a cable as it
// is; the outcome says so.
func (s *stage) prepare(ctx context.Context, e *Experiment, cases []kase, out *Outcome) error {
	ready := map[string]bool{}
	for _, c := range cases {
		if e.Server != "" && !ready[c.To] {
			ready[c.To] = true
			if _, err := s.run(ctx, c.To, e.Server+" </dev/null >/dev/null 2>&1 & sleep 0.3"); err != nil {
				return err
			}
		}
		if c.Cable == 0 || ready[c.Port] {
			continue
		}
		ready[c.Port] = true
		each := time.Duration(c.Cable / 2 * float64(time.Millisecond)).Round(100 * time.Nanosecond)
		line := s.lines[c.Port]
		err := s.lab.Query(ctx, "break", fault.Fault{Kind: "delay", Target: c.Port, Value: each.String()}, nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			out.Notes = append(slices.Clip(out.Notes), fmt.Sprintf("The cable of %s has no delay here: %v", c.Port, err))
		default:
			line.delay = 2 * each.Seconds() * 1000
		}
		s.lines[c.Port] = line
	}
	return nil
}
