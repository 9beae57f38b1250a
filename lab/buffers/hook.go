package buffers

import (
	"errors"
	"fmt"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// end is a device that a program hangs on: of the driver, which gives buffers
// back, or of the hypervisor switch, which takes them.
type end struct {
	namespace string
	index     int
	failures  *memory // of the switch; nil: it is the driver's
	programs  []*ebpf.Program
}

func (c *cable) ends() []*end { return []*end{&c.near, &c.far} }

// failures is how many frames from here found no buffer at their receiver.
func (c *cable) failures() uint64 { return c.far.failures.word(8 * c.far.index).Load() }

func (c *cable) close() {
	for _, e := range c.ends() {
		for _, p := range e.programs {
			p.Close()
		}
		e.programs = nil
	}
}

// classify hangs a program on a device of the calling thread's namespace as a
// direct-action classifier. One at the kernel's tcx hook costs a frame half as
// much, but to make it and to end it each wait for all CPUs (an RCU grace
// period, measured at 13 to 30 ms) with the machine's network configuration
// locked: 12 s for 200 LPARs, where classifiers take 0.1 s. So all adapters
// begin with classifiers, and Hasten gives the other to those that are busy.
// Both go with their device, whatever ends the lab.
func (e end) classify(p *ebpf.Program) error {
	q := &netlink.GenericQdisc{QdiscType: "clsact", QdiscAttrs: netlink.QdiscAttrs{
		LinkIndex: e.index, Parent: netlink.HANDLE_CLSACT, Handle: netlink.MakeHandle(0xffff, 0)}}
	if err := netlink.QdiscAdd(q); err != nil {
		return fmt.Errorf("this kernel has no hook for classifiers (sch_clsact): %w", err)
	}
	where := uint32(netlink.HANDLE_MIN_INGRESS)
	if e.failures != nil {
		where = netlink.HANDLE_MIN_EGRESS
	}
	f := &netlink.BpfFilter{Fd: p.FD(), Name: "seaworthy", DirectAction: true, FilterAttrs: netlink.FilterAttrs{
		LinkIndex: e.index, Parent: where, Priority: 1, Protocol: unix.ETH_P_ALL}}
	if err := netlink.FilterAdd(f); err != nil {
		return fmt.Errorf("this kernel has no classifiers that are programs (cls_bpf): %w", err)
	}
	return nil
}

// precede hangs a program before the classifiers, and in their stead: its
// verdict lets none of them run. So each frame meets one of the two, and the
// change needs no pause.
func (e end) precede(p *ebpf.Program) error {
	at := ebpf.AttachTCXIngress
	if e.failures != nil {
		at = ebpf.AttachTCXEgress
	}
	return link.RawAttachProgram(link.RawAttachProgramOptions{Target: e.index, Program: p, Attach: at})
}

// busy is what Hasten knows of an adapter.
type busy struct {
	taken uint64    // at the look before
	at    time.Time // of that
	swift bool      // its programs are at the tcx hook
}

const (
	// busyFrames is from how many frames a second an adapter is worth it: at
	// half as many the classifiers cost it a thousandth of a CPU.
	busyFrames = 10_000
	// patience is how long a call of Hasten may keep others from the machine's
	// network configuration.
	patience = 100 * time.Millisecond
)

// Hasten gives adapters that are busy the hook that costs a frame less. Call it
// about once a second. It does nothing on a kernel without such a hook (before
// Linux 6.6).
func (m *Meter) Hasten() {
	m.mu.Lock()
	defer m.mu.Unlock()
	begin := time.Now()
	for _, a := range m.adapters {
		b := &a.busy
		if m.slow || b.swift {
			continue
		}
		before := *b
		b.taken, b.at = m.taken(a), time.Now()
		passed := b.at.Sub(before.at).Seconds()
		if before.at.IsZero() || float64(b.taken-before.taken) < busyFrames*passed || b.at.Sub(begin) > patience {
			continue
		}
		b.swift = true
		if err := m.precede(a); errors.Is(err, ebpf.ErrNotSupported) || errors.Is(err, unix.EINVAL) {
			m.slow = true
		}
	}
}

// precede gives all ends of an adapter the faster hook.
func (m *Meter) precede(a *adapter) error {
	for _, c := range a.cables {
		if err := m.hasten(a, c); err != nil {
			return err
		}
	}
	return nil
}

// hasten gives both ends of a cable the faster hook. What fails leaves an end as
// it is, which is as good.
func (m *Meter) hasten(a *adapter, c *cable) error {
	for _, e := range c.ends() {
		p, err := m.load(a, e, tcx)
		if err == nil {
			err = m.net.Run(e.namespace, func() error { return e.precede(p) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// taken is how many buffers an adapter's frames have taken so far.
func (m *Meter) taken(a *adapter) uint64 {
	var n uint64
	for cpu := range m.cpus {
		for p := range PoolCount {
			n += a.ledger(cpu, p, ledgerTaken).Load()
		}
	}
	return n
}
