package node

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"seaworthy/lab/effect"
	"seaworthy/lab/node/errorlog"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// LargeSend counts the frames larger than the MTU that left a node.
type LargeSend struct {
	Frames  uint64
	Bytes   uint64 // TCP payload
	Biggest uint64 // payload of the largest frame
}

// CPUTime is the processor time that a node has used.
type CPUTime struct {
	User   time.Duration // its processes, in their own code
	System time.Duration // the kernel, for them and for the node's devices
	// Processes: the kernel's work for devices (softirq) is not in it.
	Processes bool
}

// Simulator holds the state of a lab's nodes for their commands: the topology, a
// device database per node, faults, and the kernel behind a few functions, so
// that a test can replace it.
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
	// ResetLargeSend lets LargeSend count a node's frames from zero. May be nil.
	ResetLargeSend func(node string) error
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

	// ErrorLogs are the error logs of the nodes, Inetd their inetd processes.
	ErrorLogs errorlog.Logs
	Inetd     Inetd

	origins    memory[[2]string, AdapterReading] // of adapters when they were reset, by node and adapter
	boots      memory[string, boot]              // the last ones since the lab was started, by node
	plan       atomic.Pointer[topology.Topology] // nil: Topology
	changing   sync.Mutex                        // held during a change; guards what follows
	faults     effect.Faults
	redundancy redundancyState
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

// Time returns the time of the machine, or that of a test.
func (sim *Simulator) Time() time.Time {
	if sim.Now != nil {
		return sim.Now()
	}
	return time.Now()
}

// Wait pauses a command; it returns the error of ctx if that ends first.
func (sim *Simulator) Wait(ctx context.Context, d time.Duration) error {
	if sim.Sleep != nil {
		return sim.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Node returns a node and its managed system, both nil if the lab has no node of that name.
func (sim *Simulator) Node(name string) (*topology.System, *topology.Node) {
	s, n, _ := sim.Plan().Node(name)
	return s, n
}

// AdapterOf returns the adapter of entN or enN; nil if the node has none.
func AdapterOf(n *topology.Node, name string) *topology.Adapter {
	return n.Adapter("ent" + strings.TrimPrefix(strings.TrimPrefix(name, "ent"), "en"))
}

// End returns the network device of adapter entN or interface enN, or of lo0.
func End(node, device string) wire.End {
	if device == "lo0" {
		return wire.End{Namespace: node, Device: "lo"}
	}
	return wire.End{Namespace: node, Device: wire.DeviceName(device)}
}

// New makes the simulator of a lab: a database for every node as the catalogue and
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
func (sim *Simulator) Timestamps(node string) bool {
	_, n := sim.Node(node)
	return n != nil && effect.RFC1323(n, effect.Lookup{Stores: sim.Stores})
}

// Plan is the topology as it is now: that of the start, with the VLAN pseudo
// devices that came and without those that went.
func (sim *Simulator) Plan() *topology.Topology {
	if t := sim.plan.Load(); t != nil {
		return t
	}
	return sim.Topology
}

// lookup is the input of package effect: the databases, the faults, and which SEAs
// were primary until now. The caller holds the lock.
func (sim *Simulator) lookup() effect.Lookup {
	first := map[[2]string]bool{}
	for at, f := range sim.redundancy.pairs {
		first[at] = strings.HasPrefix(f.State, "PRIMARY")
	}
	return effect.Lookup{Stores: sim.Stores, Faults: sim.faults, Primary: first, MTU: sim.linuxMTU}
}

// linuxMTU reads the MTU of a device on a Linux node from its kernel; 0: not known.
func (sim *Simulator) linuxMTU(node, device string) int {
	l, err := sim.Link(wire.End{Namespace: node, Device: device})
	if err != nil {
		return 0
	}
	return l.MTU
}

// Running is the value of an attribute of a device; empty if it has none of that name.
func (sim *Simulator) Running(node, device, attr string) string {
	v, _ := sim.Stores[node].Running(device, attr)
	return v
}

// Clock is a node's time of day. Only the lab's own commands know of a jump:
// see the fault clock-jump.
func (sim *Simulator) Clock(node string) time.Time {
	sim.changing.Lock()
	defer sim.changing.Unlock()
	return sim.clock(node)
}

// clock is Clock for a caller that holds the lock.
func (sim *Simulator) clock(node string) time.Time {
	return sim.Time().Add(time.Duration(sim.faults.Of(effect.ClockJump, node)))
}

// Log appends an entry to a node's error log.
func (sim *Simulator) Log(node string, t *errorlog.Template, resource, detail string) {
	sim.ErrorLogs.Append(node, errorlog.Entry{Template: t, At: sim.Clock(node), Resource: resource, Detail: detail})
}

// Faults gives access to what is broken.
func (sim *Simulator) Faults() Faults { return Faults{sim} }

// Counters gives access to the counters of the nodes.
func (sim *Simulator) Counters() Counters { return Counters{sim} }

// ReceiveBuffers gives access to the receive buffers of virtual adapters.
func (sim *Simulator) ReceiveBuffers() ReceiveBuffers { return ReceiveBuffers{sim} }

// Redundancy gives access to the state of SEA pairs and EtherChannels.
func (sim *Simulator) Redundancy() Redundancy { return Redundancy{sim, &sim.redundancy} }

// Clients gives access to the counted clients of SEAs.
func (sim *Simulator) Clients() Clients { return Clients{sim} }

// VLANDevices defines and removes VLAN pseudo devices.
func (sim *Simulator) VLANDevices() VLANDevices { return VLANDevices{sim} }
