package cputime

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// Kind of work, as cputime.bpf.c numbers it.
type Kind uint32

const (
	User    Kind = iota // a process, in its own code
	System              // a process, in the kernel
	SoftIRQ             // the kernel, on behalf of a device
	Idle
)

// period is the time between two samples of a CPU. It does not divide the clock
// tick, so that the two do not run in step.
const period = 997 * time.Microsecond

// architectures as cputime.bpf.c numbers them.
var architectures = map[string]uint32{"amd64": 1, "arm64": 2, "ppc64le": 3}

// key is whose time it is: a network namespace's number and a kind.
type key struct {
	Namespace uint32
	Kind      Kind
}

// Sampler is the kernel's side, from Start to Close.
type Sampler struct {
	objects bpfObjects
	held    []io.Closer
}

// errPrivilege replaces the kernel's refusal, whose words are misleading.
var errPrivilege = fmt.Errorf("only root, outside of user namespaces, may sample CPU time (BPF, perf events): %w", os.ErrPermission)

// Start begins to sample every CPU. It needs root's rights in the machine's own
// user namespace, and a kernel that describes itself (BTF).
func Start() (*Sampler, error) {
	s := &Sampler{}
	err := s.start()
	if err == nil {
		return s, nil
	}
	s.Close()
	if errors.Is(err, os.ErrPermission) {
		return nil, errPrivilege
	}
	return nil, fmt.Errorf("sample CPU time: %w", err)
}

func (s *Sampler) start() error {
	spec, err := loadBpf()
	if err != nil {
		return err
	}
	if err := spec.Variables[bpfVarLongest].Set(uint64(4 * period)); err != nil {
		return err
	}
	if err := spec.Variables[bpfVarArch].Set(architectures[runtime.GOARCH]); err != nil {
		return err
	}
	if err := spec.LoadAndAssign(&s.objects, nil); err != nil {
		return err
	}
	s.held = append(s.held, &s.objects)
	// Those that forget a device before those that name one.
	o := &s.objects
	for _, p := range []*ebpf.Program{o.SoftirqEntry, o.SoftirqExit, o.FrameReceived, o.FrameDequeued} {
		slog.Debug("attach eBPF program", "program", p)
		l, err := link.AttachTracing(link.TracingOptions{Program: p})
		if err != nil {
			return fmt.Errorf("tracepoint %s: %w", p, err)
		}
		s.held = append(s.held, l)
	}
	return s.startTimers()
}

// startTimers starts the timer of every CPU that is on.
func (s *Sampler) startTimers() error {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	for cpu := range cpus {
		attr := &unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK,
			Size: unix.PERF_ATTR_SIZE_VER5, Sample: uint64(period), Bits: unix.PerfBitDisabled}
		fd, err := unix.PerfEventOpen(attr, -1, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENXIO) {
			continue // off line
		}
		if err != nil {
			return fmt.Errorf("CPU %d: perf_event_open: %w", cpu, err)
		}
		s.held = append(s.held, os.NewFile(uintptr(fd), "perf event"))
		if err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_BPF, s.objects.Sample.FD()); err == nil {
			err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0)
		}
		if err != nil {
			return fmt.Errorf("CPU %d: start the timer: %w", cpu, err)
		}
	}
	return nil
}

// read gives the time since Start by namespace and kind, summed over the CPUs.
func (s *Sampler) read() (map[key]time.Duration, error) {
	sums := map[key]time.Duration{}
	var k key
	var perCPU []uint64
	it := s.objects.Used.Iterate()
	for it.Next(&k, &perCPU) {
		for _, ns := range perCPU {
			sums[k] += time.Duration(ns)
		}
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("read CPU time: %w", err)
	}
	return sums, nil
}

// Close ends the sampling.
func (s *Sampler) Close() {
	for _, c := range s.held {
		c.Close()
	}
}
