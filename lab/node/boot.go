package node

import (
	"context"
	"errors"
	"fmt"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// A node that boots counts from zero, and the kernel below it does not: what it
// had counted by then is taken off whatever is read later.

// boot is where the kernel's counters of a node stood.
type boot struct {
	ends      map[wire.End]wire.Stats
	protocols map[string]uint64
}

// Halt ends a node's programs.
func (w *Simulator) Halt(ctx context.Context, node string) error {
	return w.Reboot(ctx, node)
}

// Boot makes a node's next-boot values the running ones, and lets its counters
// begin at zero. The node is down meanwhile: see Break.
func (w *Simulator) Boot(ctx context.Context, node string) error {
	err := w.change(ctx, node, "", func(s *odm.Store) error { s.Reboot(); return nil })
	if err != nil {
		return err
	}
	if err := w.nameAgain(node); err != nil {
		return err
	}
	if err := w.fromZero(node); err != nil {
		return fmt.Errorf("%s: counters: %w", node, err)
	}
	w.log(node, errLogOn, "errdemon", "")
	return nil
}

// fromZero remembers where the counters of a node stand.
func (w *Simulator) fromZero(node string) error {
	_, n := w.node(node)
	b := &boot{ends: map[wire.End]wire.Stats{}}
	ends := []wire.End{end(node, "lo0")}
	for _, a := range n.Adapters {
		ends = append(ends, w.vlanDevs(node, a.Name)...)
	}
	for _, e := range ends {
		st, err := w.Stats(e)
		if err != nil {
			return err
		}
		b.ends[e] = st
	}
	var err error
	if b.protocols, err = w.kernelProtocols(node); err != nil {
		return err
	}
	if w.LargeSendAnew != nil {
		if err := w.LargeSendAnew(node); err != nil {
			return err
		}
	}
	w.boots.set(node, b)
	for i := range n.Adapters {
		if err := w.reset(n, &n.Adapters[i]); err != nil {
			return err
		}
	}
	w.changing.Lock()
	defer w.changing.Unlock()
	for _, a := range n.Adapters {
		if a.Kind != topology.SEA {
			continue
		}
		for _, state := range []string{"PRIMARY", "BACKUP"} {
			delete(w.seen.became, [3]string{node, a.Name, state})
		}
		if p := w.seen.pairs[[2]string{node, a.Name}]; p != nil {
			w.seen.became[[3]string{node, a.Name, side(p.State)}] = 1
		}
		w.countAnew(node, a.Name)
	}
	return nil
}

// restart is an orderly shutdown and the boot after it: the node's links are
// down between them, so that its SEAs' partners take over.
func (w *Simulator) restart(ctx context.Context, c *call) error {
	w.log(c.Node, errLogOff, "errdemon", "")
	w.log(c.Node, errReboot, "SYSPROC", "")
	down := effect.Fault{Kind: effect.Crash, At: [2]string{c.Node}}
	warnings, err := w.Break(ctx, down, 1)
	if err == nil {
		err = w.Boot(ctx, c.Node)
	}
	// Up it comes, with its earlier values if the kernel refuses the new ones.
	more, up := w.Break(context.WithoutCancel(ctx), down, 0)
	warn(c.Call, append(warnings, more...))
	if err = errors.Join(err, up); err != nil {
		return fmt.Errorf("boot: %w", err)
	}
	// Last: whoever called it is one of them, and may come back at once.
	return w.Halt(ctx, c.Node)
}
