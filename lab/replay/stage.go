package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
	"seaworthy/lab"
	"seaworthy/lab/effect"
	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
)

// downWait bounds taking a lab down, also after an interruption.
const downWait = 30 * time.Second

// stage is a lab that an experiment has to itself.
type stage struct {
	*runner
	*Experiment
	out     *Outcome
	samples *samples

	lab   *lab.Lab
	hosts []remote.Host
	lines map[string]line // by switch port
	state string          // case whose variant is in force
}

// line is the one that leads to a path's far end.
type line struct {
	rate  uint64  // bit/s; 0: there is none
	delay float64 // ms, there and back, that its cable was given
}

// open starts a lab. Whatever ends this process ends the lab too.
func (s *stage) open(ctx context.Context, name string) error {
	t, err := topology.Load(ctx, name)
	if err != nil {
		return err
	}
	s.labs++
	id := fmt.Sprintf("replay-%d-%d", os.Getpid(), s.labs)
	if s.lab, err = s.Up(ctx, lab.Options{Name: id, Topology: name, Tied: true}); err != nil {
		return err
	}
	s.lines = map[string]line{}
	for _, p := range t.Switch.Ports {
		s.lines[p.Name] = line{rate: p.LineRate}
	}
	if s.hosts, err = targets.Open(ctx, s.lab.Names(), targets.Options{Inventory: s.lab.HostsFile()}); err != nil {
		return errors.Join(err, s.close(ctx))
	}
	s.result.Machine.Rootless = s.lab.Rootless
	var known struct{ Attributes []effect.Entry }
	if err := s.lab.Query(ctx, "effects", nil, &known); err != nil {
		return errors.Join(err, s.close(ctx))
	}
	s.effects = effects{}
	for _, e := range known.Attributes {
		s.effects[Attribute{e.Layer, e.Attribute}] = e
	}
	return nil
}

func (s *stage) close(ctx context.Context) error {
	for _, h := range s.hosts {
		h.Close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), downWait)
	defer cancel()
	return s.lab.Down(ctx)
}

// along is a measurement along a path, with the CPU of all nodes.
func (s *stage) along(p Path) measure.Experiment {
	e := measure.Experiment{Target: p.Address}
	for _, n := range s.lab.Nodes {
		if p.Address == "" && n.Name == p.To {
			e.Target = n.Address
		}
	}
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

// prepare delays packets on the cables that are to be long. A kernel that cannot
// hold packets leaves a cable as it is; the outcome says so.
func (s *stage) prepare(ctx context.Context, cases []kase) error {
	ready := map[string]bool{}
	for _, c := range cases {
		if c.Cable == 0 || ready[c.Port] {
			continue
		}
		ready[c.Port] = true
		each := time.Duration(c.Cable / 2 * float64(time.Millisecond)).Round(100 * time.Nanosecond)
		err := s.lab.Query(ctx, "break", fault.Fault{Kind: "delay", Target: c.Port, Value: each.String()}, nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.out.Notes = append(slices.Clip(s.out.Notes), fmt.Sprintf("The cable of %s has no delay here: %v", c.Port, err))
		default:
			s.lines[c.Port] = line{s.lines[c.Port].rate, 2 * each.Seconds() * 1000}
		}
	}
	return nil
}
