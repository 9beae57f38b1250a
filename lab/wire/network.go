package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/safchain/ethtool"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/lab/topology"
)

// Network is the kernel side of a running lab. The namespaces have no name in
// the file system: they live as long as this process (or a process in them).
// It is safe for concurrent use.
type Network struct {
	Layout *Layout    // as of now; once the lab runs, Devices reads it safely
	mu     sync.Mutex // one change at a time
	netns  map[string]*netns

	names sync.RWMutex // held to change Layout and far
	far   map[End]End

	aggregates map[End]Aggregate // as made
}

// netns is one network namespace.
type netns struct {
	name     string
	fd       int // of the namespace; -1: none
	nl       *netlink.Handle
	eth      *ethtool.Ethtool
	bridgeOf map[string]string     // device -> the bridge it is a port of
	loss     map[string]impairment // device -> what is dropped there, as made
	lost     map[string][2]uint64  // device -> frames dropped by rules that are gone: lost, damaged

	line     map[string]string // device -> the line it sends through, as made
	missing  map[string]bool   // lines that this kernel cannot make
	slow     slow
	late     map[string]bool     // devices that frames wait at for a receiver
	shown    atomic.Bool         // the chains of IP packets see what bridges pass here
	offloads map[string]offloads // device -> as made
	sysctls  map[string]string   // as made
}

// Build makes the namespaces, cables and bridges of a topology; nothing is up
// yet. It needs the right to administer networks in its user namespace.
func Build(ctx context.Context, t *topology.Topology) (*Network, error) {
	l, err := BuildLayout(t)
	if err != nil {
		return nil, err
	}
	n := &Network{Layout: l, netns: map[string]*netns{}, far: map[End]End{}, aggregates: map[End]Aggregate{}}
	if err := n.build(ctx); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

func (n *Network) build(ctx context.Context) error {
	for _, name := range n.Layout.Namespaces {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := newNetns(name)
		if err != nil {
			return fmt.Errorf("%s: make network namespace: %w", name, err)
		}
		n.netns[name] = s
	}
	if _, err := n.add(ctx, n.Layout.Devices); err != nil {
		return err
	}
	return n.joinBridges(n.Layout.Devices)
}

func (n *Network) makeDevice(d Device) error {
	s := n.netns[d.Namespace]
	attrs := netlink.NewLinkAttrs()
	attrs.Name = d.Device
	if d.Place == Line {
		made, err := s.makeLine(attrs)
		if !made && err == nil {
			s.missing[d.Device] = true
		}
		return err
	}
	s.log("add link", d.Device, "peer", d.Peer, "mac", d.MAC)
	hw, err := parseMAC(d.MAC)
	if err != nil {
		return err
	}
	attrs.HardwareAddr = hw
	if d.Peer == (End{}) {
		snooping := false
		return s.nl.LinkAdd(&netlink.Bridge{LinkAttrs: attrs, MulticastSnooping: &snooping})
	}
	attrs.TxQLen = 1000
	if d.Place == Physical || d.Place == SwitchPort {
		attrs.NumRxQueues, attrs.NumTxQueues = PortQueues, PortQueues
	}
	err = s.nl.LinkAdd(&netlink.Veth{LinkAttrs: attrs, PeerName: d.Peer.Device, PeerNamespace: netlink.NsFd(n.netns[d.Peer.Namespace].fd)})
	if err == nil {
		n.names.Lock()
		n.far[d.End], n.far[d.Peer] = d.Peer, d.End
		n.names.Unlock()
	}
	return err
}

// joinBridges makes devices ports of their bridges, once every device exists.
func (n *Network) joinBridges(devices []Device) error {
	index := map[End]int{}
	for _, d := range devices {
		s := n.netns[d.Namespace]
		if d.Bridge == "" {
			continue
		}
		s.bridgeOf[d.Device] = d.Bridge
		br := End{d.Namespace, d.Bridge}
		if index[br] == 0 {
			l, err := s.nl.LinkByName(d.Bridge)
			if err != nil {
				return fmt.Errorf("%s %s: %w", d.Namespace, d.Bridge, err)
			}
			index[br] = l.Attrs().Index
		}
		l, err := s.nl.LinkByName(d.Device)
		if err != nil {
			return fmt.Errorf("%s %s: %w", d.Namespace, d.Device, err)
		}
		s.log("join bridge", d.Device, "bridge", d.Bridge)
		if err := s.nl.LinkSetMasterByIndex(l, index[br]); err != nil {
			return fmt.Errorf("%s %s: join bridge %s: %w", d.Namespace, d.Device, d.Bridge, err)
		}
	}
	return nil
}

// mtuLoopback is that of AIX's lo0.
const mtuLoopback = 16896

// newNetns makes a namespace without IPv6 and opens its sockets.
func newNetns(name string) (*netns, error) {
	s := &netns{name: name, bridgeOf: map[string]string{}, loss: map[string]impairment{}, lost: map[string][2]uint64{}, fd: -1,
		line: map[string]string{}, missing: map[string]bool{}, late: map[string]bool{},
		slow: slow{ports: map[string]slowPort{}}, offloads: map[string]offloads{}, sysctls: map[string]string{}}
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
		if s.eth, err = ethtool.NewEthtool(); err != nil {
			return err
		}
		if s.nl, err = netlink.NewHandle(unix.NETLINK_ROUTE); err != nil {
			return err
		}
		lo, err := s.nl.LinkByName("lo")
		if err != nil {
			return err
		}
		if err := s.nl.LinkSetMTU(lo, mtuLoopback); err != nil {
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
		s.eth.Close()
	}
	if s.fd >= 0 {
		unix.Close(s.fd)
	}
}

// FD is the open namespace of a name in Layout.Namespaces, for setns(2). It
// stays owned by the Network.
func (n *Network) FD(name string) (int, error) {
	s := n.netns[name]
	if s == nil {
		return -1, fmt.Errorf("%s: no such namespace in this lab", name)
	}
	return s.fd, nil
}

// Run calls f on a thread that is in the namespace.
func (n *Network) Run(name string, f func() error) error {
	s := n.netns[name]
	if s == nil {
		return fmt.Errorf("%s: no such namespace in this lab", name)
	}
	return s.in(f)
}

// Far is the other end of the cable at e; false if e is not an end of a cable.
func (n *Network) Far(e End) (End, bool) {
	n.names.RLock()
	defer n.names.RUnlock()
	f, ok := n.far[e]
	return f, ok
}

// Devices are those of the lab now.
func (n *Network) Devices() []Device {
	n.names.RLock()
	defer n.names.RUnlock()
	return n.Layout.Devices
}

// Close lets go of the namespaces; the kernel removes those nobody is in.
func (n *Network) Close() {
	for _, s := range n.netns {
		s.close()
	}
}

func parseMAC(s string) (net.HardwareAddr, error) {
	if s == "" {
		return nil, nil
	}
	return net.ParseMAC(s)
}
