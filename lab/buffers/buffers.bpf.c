//go:build ignore

// The two programs of a virtual adapter's receive buffers; doc.go has the story.

#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

#define POOLS 5
#define HANDLE 8      // bytes that the hypervisor writes into a buffer before the frame
#define TCP_HEADERS 66 // around the payload of a frame that is cut, with timestamps
#define RETRIES 8

struct pool {
	__u64 min;       // what the driver keeps registered
	__u64 max;       // limit of allocated
	__u64 allocated; // now
	__u64 in_use;    // holding a frame
	__u64 refused;   // frames that found no buffer
	__u64 highest;   // highest allocated since the adapter was opened
	__u64 lowest;    // lowest registered since then
	__u64 unused;
};

struct adapter {
	struct pool pools[POOLS];
	__u64 cut; // not 0: large frames are cut behind the first program
	__u64 unused[7];
};

// A ledger counts the buffers that one CPU took from one pool. A CPU's frames
// arrive in the order in which it sent them, or not at all.
struct ledger {
	__u64 taken;    // number of the last one taken
	__u64 returned; // up to this number all have arrived or are lost
};

struct cpu_ledgers {
	struct ledger pools[POOLS];
	__u64 unused[6];
};

// A port is a device of the hypervisor switch.
struct port {
	__u64 adapter;  // at its other end, counted from 1; 0: not a virtual adapter
	__u64 failures; // frames sent by it that found no buffer at their receiver
};

// The stamp of a frame, in the words of skb->cb that belong to programs: they
// survive the crossing of a veth pair, and are copied to the parts of a frame that is cut.
struct stamp {
	__u32 owner; // STAMP, and the CPU that took the buffers
	__u32 pool;  // adapter and pool
	__u32 first; // number of the first buffer taken
	__u32 count; // how many were: the parts that the frame will be cut into
};
#define STAMP 0x5ea00000
#define CPU_MASK 0xffff

volatile const __u32 cpus;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct adapter);
} adapters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32); // adapter * cpus + CPU
	__type(value, struct cpu_ledgers);
} ledgers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32); // ifindex, in the hypervisor switch's namespace
	__type(value, struct port);
} ports SEC(".maps");

static __always_inline __u32 pool_for(__u32 size)
{
	size += HANDLE;
	return size <= 512 ? 0 : size <= 2048 ? 1 : size <= 16384 ? 2 : size <= 32768 ? 3 : 4;
}

// refuse drops a frame. Its sender hears of it, unless it is a broadcast.
static __always_inline int refuse(struct __sk_buff *skb, struct pool *pool, __u64 count)
{
	__u8 *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	__u32 sender = skb->ingress_ifindex;
	struct port *port;

	__sync_fetch_and_add(&pool->in_use, -count);
	__sync_fetch_and_add(&pool->refused, count);
	if (data + 1 > end || data[0] & 1)
		return TC_ACT_SHOT;
	port = bpf_map_lookup_elem(&ports, &sender);
	if (port)
		__sync_fetch_and_add(&port->failures, count);
	return TC_ACT_SHOT;
}

// take_buffer runs at the hypervisor switch's end, for frames that leave towards
// the adapter.
SEC("tc")
int take_buffer(struct __sk_buff *skb)
{
	__u32 index = skb->ifindex, size = skb->len, cpu = bpf_get_smp_processor_id(), slot, kind;
	__u64 count = 1, in_use, allocated;
	struct adapter *adapter;
	struct cpu_ledgers *own;
	struct ledger *ledger;
	struct port *port;
	struct pool *pool;

	port = bpf_map_lookup_elem(&ports, &index);
	if (!port || !port->adapter)
		return TC_ACT_OK;
	slot = port->adapter - 1;
	adapter = bpf_map_lookup_elem(&adapters, &slot);
	index = slot * cpus + cpu;
	own = bpf_map_lookup_elem(&ledgers, &index);
	if (!adapter || !own)
		return TC_ACT_OK;
	if (adapter->cut && skb->gso_segs > 1) {
		count = skb->gso_segs;
		size = skb->gso_size + TCP_HEADERS;
	}
	kind = pool_for(size);
	pool = &adapter->pools[kind];
	ledger = &own->pools[kind];

	in_use = __sync_fetch_and_add(&pool->in_use, count) + count;
	allocated = pool->allocated;
	if (in_use > allocated)
		return refuse(skb, pool, count);
	if (allocated - in_use < pool->lowest)
		pool->lowest = allocated - in_use;
	skb->cb[0] = STAMP | cpu;
	skb->cb[1] = slot * 8 + kind;
	skb->cb[2] = ledger->taken + 1;
	skb->cb[3] = count;
	ledger->taken += count;
	return TC_ACT_OK;
}

// arrived notes in a ledger that a frame, or a part of one, has arrived, and
// gives how many buffers that frees: its own and those of frames lost before it.
static __always_inline __u64 arrived(struct ledger *ledger, __u32 first, __u32 count)
{
	for (int i = 0; i < RETRIES; i++) { // another CPU may be at it
		__u64 before = ledger->returned;
		__s32 ahead = first - (__u32)before;
		__u64 after;

		if (ahead > 0)
			after = before + ahead;
		else if ((__u32)-ahead + 1 < count)
			after = before + 1; // the next part of the same frame
		else
			return 0; // was counted as lost
		if (__sync_val_compare_and_swap(&ledger->returned, before, after) == before)
			return after - before;
	}
	return 0;
}

// return_buffer runs at the adapter's own end: it is the driver, which returns
// buffers and sees to it that enough are registered.
SEC("tc")
int return_buffer(struct __sk_buff *skb)
{
	__u32 owner = skb->cb[0], slot = skb->cb[1] / 8, kind = skb->cb[1] % 8, index;
	__u64 freed, wanted;
	struct adapter *adapter;
	struct cpu_ledgers *own;
	struct pool *pool;

	if ((owner & ~CPU_MASK) != STAMP || kind >= POOLS)
		return TC_ACT_OK;
	skb->cb[0] = 0;
	adapter = bpf_map_lookup_elem(&adapters, &slot);
	index = slot * cpus + (owner & CPU_MASK);
	own = bpf_map_lookup_elem(&ledgers, &index);
	if (!adapter || !own)
		return TC_ACT_OK;
	freed = arrived(&own->pools[kind], skb->cb[2], skb->cb[3]);
	if (!freed)
		return TC_ACT_OK;
	pool = &adapter->pools[kind];
	wanted = __sync_fetch_and_add(&pool->in_use, -freed) - freed + pool->min;
	if (wanted > pool->max)
		wanted = pool->max;
	if (wanted != pool->allocated)
		pool->allocated = wanted;
	if (wanted > pool->highest)
		pool->highest = wanted;
	return TC_ACT_OK;
}

char _license[] SEC("license") = "Apache-2.0";
