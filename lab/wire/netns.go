package wire

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// netns is one network namespace.
type netns struct {
	name    string
	fd      int     // of the namespace; -1: none
	eth     ethtool // -1: none
	nl      *netlink.Handle
	slow    slow
	shown   atomic.Bool       // the chains of IP packets see what bridges pass here
	sysctls map[string]string // as made

	guard   sync.RWMutex // of devices and their bridges, which Link reads while a device is made
	devices map[string]*device
}

// device is the remembered state of a device of this namespace.
type device struct {
	bridge   string     // that it is a port of
	impaired impairment // what befalls the frames that arrive
	lost     [2]uint64  // frames dropped by rules that are gone: lost, damaged
	line     string     // the device that it sends through
	missing  bool       // a line that this kernel cannot make
	late     bool       // frames wait here for a receiver
	offloads offloads
	begun    bool // left to its node since it was set up
}

func (s *netns) device(name string) *device {
	s.guard.Lock()
	defer s.guard.Unlock()
	if s.devices[name] == nil {
		s.devices[name] = &device{}
	}
	return s.devices[name]
}

// bridge is the one that a device is a port of, or empty.
func (s *netns) bridge(name string) string {
	s.guard.RLock()
	defer s.guard.RUnlock()
	if d := s.devices[name]; d != nil {
		return d.bridge
	}
	return ""
}

func (s *netns) setBridge(name, bridge string) {
	d := s.device(name)
	s.guard.Lock()
	defer s.guard.Unlock()
	d.bridge = bridge
}

// MTU of AIX's lo0 and of Linux's lo.
const (
	mtuLoopback      = 16896
	mtuLoopbackLinux = 65536
)

// newNetns makes a namespace without IPv6 and opens its sockets.
func newNetns(name string, loopback int) (*netns, error) {
	s := &netns{name: name, fd: -1, eth: -1, slow: slow{ports: map[string]slowPort{}}, devices: map[string]*device{}}
	err := onThread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return err
		}
		var err error
		if s.fd, err = unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return err
		}
		// Stray traffic (router solicitations, duplicate address detection)
		// would show in the counters. A kernel without IPv6 has none to stop.
		for _, key := range []string{"all", "default", "lo"} {
			err := os.WriteFile(filepath.Join("/proc/sys/net/ipv6/conf", key, "disable_ipv6"), []byte("1"), 0)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		if err := bridgedSeen(false); err != nil {
			return err
		}
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		s.eth = ethtool(socket)
		if err != nil {
			return fmt.Errorf("socket for ethtool: %w", err)
		}
		if s.nl, err = netlink.NewHandle(unix.NETLINK_ROUTE); err != nil {
			return err
		}
		lo, err := s.nl.LinkByName("lo")
		if err != nil {
			return err
		}
		if err := s.nl.LinkSetMTU(lo, loopback); err != nil {
			return err
		}
		return s.nl.LinkSetUp(lo)
	})
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// onThread runs f on a thread of its own, which ends with f: whatever f did to
// the thread (its namespaces) harms nobody else.
func onThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the runtime ends the thread
		done <- f()
	}()
	return <-done
}

// in runs f on a thread that is in the namespace.
func (s *netns) in(f func() error) error {
	return onThread(func() error {
		if err := unix.Setns(s.fd, unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter network namespace: %w", err)
		}
		return f()
	})
}

func (s *netns) close() {
	if s.slow.holder != nil {
		_ = s.slow.holder.Close()
	}
	if s.nl != nil {
		s.nl.Close()
	}
	for _, fd := range []int{int(s.eth), s.fd} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}

// bridgedSeen sets whether the chains of IP packets see what bridges of this
// thread's namespace pass: without br_netfilter they never do. The kernel begins with
// yes, and then a bridge spends half as much again on each frame, chains or none.
func bridgedSeen(yes bool) error {
	value := "0"
	if yes {
		value = "1"
	}
	err := os.WriteFile("/proc/sys/net/bridge/bridge-nf-call-iptables", []byte(value), 0)
	if !yes && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// log writes a change of the kernel, and the device it concerns, to the debug log.
func (s *netns) log(change, device string, about ...any) {
	slog.Debug(change, append([]any{"netns", s.name, "device", device}, about...)...)
}

// applyLate notes whether a receiver is late, so that frames wait for it in this
// namespace. A frame that has left its partition is the hypervisor's. But the
// kernel charges it to its sender's socket until it has arrived, and a sender
// with a full one waits: then about 90 frames of 1500 bytes of a stream are on
// their way, and no receiver runs out of buffers. What the chains of IP packets
// see of a bridge belongs to no socket any more.
func (s *netns) applyLate(device string, late bool) error {
	d := s.device(device)
	if d.late == late {
		return nil
	}
	d.late = late
	if err := s.in(s.showBridged); err != nil {
		return fmt.Errorf("show bridged frames to the packet filter: %w", err)
	}
	return nil
}

// showBridged lets the chains see bridged packets as long as something here needs
// it: delays or late receivers. The latter do without on a kernel that cannot. The
// caller is on a thread in the namespace.
func (s *netns) showBridged() error {
	needed := len(s.slow.ports) > 0
	for _, d := range s.devices {
		needed = needed || d.late
	}
	err := bridgedSeen(needed)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
