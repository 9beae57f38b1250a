package wire

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ethtool is a socket for the SIOCETHTOOL ioctl, in the namespace of the devices.
type ethtool int

// ask asks the kernel about a device by the SIOCETHTOOL ioctl, in the namespace that
// the socket was opened in. data points to a struct that begins with the command. What the
// kernel fills in is passed as a pointer all the way: a stack may move until the system
// call begins, and an address that was kept as a number would then point to what was there
// before.
func (e ethtool) ask(device string, data unsafe.Pointer) error {
	request := struct {
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		_    [24 - unsafe.Sizeof(data)]byte
	}{data: data}
	if copy(request.name[:unix.IFNAMSIZ-1], device) < len(device) {
		return fmt.Errorf("%s: the name of a device has at most %d characters", device, unix.IFNAMSIZ-1)
	}
	if _, _, err := unix.Syscall(unix.SYS_IOCTL, uintptr(e), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); err != 0 {
		return err
	}
	return nil
}

// feature is one that a device may have, by the commands that read and set it.
type feature struct{ get, set uint32 }

var (
	txChecksum = feature{unix.ETHTOOL_GTXCSUM, unix.ETHTOOL_STXCSUM}
	rxChecksum = feature{unix.ETHTOOL_GRXCSUM, unix.ETHTOOL_SRXCSUM}
	gso        = feature{unix.ETHTOOL_GGSO, unix.ETHTOOL_SGSO}
	tso        = feature{unix.ETHTOOL_GTSO, unix.ETHTOOL_STSO}
	gro        = feature{unix.ETHTOOL_GGRO, unix.ETHTOOL_SGRO}
)

// setting is struct ethtool_value.
type setting struct{ command, value uint32 }

func (e ethtool) feature(device string, f feature) (on bool, err error) {
	v := setting{command: f.get}
	err = e.ask(device, unsafe.Pointer(&v))
	return v.value != 0, err
}

// setFeature skips a feature that this kind of device does not have: a bridge has no
// receive checksum of its own.
func (e ethtool) setFeature(device string, f feature, on bool) error {
	if have, err := e.feature(device, f); err != nil || have == on {
		return err
	}
	v := setting{command: f.set}
	if on {
		v.value = 1
	}
	if err := e.ask(device, unsafe.Pointer(&v)); !errors.Is(err, unix.EOPNOTSUPP) {
		return err
	}
	return nil
}

// channels are the queues of a device, as struct ethtool_channels.
type channels struct {
	command                                uint32
	maxRx, maxTx, maxOther, maxCombined    uint32
	rxCount, txCount, otherCount, combined uint32
}

func (e ethtool) queues(device string) (channels, error) {
	c := channels{command: unix.ETHTOOL_GCHANNELS}
	err := e.ask(device, unsafe.Pointer(&c))
	return c, err
}

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
	if err == nil {
		was := c
		if w.RxQueues > 0 {
			c.rxCount = min(uint32(w.RxQueues), c.maxRx)
		}
		if w.TxQueues > 0 {
			c.txCount = min(uint32(w.TxQueues), c.maxTx)
		}
		if c == was {
			return nil
		}
		s.log("set queues", dev, "rx", c.rxCount, "tx", c.txCount)
		c.command = unix.ETHTOOL_SCHANNELS
		err = s.eth.ask(dev, unsafe.Pointer(&c))
	}
	if err != nil && !errors.Is(err, unix.EOPNOTSUPP) {
		return fmt.Errorf("%d receive and %d transmit queues: %w", w.RxQueues, w.TxQueues, err)
	}
	return nil
}
