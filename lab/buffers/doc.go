// Package buffers gives the virtual adapters of a lab receive buffers that can
// run out.
//
// A POWER hypervisor copies a frame into a buffer that the receiving driver has
// registered with it, from the pool that fits the frame's size; if that pool
// has none the frame is lost. Here two eBPF programs (buffers.bpf.c) run at each
// virtual adapter. The one at the hypervisor switch's end takes a buffer for
// every frame that leaves towards the adapter, or drops the frame. The one at
// the adapter's own end, the driver, returns it.
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
// packets is full, the link goes down. Its buffer must come back too. So each CPU
// numbers the buffers it takes from a pool, and the frame carries the number in
// skb->cb. What a CPU takes goes through queues that are first in, first out: when
// number 7 arrives, 1 to 6 have arrived or are lost, and all are returned.
//
// What a burst lost at its very end, when the same CPU takes no more from that
// pool, Reconcile returns by the same argument: once any frame has arrived that
// was taken at least a second later, or when nothing arrives at all. A frame that
// arrives after its buffer was returned counts no more.
//
// # Hooks
//
// The programs are classifiers (clsact), held by their devices: they go with them
// however the lab ends. The kernel's tcx hook would save 23 of the 137 ns that the two
// cost a frame, but each attachment waits for all CPUs with the machine's network
// configuration locked: 12 s for 200 LPARs, where classifiers take 0.1 s.
package buffers

//go:generate go run github.com/cilium/ebpf/cmd/bpf2go -target bpfel -output-stem buffers -type pool -type ledger bpf buffers.bpf.c
