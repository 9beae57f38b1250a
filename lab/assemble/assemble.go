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
	w, err := node.New(s.Topology, c, s.Network)
	if err != nil {
		return nil, err
	}
	w.Accounting = account.New(s.Network)
	w.Reboot, w.Shell = s.Reboot, s.Shell
	w.Hostname, w.SetHostname = s.Hostname, s.SetHostname
	cpu, err := cputime.New(s.Topology, s.Network, s.CPU)
	if err != nil {
		return nil, err
	}
	w.CPU, w.Started = nodeCPU(cpu), time.Now()
	var notes []string
	if s.NoQuota != "" {
		notes = append(notes, "capped nodes are not held to their entitlement, nor uncapped ones to their weight: "+s.NoQuota)
	}
	if s.NoBounds != "" {
		notes = append(notes, "nothing limits the memory of the lab: "+s.NoBounds)
	}
	if err := s.Network.OwnRates(); err != nil {
		notes = append(notes, fmt.Sprintf("tagged VLANs of a port have its line rate each to themselves here, not together: %v", err))
	}
	if err := s.MountStats(cpuFile, cpuStat(cpu)); err != nil {
		notes = append(notes, fmt.Sprintf("nodes have no %s, so bench shows the cores of the whole path, not of each node: %v", cpuFile, err))
	}
	meter, err := largesend.Watch(s.Network)
	if err != nil {
		notes = append(notes, fmt.Sprintf("netstat -p tcp counts no large sends here: %v", err))
	} else {
		w.LargeSend, w.LargeSendAnew = meter.LargeSend(w), meter.Anew
		w.Follow = func(ctx context.Context, t *topology.Topology) error {
			return errors.Join(s.Network.Follow(ctx, t), meter.Follow())
		}
	}
	var without string
	if pools, err := buffers.Watch(s.Network); err != nil {
		without = err.Error()
		notes = append(notes,
			fmt.Sprintf("virtual adapters have no receive buffers that can run out here, and entstat prints no counts of them: %v", err))
	} else {
		w.Buffers = pools
		go pools.Keep(ctx)
	}
	if err := w.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.Network.Watch(ctx, func() { _ = w.Start(ctx) }); err != nil {
		return nil, err
	}
	s.Down = w.Faults().Down
	broken := fault.New(s.Topology, w)
	taps := &captures{net: s.Network, top: w.Plan}
	effects := func(context.Context, json.RawMessage) (any, error) {
		notes := slices.Clone(notes)
		if why := cpu.Why(); why != nil {
			notes = append(notes, fmt.Sprintf("lparstat and lab cpu know the time of processes only: %v", why))
		}
		return Table(c, effect.Machine{NoBuffers: without}, notes), nil
	}
	served := commands.Served(w)
	for name, run := range served {
		if s.Slow > 0 {
			served[name] = func(ctx context.Context, c *node.Call) int {
				time.Sleep(s.Slow)
				return run(ctx, c)
			}
		}
	}
	hmc := &console.Console{Name: s.Topology.HMC, Plan: w.Plan, Down: w.Faults().Down}
	hmc.VIOS = func(ctx context.Context, vios, line string, out, errs io.Writer) int {
		return s.Padmin(ctx, &node.Call{Node: vios, Stdin: strings.NewReader(""), Stdout: out, Stderr: errs}, line)
	}
	return &supervisor.Served{
		HMC:      hmc.Start,
		Commands: served,
		Queries: map[string]func(context.Context, json.RawMessage) (any, error){
			"effects": effects, "faults": faults(broken, w.Warnings, s.Network.DelayLosses),
			"break": about("break", breaks(ctx, broken)), "mend": about("mend", mends(broken)),
			"capture-start": about("capture", taps.start), "capture-stop": taps.stop,
			"port":         about("port", func(_ context.Context, at lab.SwitchPort) (any, error) { return s.Network.Tap(at.System, at.VLAN) }),
			"cpu":          func(context.Context, json.RawMessage) (any, error) { return cpu.Read() },
			"mtu-mismatch": func(context.Context, json.RawMessage) (any, error) { return w.MTUMismatch(), nil },
		},
	}, nil
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

// Table is what attributes and counters are in a lab; notes are of one.
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
