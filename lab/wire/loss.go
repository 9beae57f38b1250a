package wire

import (
	"fmt"

	"seaworthy/lab/nfnl"
)

// harm is what befalls the frames that arrive at a device, in millionths.
type harm struct {
	loss   uint32 // by chance, at any time
	damage uint32 // by chance, while more than busyAbove arrive a second
}

// Where one end of a link is half duplex, frames collide once both ends send
// at the same time: an idle link is well, a busy one is not.
const busyAbove = 100

// the sets that count what was dropped
const (
	lost    = "lost"
	damaged = "damaged"
)

// applyLoss drops a share of the frames that arrive at a device.
func (s *space) applyLoss(device string, h harm) error {
	if s.loss[device] == h {
		return nil
	}
	table := lossTable(device)
	var before [2]uint64
	var err error
	if before[0], before[1], err = s.lossErrors(device); err != nil {
		return err
	}
	err = s.in(func() error {
		b := nfnl.NewBatch()
		if s.loss[device] != (harm{}) {
			b.Remove(table)
		}
		if h != (harm{}) {
			b.Table(table)
			b.Ingress(table, device, device, nfnl.Losing)
			chance, collision := b.Set(table, lost, 2), b.Set(table, damaged, 2)
			if h.loss > 0 {
				b.Rule(table, device, nfnl.Drop(h.loss, chance)...)
			}
			if h.damage > 0 {
				b.Rule(table, device, append([][]byte{nfnl.Above(busyAbove)}, nfnl.Drop(h.damage, collision)...)...)
			}
		}
		return b.Do()
	})
	if err != nil {
		return fmt.Errorf("lose %.4f %% of the frames, damage %.4f %%: %w", float64(h.loss)/1e4, float64(h.damage)/1e4, err)
	}
	s.loss[device], s.lost[device] = h, before
	return nil
}

func lossTable(device string) string { return "seaworthy-loss-" + device }

// lossErrors is how many frames a device has lost, and how many came damaged,
// since it was made.
func (s *space) lossErrors(device string) (gone, broken uint64, err error) {
	gone, broken = s.lost[device][0], s.lost[device][1]
	if s.loss[device] == (harm{}) {
		return gone, broken, nil
	}
	err = s.in(func() error {
		for set, n := range map[string]*uint64{lost: &gone, damaged: &broken} {
			list, err := nfnl.Dump(lossTable(device), set)
			if err != nil {
				return err
			}
			for _, e := range list {
				*n += e.Packets
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, fmt.Errorf("count lost frames: %w", err)
	}
	return gone, broken, nil
}
