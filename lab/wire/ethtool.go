package wire

import (
	"bytes"
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ethtoolSocket asks the kernel for features and queues of devices by the SIOCETHTOOL
// ioctl, in the namespace that it was opened in. What the kernel fills in is passed as a
// pointer all the way: a stack may move until the system call begins, and an address that
// was kept as a number would then point to what was there before.
type ethtoolSocket struct {
	fd    int
	mu    sync.Mutex
	names map[string]int // bit of each feature; the same for all devices
}

const maxFeatures = 1024

// feature is one of a device as it is now.
type feature struct{ available, requested, active, fixed bool }

// channels are the queues of a device, as struct ethtool_channels.
type channels struct {
	command                                uint32
	maxRx, maxTx, maxOther, maxCombined    uint32
	rxCount, txCount, otherCount, combined uint32
}

func newEthtoolSocket() (*ethtoolSocket, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socket for ethtool: %w", err)
	}
	return &ethtoolSocket{fd: fd}, nil
}

func (s *ethtoolSocket) close() { unix.Close(s.fd) }

func (s *ethtoolSocket) ioctl(device string, data unsafe.Pointer) error {
	request := struct {
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		_    [24 - unsafe.Sizeof(data)]byte
	}{data: data}
	if copy(request.name[:unix.IFNAMSIZ-1], device) < len(device) {
		return fmt.Errorf("%s: the name of a device has at most %d characters", device, unix.IFNAMSIZ-1)
	}
	if _, _, err := unix.Syscall(unix.SYS_IOCTL, uintptr(s.fd), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); err != 0 {
		return err
	}
	return nil
}

// bits reads the names of the kernel's features once.
func (s *ethtoolSocket) bits(device string) (map[string]int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names != nil {
		return s.names, nil
	}
	const setOfFeatures = 4
	var strings struct {
		command, set, count uint32
		text                [maxFeatures][32]byte
	}
	strings.command, strings.set = unix.ETHTOOL_GSTRINGS, setOfFeatures
	if err := s.ioctl(device, unsafe.Pointer(&strings)); err != nil {
		return nil, fmt.Errorf("names of features: %w", err)
	}
	if strings.count == 0 || strings.count > maxFeatures {
		return nil, fmt.Errorf("names of features: the kernel has %d, want 1 to %d", strings.count, maxFeatures)
	}
	names := map[string]int{}
	for i, text := range strings.text[:strings.count] {
		if name, _, _ := bytes.Cut(text[:], []byte{0}); len(name) > 0 {
			names[string(name)] = i
		}
	}
	s.names = names
	return names, nil
}

// features reads those of a device, by name.
func (s *ethtoolSocket) features(device string) (map[string]feature, error) {
	bits, err := s.bits(device)
	if err != nil {
		return nil, err
	}
	var state struct {
		command, blocks uint32
		block           [maxFeatures / 32]struct{ available, requested, active, fixed uint32 }
	}
	state.command, state.blocks = unix.ETHTOOL_GFEATURES, uint32(len(state.block))
	if err := s.ioctl(device, unsafe.Pointer(&state)); err != nil {
		return nil, err
	}
	have := map[string]feature{}
	for name, bit := range bits {
		b, mask := state.block[bit/32], uint32(1)<<(bit%32)
		have[name] = feature{b.available&mask != 0, b.requested&mask != 0, b.active&mask != 0, b.fixed&mask != 0}
	}
	return have, nil
}

// change switches features of a device on and off.
func (s *ethtoolSocket) change(device string, want map[string]bool) error {
	bits, err := s.bits(device)
	if err != nil {
		return err
	}
	var request struct {
		command, blocks uint32
		block           [maxFeatures / 32]struct{ valid, requested uint32 }
	}
	request.command = unix.ETHTOOL_SFEATURES
	for _, bit := range bits { // the kernel takes just as many blocks as it has
		request.blocks = max(request.blocks, uint32(bit/32+1))
	}
	for name, on := range want {
		bit, known := bits[name]
		if !known {
			return fmt.Errorf("this kernel has no feature %s", name)
		}
		b, mask := &request.block[bit/32], uint32(1)<<(bit%32)
		b.valid |= mask
		if on {
			b.requested |= mask
		}
	}
	return s.ioctl(device, unsafe.Pointer(&request))
}

// queues reads those of a device.
func (s *ethtoolSocket) queues(device string) (channels, error) {
	c := channels{command: unix.ETHTOOL_GCHANNELS}
	err := s.ioctl(device, unsafe.Pointer(&c))
	return c, err
}

// setQueues gives a device the counts of c.
func (s *ethtoolSocket) setQueues(device string, c channels) error {
	c.command = unix.ETHTOOL_SCHANNELS
	return s.ioctl(device, unsafe.Pointer(&c))
}
