//go:build ignore

// Who uses the CPUs of this machine, by network namespace; doc.go has the story.

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

// What is read of the kernel's structures; the loader fits it to the running kernel (CO-RE).
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct ns_common {
	unsigned int inum;
};
struct net {
	struct ns_common ns;
};
typedef struct {
	struct net *net;
} possible_net_t;
struct net_device {
	possible_net_t nd_net;
};
struct sk_buff {
	struct net_device *dev;
};
struct netdev_queue {
	struct net_device *dev;
};
struct nsproxy {
	struct net *net_ns;
};
struct task_struct {
	int pid;
	struct nsproxy *nsproxy;
};
#pragma clang attribute pop

enum kind { USER, SYSTEM, SOFTIRQ, IDLE };

struct owner {
	__u32 netns; // number of the network namespace; 0: nobody
	__u32 kind;
};

// What a CPU is doing.
struct cpu {
	__u64 softirq;          // not 0: a softirq runs
	struct net_device *dev; // it is at work for this device; NULL: for none yet
	__u64 sampled;          // when the last sample was taken, ns since boot
};

// A sample is worth the time since the one before it, but no more than this: a machine
// that is itself a guest is sometimes not run at all.
volatile const __u64 longest;

enum arch { OTHER, AMD64, ARM64, PPC64LE };
volatile const __u32 arch;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct owner);
	__type(value, __u64); // ns
} used SEC(".maps");

static __always_inline struct cpu *this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

static __always_inline int softirq(int runs)
{
	struct cpu *cpu = this_cpu();

	if (cpu) {
		cpu->softirq = runs;
		cpu->dev = NULL;
	}
	return 0;
}

SEC("tp_btf/softirq_entry")
int softirq_entry(void *ctx)
{
	return softirq(1);
}

SEC("tp_btf/softirq_exit")
int softirq_exit(void *ctx)
{
	return softirq(0);
}

// A frame is received: what follows is done for the device that it came by.
SEC("tp_btf/netif_receive_skb")
int BPF_PROG(frame_received, struct sk_buff *skb)
{
	struct cpu *cpu = this_cpu();

	if (cpu)
		cpu->dev = skb->dev;
	return 0;
}

// A frame leaves a queue: what follows is done for the device that sends it.
SEC("tp_btf/qdisc_dequeue")
int BPF_PROG(frame_dequeued, void *qdisc, struct netdev_queue *queue)
{
	struct cpu *cpu = this_cpu();

	if (cpu)
		cpu->dev = queue->dev;
	return 0;
}

// in_user_mode reads the CPU's own state word (struct pt_regs). On other architectures
// all of a process's time counts as SYSTEM.
static __always_inline int in_user_mode(struct bpf_perf_event_data *ctx)
{
	__u64 *regs = (__u64 *)ctx;

	switch (arch) {
	case AMD64: // privilege level in cs
		return (regs[17] & 3) == 3;
	case ARM64: // exception level in pstate
		return (regs[33] & 0xf) == 0;
	case PPC64LE: // problem state bit in msr
		return (regs[33] & 1 << 14) != 0;
	}
	return 0;
}

SEC("perf_event")
int sample(struct bpf_perf_event_data *ctx)
{
	__u64 now = bpf_ktime_get_ns(), elapsed, *sum;
	struct cpu *cpu = this_cpu();
	struct net_device *dev;
	struct task_struct *task;
	struct owner owner = {};

	if (!cpu)
		return 0;
	elapsed = cpu->sampled ? now - cpu->sampled : 0;
	cpu->sampled = now;
	if (elapsed > longest)
		elapsed = longest;
	if (cpu->softirq) {
		owner.kind = SOFTIRQ;
		dev = cpu->dev; // may be gone by now: then the number reads as 0
		if (dev)
			owner.netns = BPF_CORE_READ(dev, nd_net.net, ns.inum);
	} else {
		task = (struct task_struct *)bpf_get_current_task();
		owner.netns = BPF_CORE_READ(task, nsproxy, net_ns, ns.inum);
		owner.kind = in_user_mode(ctx) ? USER : SYSTEM;
		if (!BPF_CORE_READ(task, pid)) {
			owner.netns = 0;
			owner.kind = IDLE;
		}
	}
	sum = bpf_map_lookup_elem(&used, &owner);
	if (sum)
		*sum += elapsed;
	else
		bpf_map_update_elem(&used, &owner, &elapsed, BPF_ANY);
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
