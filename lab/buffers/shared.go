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
