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
	name string
	fd   int // of the namespace; -1: none
	nl   *netlink.Handle
	eth  *ethtoolSocket
	loss map[string]impairment // device -> what is dropped there, as made
	lost map[string][2]uint64  // device -> frames dropped by rules that are gone: lost, damaged

	ports    sync.RWMutex      // guards bridgeOf, which Link reads while a device is made
	bridgeOf map[string]string // device -> the bridge it is a port of

	line     map[string]string // device -> the line it sends through, as made
	missing  map[string]bool   // lines that this kernel cannot make
	slow     slow
	late     map[string]bool     // devices that frames wait at for a receiver
	shown    atomic.Bool         // the chains of IP packets see what bridges pass here
	offloads map[string]offloads // device -> as made
	sysctls  map[string]string   // as made
	begun    map[string]bool     // devices that are left to their node since they were set up
}

// bridge is the one that a device is a port of, or empty.
func (s *netns) bridge(device string) string {
	s.ports.RLock()
	defer s.ports.RUnlock()
	return s.bridgeOf[device]
}

func (s *netns) setBridge(device, bridge string) {
	s.ports.Lock()
	defer s.ports.Unlock()
	s.bridgeOf[device] = bridge
}

// MTU of AIX's lo0 and of Linux's lo.
const (
	mtuLoopback      = 16896
	mtuLoopbackLinux = 65536
)

// newNetns makes a namespace without IPv6 and opens its sockets.
func newNetns(name string, loopback int) (*netns, error) {
	s := &netns{name: name, bridgeOf: map[string]string{}, loss: map[string]impairment{}, lost: map[string][2]uint64{}, fd: -1,
		line: map[string]string{}, missing: map[string]bool{}, late: map[string]bool{},
		slow: slow{ports: map[string]slowPort{}}, offloads: map[string]offloads{}, sysctls: map[string]string{},
		begun: map[string]bool{}}
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
		if err := bridgedSeen(false); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if s.eth, err = newEthtoolSocket(); err != nil {
			return err
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
	if s.eth != nil {
		s.eth.close()
	}
	if s.fd >= 0 {
		unix.Close(s.fd)
	}
}

// bridgedSeen says whether the chains of IP packets see what bridges of this
// thread's namespace pass. The kernel begins with yes, and then a bridge spends
// half as much again on each frame, chains or none.
func bridgedSeen(yes bool) error {
	value := "0"
	if yes {
		value = "1"
	}
	return os.WriteFile("/proc/sys/net/bridge/bridge-nf-call-iptables", []byte(value), 0)
}

// log writes a change of the kernel, and the device it concerns, to the debug log.
func (s *netns) log(change, device string, about ...any) {
	slog.Debug(change, append([]any{"netns", s.name, "device", device}, about...)...)
}
