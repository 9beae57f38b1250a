package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"seaworthy/bench"
	"seaworthy/lab"
	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
	"seaworthy/probe/meter"
	"seaworthy/remote"
	"seaworthy/remote/hosts"
)

// downWait bounds taking a lab down, also after an interruption.
const downWait = 30 * time.Second

// stage is a lab that an experiment has to itself.
type stage struct {
	lab      *lab.Lab
	topology *topology.Topology
	hosts    map[string]remote.Host
	delays   map[string]float64 // given to cables, in ms there and back, by the address they lead to
	state    string             // case whose variant is in force
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
	s := &stage{lab: l, topology: t, hosts: map[string]remote.Host{}, delays: map[string]float64{}}
	list, err := hosts.Open(ctx, nil, hosts.Options{Inventory: l.HostsFile()})
	if err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	for _, h := range list {
		s.hosts[h.Name()] = h
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

// restTime is how long the machine is watched before the trials.
const restTime = 300 * time.Millisecond

// rest measures what the machine does before there is any load: other work,
// which no trial can be rid of.
func rest(ctx context.Context) (cores float64, err error) {
	m, err := meter.Start(restTime)
	if err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(restTime):
	}
	u, err := m.End()
	if err != nil {
		return 0, err
	}
	return u.Cores, nil
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
func (s *stage) address(p Path) (string, error) {
	if p.Address != "" {
		return p.Address, nil
	}
	for _, n := range s.lab.Nodes {
		if n.Name == p.To && n.Address != "" {
			return n.Address, nil
		}
	}
	return "", fmt.Errorf("%s has no address in this lab", p.To)
}

// experiment is a measurement along a path, with the CPU of all nodes.
func (s *stage) experiment(p Path) (e bench.Experiment, err error) {
	e = bench.Experiment{From: s.hosts[p.From], To: s.hosts[p.To]}
	if e.From == nil || e.To == nil {
		return e, fmt.Errorf("%s and %s are not both in topology %s", p.From, p.To, s.topology.Name)
	}
	if e.Target, err = s.address(p); err != nil {
		return e, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.hosts)) {
		if name != p.From && name != p.To {
			e.Via = append(e.Via, s.hosts[name])
		}
	}
	// The lab goes when the experiment has ended: there is nothing to put back.
	e.Restore = func(context.Context) error { return nil }
	return e, nil
}

// path gives what is known of the way between two nodes: inside a system no
// line is passed.
func (s *stage) path(from, to, target string) way {
	p := way{sender: from}
	a, b := s.system(from), s.system(to)
	if a == b {
		return p
	}
	for _, system := range []*topology.System{a, b} {
		for _, n := range system.Nodes {
			for _, ad := range n.Adapters {
				if ad.Kind == topology.Physical && s.carries(&n, &ad, target) && (p.lineRate == 0 || ad.LineRate < p.lineRate) {
					p.lineRate = ad.LineRate
				}
			}
		}
	}
	return p
}

// lengthen delays packets on the cable by which an address of a node is reached
// by so many ms, there and back. A kernel that cannot hold packets leaves the
// cable as it is; the outcome says so.
func (s *stage) lengthen(ctx context.Context, node, address string, ms float64, out *Outcome) error {
	port, err := s.port(node, address)
	if err != nil {
		return err
	}
	each := time.Duration(ms / 2 * float64(time.Millisecond)).Round(100 * time.Nanosecond)
	if err := s.lab.Query(ctx, "break", fault.Fault{Kind: "delay", Target: port, Value: each.String()}, nil); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out.Notes = append(slices.Clip(out.Notes), fmt.Sprintf("The cable of %s has no delay here: %v", port, err))
		return nil
	}
	s.delays[address] = 2 * each.Seconds() * 1000
	return nil
}

// port is the switch port by which an address of a node is reached.
func (s *stage) port(node, address string) (string, error) {
	for _, n := range s.system(node).Nodes {
		for _, a := range n.Adapters {
			if a.Kind == topology.Physical && s.carries(&n, &a, address) {
				return a.Port, nil
			}
		}
	}
	return "", fmt.Errorf("no port of the switch leads to %s in topology %s", node, s.topology.Name)
}

// carries leaves out the ports of an LPAR whose interface is in another subnet
// than the target.
func (s *stage) carries(n *topology.Node, a *topology.Adapter, target string) bool {
	for _, i := range n.Interfaces {
		if "en"+strings.TrimPrefix(a.Name, "ent") == i.Name && target != "" {
			return i.Address.IsValid() && slices.ContainsFunc(s.inSubnet(target), func(x topology.Interface) bool {
				return x.Address.Masked() == i.Address.Masked()
			})
		}
	}
	return true
}

// inSubnet are the interfaces that have an address.
func (s *stage) inSubnet(address string) []topology.Interface {
	var out []topology.Interface
	for _, n := range s.topology.Nodes() {
		for _, i := range n.Interfaces {
			if i.Address.IsValid() && i.Address.Addr().String() == address {
				out = append(out, i)
			}
		}
	}
	return out
}

func (s *stage) system(node string) *topology.System {
	if sys, _, ok := s.topology.Node(node); ok {
		return sys
	}
	return &topology.System{}
}
