// Package assemble puts the nodes of a lab together: which commands they
// have, served by the supervisor or run in the calling process, what attributes
// do to the kernel, and what is counted there: large sends, receive buffers, the
// clients of an SEA, CPU time.
package assemble

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/knowledge"
	"seaworthy/lab"
	"seaworthy/lab/buffers"
	"seaworthy/lab/console"
	"seaworthy/lab/cputime"
	"seaworthy/lab/effect"
	"seaworthy/lab/fault"
	"seaworthy/lab/node"
	"seaworthy/lab/node/account"
	"seaworthy/lab/node/commands"
	"seaworthy/lab/node/largesend"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/shim"
	"seaworthy/lab/shim/program"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// Effects is the answer to the query "effects".
type Effects struct {
	Attributes []effect.Entry `json:"attributes"`
	Counters   []effect.Entry `json:"counters"`
	Notes      []string       `json:"notes,omitempty"` // what this machine's kernel keeps from being real
}

// Default is the backend of the seaworthy program.
func Default() supervisor.Backend {
	return supervisor.Backend{
		Names:  names,
		Local:  commands.Local(),
		Answer: program.Bytes,
		Build:  build,
	}
}

// names lists the commands of a node: /usr/bin lacks those that only a VIOS has, /usr/ios/cli
// those that padmin's restricted shell does not offer.
func names() rootfs.Commands {
	local := slices.Collect(maps.Keys(commands.Local()))
	aix := slices.Concat(commands.AIX(), local, shim.Inittab, []string{shim.Grep, shim.ID, shim.Sudo})
	return rootfs.Commands{AIX: aix, IOS: commands.IOS(), Own: local}
}

func build(ctx context.Context, s *supervisor.LabState) (*supervisor.Served, error) {
	c, err := knowledge.Load()
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	sim, err := node.New(s.Topology, c, s.Network)
	if err != nil {
		return nil, err
	}
	sim.Accounting = account.New(s.Network)
	sim.Reboot, sim.Shell = s.Reboot, s.Shell
	sim.Hostname, sim.SetHostname = s.Hostname, s.SetHostname
	cpu, err := cputime.New(s.Topology, s.Network, s.CPU)
	if err != nil {
		return nil, err
	}
	sim.CPU, sim.Started = nodeCPU(cpu), time.Now()
	m := &meters{lab: s, sim: sim, cpu: cpu}
	m.start(ctx)
	if err := sim.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.Network.Watch(ctx, func() { _ = sim.Start(ctx) }); err != nil {
		return nil, err
	}
	s.Down = sim.Faults().Down
	hmc := &console.Console{Name: s.Topology.HMC, Plan: sim.Plan, Down: sim.Faults().Down}
	hmc.VIOS = func(ctx context.Context, vios, line string, out, errs io.Writer) int {
		return s.Padmin(ctx, &node.Call{Node: vios, Stdin: strings.NewReader(""), Stdout: out, Stderr: errs}, line)
	}
	return &supervisor.Served{HMC: hmc.Start, Commands: slowed(commands.Served(sim), s.Slow), Queries: m.queries(ctx, c)}, nil
}

// meters hold what counts in a lab, and notes on what this machine's kernel keeps from
// being counted or real.
type meters struct {
	lab       *supervisor.LabState
	sim       *node.Simulator
	cpu       *cputime.Account
	notes     []string
	noBuffers string // why virtual adapters have no receive buffers
}

func (m *meters) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// start starts the meters that the kernel allows.
func (m *meters) start(ctx context.Context) {
	network := m.lab.Network
	if m.lab.NoQuota != "" {
		m.note("capped nodes are not held to their entitlement, nor uncapped ones to their weight: %s", m.lab.NoQuota)
	}
	if m.lab.NoBounds != "" {
		m.note("nothing limits the memory of the lab: %s", m.lab.NoBounds)
	}
	if err := network.OwnRates(); err != nil {
		m.note("tagged VLANs of a port have its line rate each to themselves here, not together: %v", err)
	}
	if err := m.lab.MountStats(cpuFile, cpuStat(m.cpu)); err != nil {
		m.note("nodes have no %s, so bench shows the cores of the whole path, not of each node: %v", cpuFile, err)
	}
	large, err := largesend.Watch(network)
	if err != nil {
		m.note("netstat -p tcp counts no large sends here: %v", err)
	} else {
		m.sim.LargeSend, m.sim.ResetLargeSend = large.LargeSend(m.sim), large.Reset
		m.sim.Follow = func(ctx context.Context, t *topology.Topology) error {
			return errors.Join(network.Follow(ctx, t), large.Follow())
		}
	}
	pools, err := buffers.Watch(network)
	if err != nil {
		m.noBuffers = err.Error()
		m.note("virtual adapters have no receive buffers that can run out here, and entstat prints no counts of them: %v", err)
		return
	}
	m.sim.Buffers = pools
	go pools.Keep(ctx)
}

// queries returns what the lab's program asks a running lab; ctx is that of the lab.
func (m *meters) queries(ctx context.Context, c *knowledge.Catalog) map[string]func(context.Context, json.RawMessage) (any, error) {
	network := m.lab.Network
	broken := fault.New(m.lab.Topology, m.sim)
	taps := &captures{net: network, top: m.sim.Plan}
	watching := &watches{net: network}
	return map[string]func(context.Context, json.RawMessage) (any, error){
		"effects":       func(context.Context, json.RawMessage) (any, error) { return m.effects(c), nil },
		"faults":        faults(broken, m.sim.Warnings, network.DelayLosses),
		"break":         about("break", breaks(ctx, broken)),
		"mend":          about("mend", mends(broken)),
		"capture-start": about("capture", taps.start),
		"capture-stop":  taps.stop,
		"watch-start":   about("watch", watching.start(ctx)),
		"watch-stop":    watching.stop,
		"switch-ports":  func(context.Context, json.RawMessage) (any, error) { return switchPorts(m.sim.Plan()), nil },
		"port":          about("port", func(_ context.Context, at lab.SwitchPort) (any, error) { return network.Tap(at.System, at.VLAN) }),
		"cpu":           func(context.Context, json.RawMessage) (any, error) { return m.cpu.Read() },
		"mtu-mismatch":  func(context.Context, json.RawMessage) (any, error) { return m.sim.MTUMismatch(), nil },
	}
}

// switchPorts are the names of the Ethernet switch's ports.
func switchPorts(t *topology.Topology) []string {
	names := []string{}
	for _, p := range t.Switch.Ports {
		names = append(names, p.Name)
	}
	return names
}

// effects answers "effects".
func (m *meters) effects(c *knowledge.Catalog) Effects {
	notes := slices.Clone(m.notes)
	if why := m.cpu.Why(); why != nil {
		notes = append(notes, fmt.Sprintf("lparstat and lab cpu know the time of processes only: %v", why))
	}
	return Table(c, effect.Machine{NoBuffers: m.noBuffers}, notes)
}

// slowed lets every command take longer.
func slowed(served map[string]node.Command, by time.Duration) map[string]node.Command {
	if by == 0 {
		return served
	}
	for name, run := range served {
		served[name] = func(ctx context.Context, c *node.Call) int {
			time.Sleep(by)
			return run(ctx, c)
		}
	}
	return served
}

// about is a query with arguments of one type.
func about[T any](name string, answer func(context.Context, T) (any, error)) query {
	return func(ctx context.Context, args json.RawMessage) (any, error) {
		var of T
		if err := json.Unmarshal(args, &of); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return answer(ctx, of)
	}
}

// Table describes attributes and counters of labs; notes are those of one lab.
func Table(c *knowledge.Catalog, m effect.Machine, notes []string) Effects {
	return Effects{Attributes: effect.Table(c.Attributes(""), m), Counters: effect.Counters(m), Notes: notes}
}

// Only keeps the entries of one attribute.
func (e Effects) Only(attribute string) Effects {
	out := Effects{Notes: e.Notes}
	for _, x := range e.Attributes {
		if x.Attribute == attribute {
			out.Attributes = append(out.Attributes, x)
		}
	}
	return out
}
