package buffers

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// The memory that an adapter's two programs share with this process, in bytes:
// a pool after the other, the word cuts, then a ledger for each CPU and pool.
// A ledger is of the frames that its CPU took.
const (
	poolBytes = 64

	poolMin       = 0  // what the driver keeps registered
	poolMax       = 8  // limit of allocated
	poolAllocated = 16 // now
	poolInUse     = 24 // holding a frame: the sum of the ledgers' inUse
	poolRefused   = 32 // frames that found no buffer

	cutsAt    = PoolCount * poolBytes // not 0: large frames are cut behind the first program
	ledgersAt = cutsAt + poolBytes

	ledgerBytes   = 64
	ledgerTaken   = 0  // buffers taken so far
	ledgerInUse   = 8  // of those, still on the way
	ledgerStamp   = 16 // of the frame that arrived last
	ledgerRepeats = 24 // how often that stamp came before: frames cut from one
	ledgerLowest  = 32 // lowest registered that a taking left
	ledgerHighest = 40 // highest allocated that a giving back left

	ledgersOfCPU = PoolCount * ledgerBytes
)

// memory is a map of one value, seen by this process too.
type memory struct {
	m *ebpf.Map
	b []byte
}

// newMemory makes an array map whose values are words of 8 bytes, or one value
// of the whole size.
func newMemory(name string, valueBytes, entries int) (*memory, error) {
	m, err := ebpf.NewMap(&ebpf.MapSpec{
		Name: name, Type: ebpf.Array, KeySize: 4, ValueSize: uint32(valueBytes), MaxEntries: uint32(entries), Flags: unix.BPF_F_MMAPABLE,
	})
	if err != nil {
		return nil, err
	}
	page := os.Getpagesize()
	size := (valueBytes*entries + page - 1) / page * page
	b, err := unix.Mmap(m.FD(), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		m.Close()
		return nil, fmt.Errorf("map memory: %w", err)
	}
	return &memory{m: m, b: b}, nil
}

// word is shared with programs that run at this moment: atomic access only.
func (m *memory) word(at int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&m.b[at : at+8][0]))
}

// entries is how many values there are.
func (m *memory) entries() int { return int(m.m.MaxEntries()) }

func (m *memory) close() {
	if m == nil {
		return
	}
	_ = unix.Munmap(m.b)
	m.m.Close()
}

func poolAt(pool int) int { return pool * poolBytes }

func ledgerAt(cpu, pool int) int { return ledgersAt + cpu*ledgersOfCPU + pool*ledgerBytes }
