package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"github.com/google/nftables/xt"
	"golang.org/x/sys/unix"

	"seaworthy/lab/delay"
	"seaworthy/lab/packetfilter"
)

// One queue of a namespace holds the packets of all ports that delay them. The
// bridges mark what passes one of those, on its way in or out.
const (
	delayQueue = 1
	delayMark  = 0x5ea
	delayTable = "seaworthy-delay" // of both families
)

// A bridge's own chains cannot hand frames to a queue where the kernel has
// iptables' target only. So they mark them, and the chain of IP packets, which sees
// bridged ones too (br_netfilter), does it.
var (
	markTable = packetfilter.Bridge(delayTable)
	markChain = &nftables.Chain{Table: markTable, Name: "mark", Type: nftables.ChainTypeFilter,
		Hooknum: nftables.ChainHookForward, Priority: nftables.ChainPriorityRef(-300)} // before bridged packets are shown to the chains of IP
	holdTable = &nftables.Table{Name: delayTable, Family: nftables.TableFamilyIPv4}
	holdChain = &nftables.Chain{Table: holdTable, Name: "hold", Type: nftables.ChainTypeFilter,
		Hooknum: nftables.ChainHookForward, Priority: nftables.ChainPriorityFilter}
)

// slow holds what delays packets in a namespace.
type slow struct {
	holder *delay.Holder // nil: nothing is delayed
	ports  map[string]slowPort
}

type slowPort struct {
	index uint32
	by    time.Duration
}

// applyDelay holds up what the bridge of a port passes from it and to it.
func (s *netns) applyDelay(device string, index int, d time.Duration) error {
	have := s.slow.ports[device]
	if have.by == d {
		return nil
	}
	s.log("set delay", device, "delay", d)
	next := maps.Clone(s.slow.ports)
	next[device] = slowPort{uint32(index), d}
	if d == 0 {
		delete(next, device)
	}
	if err := s.in(func() error { return errors.Join(s.slow.follow(next), s.showBridged()) }); err != nil {
		return fmt.Errorf("delay of %s: %w", d, err)
	}
	return nil
}

// follow delays at other ports, or for another time. The caller is on a thread
// in the namespace.
func (s *slow) follow(next map[string]slowPort) error {
	if s.holder != nil && s.holder.Err() != nil {
		_ = s.stop() // DelayLosses has reported why it ended
	}
	if s.holder == nil {
		if err := s.start(); err != nil {
			return err
		}
	}
	times := map[uint32]time.Duration{}
	for _, p := range next {
		times[p.index] = p.by
	}
	s.holder.Set(times)
	if err := mark(next); err != nil {
		return errors.Join(err, s.stop())
	}
	s.ports = next
	if len(next) == 0 {
		return s.stop()
	}
	return nil
}

// mark marks what passes slow ports, by rules in place of those that did. The
// chain stays: the kernel drops what the queues of a namespace hold when any chain
// goes.
func mark(ports map[string]slowPort) error {
	return packetfilter.Change(func(b *packetfilter.Batch) {
		b.FlushTable(markTable)
		for device := range ports {
			name := make([]byte, unix.IFNAMSIZ)
			copy(name, device)
			for _, side := range []expr.MetaKey{expr.MetaKeyIIFNAME, expr.MetaKeyOIFNAME} {
				b.Rule(markChain,
					&expr.Meta{Key: side, Register: unix.NFT_REG_1},
					&expr.Cmp{Op: expr.CmpOpEq, Register: unix.NFT_REG_1, Data: name},
					&expr.Immediate{Register: unix.NFT_REG_1, Data: binary.NativeEndian.AppendUint32(nil, delayMark)},
					&expr.Meta{Key: expr.MetaKeyMARK, SourceRegister: true, Register: unix.NFT_REG_1})
			}
		}
	})
}

// start makes the chains and reads the queue.
func (s *slow) start() (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	if err := bridgedSeen(true); errors.Is(err, os.ErrNotExist) {
		return errors.New("needs br_netfilter, which this kernel lacks or has not loaded (as root: modprobe br_netfilter)")
	} else if err != nil {
		return err
	}
	err = packetfilter.Change(func(b *packetfilter.Batch) {
		b.AddTable(markTable)
		b.AddChain(markChain)
	})
	if err != nil {
		return fmt.Errorf("needs the bridge family of nf_tables: %w", err)
	}
	if s.holder, err = delay.Open(delayQueue); err != nil {
		return fmt.Errorf("needs nfnetlink_queue: %w", err)
	}
	err = hold(&expr.Queue{Num: delayQueue})
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EOPNOTSUPP) {
		info := xt.Unknown(append(binary.NativeEndian.AppendUint16(nil, delayQueue), make([]byte, 6)...))
		err = hold(&expr.Target{Name: "NFQUEUE", Info: &info})
	}
	if err != nil {
		return fmt.Errorf("needs nft_queue, or nft_compat and xt_NFQUEUE: %w", err)
	}
	return nil
}

// hold hands marked packets to the queue.
func hold(queue expr.Any) error {
	return packetfilter.Change(func(b *packetfilter.Batch) {
		b.AddTable(holdTable)
		b.AddChain(holdChain)
		b.Rule(holdChain,
			&expr.Meta{Key: expr.MetaKeyMARK, Register: unix.NFT_REG_1},
			&expr.Cmp{Op: expr.CmpOpEq, Register: unix.NFT_REG_1, Data: binary.NativeEndian.AppendUint32(nil, delayMark)},
			queue)
	})
}

// stop lets what is held go on, and takes the chains down. Nothing is marked
// any more.
func (s *slow) stop() error {
	var err error
	if s.holder != nil {
		err = s.holder.Close()
		s.holder = nil
	}
	for _, t := range []*nftables.Table{holdTable, markTable} {
		if e := packetfilter.Remove(t); !errors.Is(e, unix.ENOENT) {
			err = errors.Join(err, e)
		}
	}
	s.ports = map[string]slowPort{}
	return errors.Join(err, bridgedSeen(false))
}

// DelayLosses is how many packets were lost where delays hold them, because
// this process got no processor in time; since a cable of the switch has a delay.
func (n *Network) DelayLosses() (uint64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	sum := uint64(0)
	for name, s := range n.netns {
		if s.slow.holder == nil {
			continue
		}
		if err := s.slow.holder.Err(); err != nil {
			return 0, fmt.Errorf("%s: its delayed cables carry nothing until they are mended: %w", name, err)
		}
		text, err := n.ReadFile(name, delay.QueueFile)
		var lost uint64
		if err == nil {
			lost, err = delay.QueueLosses(text, delayQueue)
		}
		if err != nil {
			return 0, fmt.Errorf("%s: count packets that delays lost: %w", name, err)
		}
		sum += lost
	}
	return sum, nil
}
