package buffers

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// shared is an array map whose values this process reads and writes while programs
// do: by atomic operations on their words only.
type shared[T any] struct {
	m      *ebpf.Map
	values []T
}

func share[T any](m *ebpf.Map) (*shared[T], error) {
	count, page := int(m.MaxEntries()), os.Getpagesize()
	b, err := unix.Mmap(m.FD(), 0, (count*int(m.ValueSize())+page-1)/page*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map memory: %w", err)
	}
	return &shared[T]{m, unsafe.Slice((*T)(unsafe.Pointer(&b[0])), count)}, nil
}

func (s *shared[T]) close() {
	if s == nil {
		return
	}
	page := os.Getpagesize()
	size := (len(s.values)*int(s.m.ValueSize()) + page - 1) / page * page
	_ = unix.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(&s.values[0])), size))
	s.m.Close()
}
