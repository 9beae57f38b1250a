// Package buffers gives the virtual adapters of a lab receive buffers that can
// run out.
//
// A POWER hypervisor copies a frame into a buffer that the receiving driver has
// registered with it, from the pool that fits the frame's size; if that pool
// has none the frame is lost. Here two programs of the kernel's packet path
// (eBPF) stand at each virtual adapter. The one at the hypervisor switch's
// end takes a buffer for every frame that leaves towards the adapter, or drops
// the frame. The one at the adapter's own end, the driver, gives it back.
//
// # Pools
//
// A pool has Allocated buffers; those not holding a frame are Registered. Min
// of them are there from the start. When the driver handles a frame it
// allocates what Registered has fallen below Min, up to Max, and frees what is
// above: post-allocation. As it needs the driver to run, a burst can find no
// buffer though Max is not reached, and a larger Min cures that.
//
// # Frames that never arrive
//
// Between the two ends the kernel may lose a frame: the CPU's queue of arrived
// packets is full, the link goes down. Its buffer must come back too. Each
// frame therefore carries a stamp (in skb->tc_index and skb->cb, which survive
// the crossing of a veth pair): the CPU that took it, the pool, and which number
// it has there. What a CPU takes goes through queues that are first in, first
// out. So when a frame arrives, whatever the same CPU took before it has arrived
// or is lost, and only what it took later can be on its way: that count replaces
// what the ledger held, and no error outlives the next frame.
//
// What a burst lost at its very end, when the same CPU takes no more from that
// pool, Reconcile gives back by the same argument: once any frame has arrived
// that was taken at least a second later, or when nothing arrives at all.
//
// # Hooks
//
// All adapters begin with classifiers, which are quick to hang up. Hasten gives
// those that are busy the tcx hook, which costs a frame less. Both are held by
// their devices, and go with them however the lab ends. Nearly all of what the
// programs cost is the hooks: docs/benchmarks.md has what other programs, with
// fewer atomic sums or shared words, gained.
package buffers
