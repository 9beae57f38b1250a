package wire

import (
	"encoding/binary"
	"fmt"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"

	"seaworthy/lab/packetfilter"
)

// impairment is the share of arriving frames that are lost and damaged, in millionths.
type impairment struct {
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
func (s *netns) applyLoss(device string, h impairment) error {
	d := s.device(device)
	if d.impaired == h {
		return nil
	}
	s.log("set loss", device, "lost", h.loss, "damaged", h.damage)
	table := lossTable(device)
	before, err := s.lossErrors(device)
	if err != nil {
		return err
	}
	err = s.in(func() error {
		return packetfilter.Change(func(b *packetfilter.Batch) {
			if d.impaired != (impairment{}) {
				b.DelTable(table)
			}
			if h == (impairment{}) {
				return
			}
			chain := b.Ingress(b.AddTable(table), device, packetfilter.Losing)
			chance, collision := b.Counter(table, lost, 2), b.Counter(table, damaged, 2)
			if h.loss > 0 {
				b.Rule(chain, drop(h.loss, chance)...)
			}
			if h.damage > 0 {
				busy := &expr.Limit{Type: expr.LimitTypePkts, Over: true, Rate: busyAbove, Unit: expr.LimitTimeSecond, Burst: busyAbove}
				b.Rule(chain, append([]expr.Any{busy}, drop(h.damage, collision)...)...)
			}
		})
	})
	if err != nil {
		return fmt.Errorf("lose %.4f %% of the frames, damage %.4f %%: %w", float64(h.loss)/1e4, float64(h.damage)/1e4, err)
	}
	d.impaired, d.lost = h, before
	return nil
}

// drop drops a share of the frames, in millionths, at random, and counts them in a
// set of 2-byte keys: their Ethernet types.
func drop(millionths uint32, count expr.Any) []expr.Any {
	return []expr.Any{
		&expr.Numgen{Register: unix.NFT_REG_1, Modulus: 1e6, Type: unix.NFT_NG_RANDOM},
		// Registers compare byte by byte: the most significant has to come first.
		&expr.Byteorder{SourceRegister: unix.NFT_REG_1, DestRegister: unix.NFT_REG_1, Op: expr.ByteorderHton, Len: 4, Size: 4},
		&expr.Cmp{Op: expr.CmpOpLt, Register: unix.NFT_REG_1, Data: binary.BigEndian.AppendUint32(nil, millionths)},
		&expr.Payload{DestRegister: unix.NFT_REG_1, Base: expr.PayloadBaseLLHeader, Offset: 12, Len: 2},
		count,
		&expr.Verdict{Kind: expr.VerdictDrop},
	}
}

func lossTable(device string) *nftables.Table { return packetfilter.Device("seaworthy-loss-" + device) }

// lossErrors is how many frames a device has lost, and how many came damaged,
// since it was made.
func (s *netns) lossErrors(device string) (n [2]uint64, err error) {
	d := s.device(device)
	n = d.lost
	if d.impaired == (impairment{}) {
		return n, nil
	}
	err = s.in(func() error {
		for i, set := range []string{lost, damaged} {
			list, err := packetfilter.Read(lossTable(device), set)
			if err != nil {
				return fmt.Errorf("count lost frames: %w", err)
			}
			for _, e := range list {
				n[i] += e.Packets
			}
		}
		return nil
	})
	return n, err
}
