package node

import (
	"context"
	"fmt"

	"seaworthy/lab/node/errorlog"
	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// boot holds the kernel's counters of a node when it booted. The kernel goes on
// counting, so they are subtracted from what is read later.
type boot struct {
	ends      map[wire.End]wire.Stats
	protocols map[string]uint64
}

// Halt ends a node's programs.
func (sim *Simulator) Halt(ctx context.Context, node string) error {
	return sim.Reboot(ctx, node)
}

// Boot makes a node's next-boot values the running ones, and lets its counters
// begin at zero. The node is down meanwhile: see Break.
func (sim *Simulator) Boot(ctx context.Context, node string) error {
	err := sim.Change(ctx, node, "", func(s *odm.Store) error { s.Reboot(); return nil })
	if err != nil {
		return err
	}
	if err := sim.RestoreHostname(node); err != nil {
		return err
	}
	if err := sim.Counters().startAtZero(node); err != nil {
		return fmt.Errorf("%s: counters: %w", node, err)
	}
	sim.Log(node, errorlog.On, "errdemon", "")
	return nil
}

// RestoreHostname gives a node the name that inet0 has.
func (sim *Simulator) RestoreHostname(node string) error {
	name, ok := sim.Stores[node].Running("inet0", "hostname")
	if !ok || name == "" {
		return nil
	}
	return sim.SetHostname(node, name)
}
