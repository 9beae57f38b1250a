package node

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// LargeSend is what left a node in frames larger than its MTU.
type LargeSend struct {
	Frames  uint64
	Bytes   uint64 // TCP payload
	Biggest uint64 // payload of the largest frame
}

// CPUTime is what a node has used.
type CPUTime struct {
	User   time.Duration // its processes, in their own code
	System time.Duration // the kernel, for them and for the node's devices
	// Processes: the kernel's work for devices (softirq) is not in it.
	Processes bool
}

// Simulator is all that the commands of a lab's nodes see. Its functions are the
// kernel; a test gives its own.
type Simulator struct {
	Topology *topology.Topology // as it was at the start; Plan is the one of now
	Stores   effect.Stores

	// Catalogue says which attributes a new device has; Follow gives the kernel
	// the devices of a changed topology. Nil: devices are those of the start.
	Catalogue odm.Catalogue
	Follow    func(ctx context.Context, t *topology.Topology) error

	// Apply makes the kernel agree with a state.
	Apply func(ctx context.Context, st wire.State) error
	// Stats and Link read an end back.
	Stats func(e wire.End) (wire.Stats, error)
	Link  func(e wire.End) (wire.Link, error)
	// ReadFile reads a file below /proc/net as the node's namespace has it.
	ReadFile func(node, path string) ([]byte, error)
	// LargeSend counts the frames above the MTU that left by an end. Nil, or an
	// error: they are not counted.
	LargeSend func(e wire.End) (LargeSend, error)
	// LargeSendAnew lets LargeSend count a node's frames from now on. May be nil.
	LargeSendAnew func(node string) error
	// CPU is the processor time that a node has used since some moment; ok is
	// false if it is not known.
	CPU func(node string) (used CPUTime, ok bool)
	// Started is when the lab was started: the uptime of its nodes. Zero: not known.
	Started time.Time
	// Hostname is the running name of a node, SetHostname sets it.
	Hostname    func(node string) (string, error)
	SetHostname func(node, name string) error
	// Reboot ends the node's processes, after the next-boot values took over
	// and before the command answers.
	Reboot func(ctx context.Context, node string) error
	// Shell runs a root shell on the node with the call's streams; for
	// oem_setup_env.
	Shell func(ctx context.Context, c *Call) int
	// Now is the time, Sleep waits; nil: the machine's clock.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error

	// Accounting counts the clients of SEAs. Nil: nobody does.
	Accounting Accountant

	// Buffers are the receive buffers of virtual adapters. Nil: there are none.
	Buffers BufferMeter

	// Announce sends a frame from every address out of an end, Far is the other
	// end of its cable.
	Announce func(from wire.End, macs []string) error
	Far      func(e wire.End) (wire.End, bool)

	origins    memory[[2]string, origin] // of adapters that were reset, by node and adapter
	boots      memory[string, boot]      // the last ones since the lab was started, by node
	inetd      memory[string, int]       // its process number, where it was restarted
	errlogs    errlogs
	plan       atomic.Pointer[topology.Topology] // nil: Topology
	changing   sync.Mutex
	seen       watch
	notCounted error // why Accounting could not follow
}

// memory is a map that is safe for concurrent use.
type memory[K comparable, V any] struct{ m sync.Map }

func (m *memory[K, V]) set(key K, v *V) { m.m.Store(key, v) }

// get is nil for what was never set.
func (m *memory[K, V]) get(key K) *V {
	v, _ := m.m.Load(key)
	p, _ := v.(*V)
	return p
}

func (w *Simulator) now() time.Time {
	if w.Now != nil {
		return w.Now()
	}
	return time.Now()
}

func (w *Simulator) sleep(ctx context.Context, d time.Duration) error {
	if w.Sleep != nil {
		return w.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (w *Simulator) node(name string) (*topology.System, *topology.Node) {
	s, n, _ := w.Plan().Node(name)
	return s, n
}

func adapterOf(n *topology.Node, name string) *topology.Adapter {
	return n.Adapter("ent" + strings.TrimPrefix(strings.TrimPrefix(name, "ent"), "en"))
}

// end is the network device of adapter entN or interface enN, or of lo0.
func end(node, device string) wire.End {
	if device == "lo0" {
		return wire.End{Namespace: node, Device: "lo"}
	}
	return wire.End{Namespace: node, Device: wire.DeviceName(device)}
}

// New makes the world of a lab: a database for every node as the catalogue and
// the topology give it, on the network of a running lab. Start makes the
// kernel follow.
func New(t *topology.Topology, c odm.Catalogue, n *wire.Network) (*Simulator, error) {
	stores, err := NewStores(t, c)
	if err != nil {
		return nil, err
	}
	return &Simulator{Topology: t, Stores: stores, Apply: n.Apply, Stats: n.Stats, Link: n.Link, ReadFile: n.ReadFile,
		Catalogue: c, Follow: n.Follow, Announce: n.Announce, Far: n.Far}, nil
}

// NewStores makes the database of every node.
func NewStores(t *topology.Topology, c odm.Catalogue) (effect.Stores, error) {
	stores := effect.Stores{}
	for s, n := range t.Nodes() {
		o, err := odm.New(s, n, c)
		if err != nil {
			return nil, err
		}
		stores[n.Name] = o
	}
	return stores, nil
}

// Timestamps says whether a node's TCP segments carry them.
func (w *Simulator) Timestamps(node string) bool {
	_, n := w.node(node)
	return n != nil && effect.RFC1323(n, effect.Lookup{Stores: w.Stores})
}

// stats reads an end's counters since its node has booted.
func (w *Simulator) stats(e wire.End) (wire.Stats, error) {
	st, err := w.Stats(e)
	if b := w.boots.get(e.Namespace); b != nil && err == nil {
		st = st.Since(b.ends[e])
	}
	return st, err
}

// Plan is the topology as it is now: that of the start, with the VLAN pseudo
// devices that came and without those that went.
func (w *Simulator) Plan() *topology.Topology {
	if t := w.plan.Load(); t != nil {
		return t
	}
	return w.Topology
}

// look is what the kernel's state follows from: the databases and the faults.
func (w *Simulator) look() effect.Lookup {
	first := map[[2]string]bool{}
	for at, f := range w.seen.pairs {
		first[at] = strings.HasPrefix(f.State, "PRIMARY")
	}
	return effect.Lookup{Stores: w.Stores, Faults: w.seen.faults, Primary: first, MTU: w.mtu}
}

// mtu is that of a device of a node with Linux as its kernel has it now; 0: not known.
func (w *Simulator) mtu(node, device string) int {
	l, err := w.Link(wire.End{Namespace: node, Device: device})
	if err != nil {
		return 0
	}
	return l.MTU
}
