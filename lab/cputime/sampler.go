package cputime

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// Between two looks at a processor, in ns. They are no divisors of the clock tick,
// so that the two do not run in step. In a virtual machine a look costs about
// 10 µs, most of it the interrupt.
const (
	period = 3_707_000
	dense  = 997_000 // in the short windows in which it is noted whose frames they are
)

// Sampler is the kernel's side, from Start to Close.
type Sampler struct {
	state *ebpf.Map
	used  *ebpf.Map
	held  []io.Closer
	timer []int // perf events, one a processor

	programs []*ebpf.Program

	noting  *window
	stop    chan struct{}
	stopped sync.WaitGroup
	mu      sync.Mutex
	last    map[key]time.Duration // what the map said at the last reading
	shared  shares
}

// errPrivilege stands for the kernel's refusal, whose words are misleading.
var errPrivilege = fmt.Errorf("the kernel lets only root, outside of user namespaces, sample it (BPF, perf events): %w", os.ErrPermission)

// Start begins to sample every processor. It needs root's rights in the
// machine's own user namespace, and a kernel with BTF.
func Start() (*Sampler, error) {
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, fmt.Errorf("the kernel's description of itself (BTF): %w", err)
	}
	o, err := readOffsets(spec)
	if err != nil {
		return nil, err
	}
	c := readCount(spec)
	s, err := begin(o, c)
	if err != nil && c.known {
		// A kernel may describe what it does not let a program read.
		s, err = begin(o, count{})
	}
	if errors.Is(err, os.ErrPermission) {
		return nil, errPrivilege
	}
	return s, err
}

// begin samples with programs made for a kernel.
func begin(o offsets, c count) (_ *Sampler, err error) {
	s := &Sampler{}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err := c.prove(); err != nil {
		return nil, err
	}
	s.state, err = s.newMap(&ebpf.MapSpec{Name: "state", Type: ebpf.PerCPUArray, KeySize: 4, ValueSize: stateSize, MaxEntries: 1})
	if err != nil {
		return nil, err
	}
	s.used, err = s.newMap(&ebpf.MapSpec{Name: "used", Type: ebpf.PerCPUHash, KeySize: 8, ValueSize: 8, MaxEntries: 4 * maxSpaces})
	if err != nil {
		return nil, err
	}
	noting, err := s.newMap(&ebpf.MapSpec{Name: "noting", Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1})
	if err != nil {
		return nil, err
	}
	timer, err := s.load(&ebpf.ProgramSpec{Name: "look", Type: ebpf.PerfEvent, License: "Dual BSD/GPL",
		Instructions: look(o, c, s.state.FD(), s.used.FD(), noting.FD())})
	if err != nil {
		return nil, err
	}
	always, windows := programs(o, c, s.state.FD())
	for _, code := range always {
		p, err := s.load(code.spec())
		if err != nil {
			return nil, err
		}
		l, err := attach(p)
		if err != nil {
			return nil, fmt.Errorf("tracepoint %s: %w", code.at, err)
		}
		s.held = append(s.held, l)
	}
	s.noting = &window{flag: noting, denser: s.denser}
	for _, code := range windows {
		p, err := s.load(code.spec())
		if err != nil {
			return nil, err
		}
		s.noting.marks = append(s.noting.marks, p)
	}
	if err := s.noting.open(); err != nil {
		return nil, err
	}
	if err := s.tick(timer); err != nil {
		return nil, err
	}
	s.stop = make(chan struct{})
	s.stopped.Go(func() { s.noting.openAndClose(s.stop, s.spent) })
	return s, nil
}

// attach runs a program at the tracepoint that it was made for.
func attach(p *ebpf.Program) (link.Link, error) {
	return link.AttachTracing(link.TracingOptions{Program: p, AttachType: ebpf.AttachTraceRawTp})
}

func (s *Sampler) newMap(spec *ebpf.MapSpec) (*ebpf.Map, error) {
	m, err := ebpf.NewMap(spec)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", spec.Name, err)
	}
	s.held = append(s.held, m)
	return m, nil
}

func (s *Sampler) load(spec *ebpf.ProgramSpec) (*ebpf.Program, error) {
	p, err := ebpf.NewProgram(spec)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", spec.Name, err)
	}
	s.held, s.programs = append(s.held, p), append(s.programs, p)
	return p, nil
}

// tick starts the timer of every processor that is on.
func (s *Sampler) tick(p *ebpf.Program) error {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	for cpu := range cpus {
		attr := &unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK,
			Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Sample: period, Bits: unix.PerfBitDisabled}
		fd, err := unix.PerfEventOpen(attr, -1, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENXIO) {
			continue // off line
		}
		if err != nil {
			return fmt.Errorf("processor %d: perf_event_open: %w", cpu, err)
		}
		s.timer = append(s.timer, fd)
		if err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_BPF, p.FD()); err == nil {
			err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0)
		}
		if err != nil {
			return fmt.Errorf("processor %d: start the timer: %w", cpu, err)
		}
	}
	return nil
}

// denser makes looks come closer after each other, or as always. It fails only
// for a processor that went away.
func (s *Sampler) denser(yes bool) {
	between := uint64(period)
	if yes {
		between = dense
	}
	for _, fd := range s.timer {
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.PERF_EVENT_IOC_PERIOD, uintptr(unsafe.Pointer(&between)))
	}
}

// read gives the time since Start by namespace and kind, summed over the
// processors. What was unseen is shared out.
func (s *Sampler) read() (map[key]time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := s.sums()
	if err != nil {
		return nil, err
	}
	s.shared.add(s.last, now)
	s.last = maps.Clone(now)
	s.shared.into(now)
	return now, nil
}

// spent is how long softirqs ran, by the states of all processors: the map "used"
// says the same, in a hundred times as many system calls.
func (s *Sampler) spent() (d time.Duration) {
	var states [][stateSize]byte
	_ = s.state.Lookup(uint32(0), &states) // without them the machine counts as idle
	for _, one := range states {
		d += time.Duration(binary.NativeEndian.Uint64(one[stateSpent:]))
	}
	return d
}

// sums is the map "used", summed over the processors.
func (s *Sampler) sums() (map[key]time.Duration, error) {
	now := map[key]time.Duration{}
	var k key
	var perCPU []uint64
	it := s.used.Iterate()
	for it.Next(&k, &perCPU) {
		var sum uint64
		for _, ns := range perCPU {
			sum += ns
		}
		now[k] = time.Duration(sum)
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("read the CPU time of namespaces: %w", err)
	}
	return now, nil
}

// Programs are what runs for events and looks, for who wants to know their cost.
func (s *Sampler) Programs() []*ebpf.Program { return slices.Clone(s.programs) }

// Close ends the sampling.
func (s *Sampler) Close() {
	if s.stop != nil {
		close(s.stop)
		s.stopped.Wait()
		s.stop = nil
	}
	if s.noting != nil {
		s.noting.close()
	}
	for _, fd := range s.timer {
		unix.Close(fd)
	}
	for _, c := range s.held {
		c.Close()
	}
}
