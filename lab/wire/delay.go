package wire

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab/delay"
	"seaworthy/lab/nfnl"
)

// One queue of a namespace holds the packets of all ports that delay them. The
// bridges mark what passes one of those, on its way in or out.
const (
	delayQueue = 1
	delayMark  = 0x5ea
	delayTable = "seaworthy-delay" // of both families
)

// slow is what delays in a namespace.
type slow struct {
	holder *delay.Holder // nil: nothing is delayed
	ports  map[string]slowPort
}

type slowPort struct {
	index uint32
	by    time.Duration
}

// applyDelay holds up what the bridge of a port passes from it and to it.
func (s *space) applyDelay(device string, index int, d time.Duration) error {
	have := s.slow.ports[device]
	if have.by == d {
		return nil
	}
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
		_ = s.stop() // why it ended DelayLosses has told
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
	if err := marking(next).Do(); err != nil {
		return errors.Join(err, s.stop())
	}
	s.ports = next
	if len(next) == 0 {
		return s.stop()
	}
	return nil
}

// marking are the rules that mark what passes slow ports, in place of those
// that did. The chain stays: the kernel drops what the queues of a namespace
// hold when any chain goes.
func marking(ports map[string]slowPort) *nfnl.Batch {
	b := nfnl.NewBridgeBatch()
	b.Clear(delayTable)
	for device := range ports {
		b.Rule(delayTable, "mark", append(nfnl.From(device), nfnl.Mark(delayMark)...)...)
		b.Rule(delayTable, "mark", append(nfnl.To(device), nfnl.Mark(delayMark)...)...)
	}
	return b
}

// start makes the chains and reads the queue.
func (s *slow) start() (err error) {
	if err := bridgedSeen(true); errors.Is(err, os.ErrNotExist) {
		return errors.New("needs br_netfilter, which this kernel lacks or has not loaded (as root: modprobe br_netfilter)")
	} else if err != nil {
		return err
	}
	b := nfnl.NewBridgeBatch()
	b.Table(delayTable)
	b.Passing(delayTable, "mark", nfnl.Marking)
	if err := b.Do(); err != nil {
		return fmt.Errorf("needs the bridge family of nf_tables: %w", err)
	}
	if s.holder, err = delay.Open(delayQueue); err != nil {
		err = fmt.Errorf("needs nfnetlink_queue: %w", err)
	} else if err = holding(nfnl.ToQueue(delayQueue)).Do(); errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EOPNOTSUPP) {
		if err = holding(nfnl.ToQueueTarget(delayQueue)).Do(); err != nil {
			err = fmt.Errorf("needs nft_queue, or nft_compat and xt_NFQUEUE: %w", err)
		}
	}
	if err != nil {
		return errors.Join(err, s.stop())
	}
	return nil
}

// holding are the rules that fill the queue.
func holding(queue []byte) *nfnl.Batch {
	b := nfnl.NewPacketBatch()
	b.Table(delayTable)
	b.Passing(delayTable, "hold", 0)
	b.Rule(delayTable, "hold", append(nfnl.Marked(delayMark), queue)...)
	return b
}

// stop lets what is held go on, and takes the chains down. Nothing is marked
// any more.
func (s *slow) stop() error {
	var err error
	if s.holder != nil {
		err = s.holder.Close()
		s.holder = nil
	}
	for _, b := range []*nfnl.Batch{nfnl.NewPacketBatch(), nfnl.NewBridgeBatch()} {
		b.Remove(delayTable)
		if e := b.Do(); !errors.Is(e, unix.ENOENT) {
			err = errors.Join(err, e)
		}
	}
	s.ports = map[string]slowPort{}
	if e := bridgedSeen(false); !errors.Is(e, os.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

// DelayLosses is how many packets were lost where delays hold them, because
// this process got no processor in time; since a cable of the switch has a delay.
func (n *Network) DelayLosses() (uint64, error) {
	n.mu.Lock()
	var holding []string
	var ended error
	for name, s := range n.spaces {
		if s.slow.holder != nil {
			holding = append(holding, name)
			if err := s.slow.holder.Err(); err != nil {
				ended = fmt.Errorf("%s: its delayed cables carry nothing any more, until they are mended: %w", name, err)
			}
		}
	}
	n.mu.Unlock()
	if ended != nil {
		return 0, ended
	}
	sum := uint64(0)
	for _, name := range holding {
		text, err := n.ReadFile(name, nfnl.QueueFile)
		if err != nil {
			return 0, fmt.Errorf("%s: count packets that delays lost: %w", name, err)
		}
		lost, err := nfnl.QueueLosses(text, delayQueue)
		if err != nil {
			return 0, fmt.Errorf("%s: count packets that delays lost: %w", name, err)
		}
		sum += lost
	}
	return sum, nil
}
