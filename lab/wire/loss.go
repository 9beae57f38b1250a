package wire

import (
	"fmt"

	"seaworthy/lab/nfnl"
)

// lost is the set that counts what was dropped.
const lost = "lost"

// applyLoss drops a share of the frames that arrive at a device, by chance.
func (s *space) applyLoss(device string, millionths uint32) error {
	if s.loss[device] == millionths {
		return nil
	}
	table := lossTable(device)
	before, err := s.lossErrors(device)
	if err != nil {
		return err
	}
	err = s.in(func() error {
		b := nfnl.NewBatch()
		if s.loss[device] > 0 {
			b.Remove(table)
		}
		if millionths > 0 {
			b.Table(table)
			set := b.Set(table, lost, 2)
			b.Ingress(table, device, device, nfnl.Losing)
			b.Rule(table, device, nfnl.Drop(millionths, set)...)
		}
		return b.Do()
	})
	if err != nil {
		return fmt.Errorf("lose %.4f %% of the frames: %w", float64(millionths)/1e4, err)
	}
	s.loss[device] = millionths
	s.lost[device] = before
	return nil
}

func lossTable(device string) string { return "seaworthy-loss-" + device }

// lossErrors is how many frames a device has lost since it was made.
func (s *space) lossErrors(device string) (uint64, error) {
	n := s.lost[device]
	if s.loss[device] == 0 {
		return n, nil
	}
	err := s.in(func() error {
		list, err := nfnl.Dump(lossTable(device), lost)
		for _, e := range list {
			n += e.Packets
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count lost frames: %w", err)
	}
	return n, nil
}
