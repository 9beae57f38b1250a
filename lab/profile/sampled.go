package profile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sharing is how the profiled program's time in user mode was spread over its
// own text and shared libraries.
type sharing struct {
	err     error // why nothing is known
	rings   []*ring
	maps    map[uint32][]mapping // by process
	samples []sample
}

type mapping struct {
	from, to uint64
	file     string
}

type sample struct {
	ip  uint64
	pid uint32
}

// ring is the kernel's buffer of one processor.
type ring struct {
	fd  int
	mem []byte
}

const (
	ringPages   = 64
	samplesHz   = 997 // no divisor of the clock tick, so that the two do not run in step
	recordMmap  = 1
	recordLost  = 2
	recordHit   = 9
	perfDisable = 1 << 0
	perfInherit = 1 << 1
	perfNoKern  = 1 << 5
	perfNoHyp   = 1 << 6
	perfMmap    = 1 << 8
	perfFreq    = 1 << 10
	perfOnExec  = 1 << 12
)

// startSampled starts a program with its instruction pointer in user mode
// sampled on every processor. If that is not permitted the program runs all
// the same.
func startSampled(cmd *exec.Cmd) (*sharing, error) {
	s := &sharing{maps: map[uint32][]mapping{}}
	started := make(chan error, 1)
	go func() {
		// The program inherits the events of the thread that forks it. The
		// thread ends with this function, and its own samples never begin.
		runtime.LockOSThread()
		s.err = s.open()
		started <- cmd.Start()
	}()
	return s, <-started
}

func (s *sharing) open() error {
	for cpu := range runtime.NumCPU() {
		attr := &unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK,
			Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Sample: samplesHz,
			Sample_type: unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TID,
			Bits:        perfDisable | perfInherit | perfNoKern | perfNoHyp | perfMmap | perfFreq | perfOnExec}
		fd, err := unix.PerfEventOpen(attr, 0, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if err != nil {
			return fmt.Errorf("perf_event_open: %w", err)
		}
		mem, err := unix.Mmap(fd, 0, (1+ringPages)*unix.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			unix.Close(fd)
			return fmt.Errorf("perf_event_open: buffer: %w", err)
		}
		s.rings = append(s.rings, &ring{fd, mem})
	}
	return nil
}

// drain takes what the kernel has written; called often enough, it loses nothing.
func (s *sharing) drain() {
	for _, r := range s.rings {
		page := (*unix.PerfEventMmapPage)(unsafe.Pointer(&r.mem[0]))
		head, tail := atomic.LoadUint64(&page.Data_head), page.Data_tail
		data := r.mem[unix.Getpagesize():]
		for tail < head {
			b := make([]byte, 8)
			take(data, tail, b)
			size := uint64(binary.NativeEndian.Uint16(b[6:]))
			if size < 8 || size > head-tail {
				break
			}
			rec := make([]byte, size)
			take(data, tail, rec)
			if err := s.read(rec); err != nil && s.err == nil {
				s.err = err
			}
			tail += size
		}
		atomic.StoreUint64(&page.Data_tail, head)
	}
}

func take(data []byte, at uint64, to []byte) {
	for i := range to {
		to[i] = data[(at+uint64(i))%uint64(len(data))]
	}
}

// read takes one record: a sample, or a file that was mapped to be executed.
func (s *sharing) read(rec []byte) error {
	ne := binary.NativeEndian
	switch kind := ne.Uint32(rec); {
	case kind == recordLost:
		return errors.New("samples were lost")
	case kind == recordHit && len(rec) >= 24:
		s.samples = append(s.samples, sample{ne.Uint64(rec[8:]), ne.Uint32(rec[16:])})
	case kind == recordMmap && len(rec) > 40:
		pid, from, size := ne.Uint32(rec[8:]), ne.Uint64(rec[16:]), ne.Uint64(rec[24:])
		name, _, _ := strings.Cut(string(rec[40:]), "\x00")
		s.maps[pid] = append(s.maps[pid], mapping{from, from + size, name})
	}
	return nil
}

// stop reads the rest and lets go of the buffers.
func (s *sharing) stop() *sharing {
	s.drain()
	for _, r := range s.rings {
		_ = unix.Munmap(r.mem)
		unix.Close(r.fd)
	}
	s.rings = nil
	return s
}

func (s *sharing) note() string {
	if s.err != nil {
		return "Shared is not told apart from User here: " + s.err.Error() + "."
	}
	return fmt.Sprintf("Shared is User's part in libraries, by %d samples of the instruction pointer.", len(s.samples))
}

// shared is the part of a program's user ticks that fell into libraries; false
// if it was not sampled.
func (s *sharing) shared(program string, user uint64) (uint64, bool) {
	if s.err != nil {
		return 0, false
	}
	in, all := 0, 0
	for _, x := range s.samples {
		own, at := s.place(x)
		if !same(own, program) {
			continue
		}
		all++
		if library(at) {
			in++
		}
	}
	if all == 0 {
		return 0, false
	}
	return (user*uint64(in) + uint64(all)/2) / uint64(all), true
}

// place gives the program that a sample's process ran, and the file its
// instruction was of. Later mappings stand above earlier ones: exec starts anew.
func (s *sharing) place(x sample) (own, at string) {
	for _, m := range s.maps[x.pid] {
		if !strings.HasPrefix(m.file, "[") && !library(m.file) {
			own = m.file
		}
		if x.ip >= m.from && x.ip < m.to {
			at = m.file
		}
	}
	return own, at
}

// library: a shared object, or the part of the kernel that is mapped like one.
func library(file string) bool {
	return strings.Contains(filepath.Base(file), ".so") || file == "[vdso]"
}

// same: the lab's own commands are one file under many names.
func same(file, program string) bool {
	file = strings.TrimPrefix(file, "/.machine")
	return file != "" && (file == program || strings.HasPrefix(file, "/run/seaworthy/"))
}
