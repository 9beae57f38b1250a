package wire

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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
		loopback := mtuLoopback
		if slices.Contains(n.Layout.Linux, name) {
			loopback = mtuLoopbackLinux
		}
		s, err := newNetns(name, loopback)
		if err != nil {
			return fmt.Errorf("%s: make network namespace: %w", name, err)
		}
		n.netns[name] = s
	}
	if _, err := n.add(ctx, n.Layout.Devices); err != nil {
		return err
	}
	return n.join(n.Layout.Devices)
}

// FD is the open namespace of a name in Layout.Namespaces, for setns(2). It
// stays owned by the Network.
func (n *Network) FD(name string) (int, error) {
	s, err := n.at(name)
	if err != nil {
		return -1, err
	}
	return s.fd, nil
}

func (n *Network) at(namespace string) (*netns, error) {
	if s := n.netns[namespace]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("%s: no such namespace in this lab", namespace)
}

// Run calls f on a thread that is in the namespace.
func (n *Network) Run(name string, f func() error) error {
	s, err := n.at(name)
	if err != nil {
		return err
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

// ReadFile reads a file below /proc/net or /proc/sys/net as the namespace has it.
func (n *Network) ReadFile(namespace, path string) ([]byte, error) {
	at := path
	if rest, ok := strings.CutPrefix(path, "/proc/net/"); ok {
		at = "/proc/thread-self/net/" + rest
	} else if !strings.HasPrefix(path, "/proc/sys/net/") {
		return nil, fmt.Errorf("%s: %s is not below /proc/net or /proc/sys/net", namespace, path)
	}
	var b []byte
	err := n.Run(namespace, func() (err error) {
		b, err = os.ReadFile(at)
		return err
	})
	return b, err
}

func (s *netns) applySysctls(keys map[string]string) error {
	if maps.Equal(keys, s.sysctls) {
		return nil
	}
	s.sysctls = nil
	err := s.in(func() error {
		for key, value := range keys {
			path, err := sysctlPath(key)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.log("set sysctl", "", "key", key, "value", value)
			if err := os.WriteFile(path, []byte(value), 0); err != nil {
				return fmt.Errorf("%s: sysctl %s=%q: %w", s.name, key, value, err)
			}
		}
		return nil
	})
	if err == nil {
		s.sysctls = maps.Clone(keys)
	}
	return err
}

// sysctlPath accepts net.* only: nothing else belongs to a network namespace.
func sysctlPath(key string) (string, error) {
	if !strings.HasPrefix(key, "net.") || strings.Contains(key, "/") || strings.Contains(key, "..") {
		return "", fmt.Errorf("sysctl %s: a lab sets only net.*", key)
	}
	return filepath.Join("/proc/sys", filepath.Join(strings.Split(key, ".")...)), nil
}
