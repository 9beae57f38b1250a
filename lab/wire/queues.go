package wire

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// PortQueues is how many queues a physical port is made with, each way: as many
// as it can be given later.
const PortQueues = 32

// applyQueues gives a port as many queues as wanted, up to PortQueues. A kernel
// older than 5.13 cannot change them: there a port keeps those it was made with.
func (s *netns) applyQueues(dev string, w Settings) error {
	if w.RxQueues == 0 && w.TxQueues == 0 {
		return nil
	}
	c, err := s.eth.queues(dev)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read queues: %w", err)
	}
	rx, tx := c.rxCount, c.txCount
	if w.RxQueues > 0 {
		rx = uint32(min(w.RxQueues, int(c.maxRx)))
	}
	if w.TxQueues > 0 {
		tx = uint32(min(w.TxQueues, int(c.maxTx)))
	}
	if rx == c.rxCount && tx == c.txCount {
		return nil
	}
	c.rxCount, c.txCount = rx, tx
	s.log("set queues", dev, "rx", rx, "tx", tx)
	if err := s.eth.setQueues(dev, c); err != nil && !errors.Is(err, unix.EOPNOTSUPP) {
		return fmt.Errorf("%d receive and %d transmit queues: %w", rx, tx, err)
	}
	return nil
}
