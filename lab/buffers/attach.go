package buffers

import (
	"fmt"
	"log/slog"
	"os"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// hypervisor is one hypervisor switch: the program at its ports and what they count.
type hypervisor struct {
	take  *ebpf.Program
	ports *shared[bpfPort] // by ifindex
}

// laterDevices is how many devices a hypervisor switch may get after its start: the
// kernel never gives an interface number twice.
const laterDevices = 4096

func (m *Meter) load(adapters int) error {
	spec, err := m.spec(adapters)
	if err != nil {
		return err
	}
	var o struct {
		ReturnBuffer *ebpf.Program `ebpf:"return_buffer"`
		Adapters     *ebpf.Map     `ebpf:"adapters"`
		Ledgers      *ebpf.Map     `ebpf:"ledgers"`
	}
	if err := spec.LoadAndAssign(&o, nil); err != nil {
		return err
	}
	m.returning = o.ReturnBuffer
	if m.pools, err = share[bpfAdapter](o.Adapters); err != nil {
		return err
	}
	m.ledgers, err = share[bpfCpuLedgers](o.Ledgers)
	return err
}

func (m *Meter) spec(adapters int) (*ebpf.CollectionSpec, error) {
	spec, err := loadBpf()
	if err != nil {
		return nil, err
	}
	spec.Maps["adapters"].MaxEntries = uint32(adapters)
	spec.Maps["ledgers"].MaxEntries = uint32(adapters * m.cpus)
	return spec, spec.Variables["cpus"].Set(uint32(m.cpus))
}

// loadHypervisor makes the program of a hypervisor switch whose interface numbers
// go up to largest so far.
func (m *Meter) loadHypervisor(largest int) (*hypervisor, error) {
	spec, err := m.spec(len(m.pools.values))
	if err != nil {
		return nil, err
	}
	spec.Maps["ports"].MaxEntries = uint32(largest + 1 + laterDevices)
	var o struct {
		TakeBuffer *ebpf.Program `ebpf:"take_buffer"`
		Ports      *ebpf.Map     `ebpf:"ports"`
	}
	shared := map[string]*ebpf.Map{"adapters": m.pools.m, "ledgers": m.ledgers.m}
	if err := spec.LoadAndAssign(&o, &ebpf.CollectionOptions{MapReplacements: shared}); err != nil {
		return nil, err
	}
	ports, err := share[bpfPort](o.Ports)
	if err != nil {
		return nil, err
	}
	return &hypervisor{o.TakeBuffer, ports}, nil
}

// attach makes a program the classifier of a device of the calling thread's
// namespace; parent says for which direction.
func attach(index int, parent uint32, p *ebpf.Program) error {
	slog.Debug("attach eBPF classifier", "ifindex", index, "program", p)
	q := &netlink.GenericQdisc{QdiscType: "clsact", QdiscAttrs: netlink.QdiscAttrs{
		LinkIndex: index, Parent: netlink.HANDLE_CLSACT, Handle: netlink.MakeHandle(0xffff, 0)}}
	if err := netlink.QdiscAdd(q); err != nil {
		return fmt.Errorf("this kernel has no clsact qdisc (sch_clsact): %w", err)
	}
	f := &netlink.BpfFilter{Fd: p.FD(), Name: "seaworthy", DirectAction: true, FilterAttrs: netlink.FilterAttrs{
		LinkIndex: index, Parent: parent, Priority: 1, Protocol: unix.ETH_P_ALL}}
	if err := netlink.FilterAdd(f); err != nil {
		return fmt.Errorf("this kernel has no eBPF classifiers (cls_bpf): %w", err)
	}
	return nil
}

// shared is an array map whose values this process reads and writes while programs
// do: by atomic operations on their words only.
type shared[T any] struct {
	m      *ebpf.Map
	memory []byte // whole pages
	values []T
}

func share[T any](m *ebpf.Map) (*shared[T], error) {
	count, page := int(m.MaxEntries()), os.Getpagesize()
	b, err := unix.Mmap(m.FD(), 0, (count*int(m.ValueSize())+page-1)/page*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map memory: %w", err)
	}
	return &shared[T]{m, b, unsafe.Slice((*T)(unsafe.Pointer(&b[0])), count)}, nil
}

func (s *shared[T]) close() {
	if s == nil {
		return
	}
	_ = unix.Munmap(s.memory)
	s.m.Close()
}
