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
}

// open starts a lab. Whatever ends this process ends the lab too.
func (r *runner) open(ctx context.Context, name string) (*stage, error) {
	t, err := topology.Load(name)
	if err != nil {
		return nil, err
	}
	r.labs++
	l, err := r.Up(ctx, lab.Options{Name: fmt.Sprintf("replay-%d-%d", os.Getpid(), r.labs), Topology: name, StateDir: r.StateDir, Tied: true})
	if err != nil {
		return nil, err
	}
	s := &stage{lab: l, topology: t, hosts: map[string]remote.Host{}}
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

// set brings the nodes into a variant's state.
func (s *stage) set(ctx context.Context, v Variant) error {
	for _, node := range slices.Sorted(maps.Keys(v.Set)) {
		if _, err := s.run(ctx, node, v.Set[node]); err != nil {
			return err
		}
	}
	return nil
}

// address is a node's first one.
func (s *stage) address(node string) (string, error) {
	for _, n := range s.lab.Nodes {
		if n.Name == node && n.Address != "" {
			return n.Address, nil
		}
	}
	return "", fmt.Errorf("%s has no address in this lab", node)
}

// experiment is a measurement from one node to another, with the CPU of all.
func (s *stage) experiment(from, to, target string) (bench.Experiment, error) {
	e := bench.Experiment{From: s.hosts[from], To: s.hosts[to], Target: target}
	if e.From == nil || e.To == nil {
		return e, fmt.Errorf("%s and %s are not both in topology %s", from, to, s.topology.Name)
	}
	if target == "" {
		var err error
		if e.Target, err = s.address(to); err != nil {
			return e, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.hosts)) {
		if name != from && name != to {
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
