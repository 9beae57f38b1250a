package buffers

// PoolCount is how many pools a virtual adapter has.
const PoolCount = 5

// names of the pools in the order entstat prints them. Their buffers have 512,
// 2048, 16384, 32768 and 65536 bytes: that follows from the memory that real
// entstat outputs print per pool, and is what Linux's ibmveth driver has.
var names = [PoolCount]string{"Tiny", "Small", "Medium", "Large", "Huge"}

// Names are the pools' names in entstat's order: Tiny, Small, Medium, Large, Huge.
func Names() []string { return names[:] }

// Size is how many buffers a pool has: Min are registered as long as memory of
// the pool is left, Max is all there can be.
type Size struct{ Min, Max uint64 }

// Wanted is how an adapter's buffers should be.
type Wanted struct {
	Node    string // the partition
	Adapter string // entN
	Pools   [PoolCount]Size
	Open    bool // something uses the adapter: an interface or an SEA
	Cut     bool // the hypervisor switch cuts large frames before it delivers them
}

// Pool is what entstat -d prints of a pool; in buffers, but Refused.
type Pool struct {
	Size
	Allocated        uint64 // now
	Registered       uint64 // of those, holding no frame
	MaxAllocated     uint64 // since the adapter was opened
	LowestRegistered uint64 // since then
	Refused          uint64 // frames that found no buffer, since then
}

// Counts are an adapter's buffers now.
type Counts struct {
	Pools [PoolCount]Pool
	// ReceiverFailures are the frames sent by this adapter that found no buffer
	// at their receiver, since the adapter was opened.
	ReceiverFailures uint64
}

// Refused is how many frames found no buffer at this adapter.
func (c Counts) Refused() uint64 {
	var n uint64
	for _, p := range c.Pools {
		n += p.Refused
	}
	return n
}
