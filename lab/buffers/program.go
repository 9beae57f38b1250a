package buffers

import (
	"github.com/cilium/ebpf/asm"
)

// What the programs read of a packet: offsets in struct __sk_buff of the
// kernel's linux/bpf.h.
const (
	skbLen     = 0
	skbIngress = 36 // ifindex of the port that the frame came in by
	skbTCIndex = 44
	skbCB      = 48 // room of the packet's own, which survives a veth pair too
	skbClass   = 72
	skbData    = 76
	skbDataEnd = 80
	skbGSOSegs = 164
	skbGSOSize = 176
)

// actDrop is the verdict that ends a frame.
const actDrop = 2

// place is a kind of hook that a program can hang on.
type place struct {
	pass  int32 // verdict: go on
	stamp int16 // where the frame's next skb->tc_index is written
}

var (
	// A classifier asks the next one, of which there is none.
	classifier = place{pass: -1, stamp: skbTCIndex}
	// A tcx program says that it is all: behind it a classifier does not run. The
	// kernel then makes the class that it left, if any, skb->tc_index.
	tcx = place{pass: 0, stamp: skbClass}
)

// begins keeps the frame in ctx. With a verdict of tcx something is left as
// the frame's class in any case.
func (at place) begins(ctx asm.Register) asm.Instructions {
	p := asm.Instructions{asm.Mov.Reg(ctx, asm.R1)}
	if at == tcx {
		p = append(p, asm.Mov.Imm(asm.R2, 0), asm.StoreMem(ctx, skbClass, asm.R2, asm.Word))
	}
	return p
}

// A stamp is the pool's number, counted from 1, above the frame's number.
const (
	numberBits = 13
	numberMask = 1<<numberBits - 1
	maxFlight  = numberMask / 2 // more than a pool can have; beyond, a stamp makes no sense
)

// cpuMark, added to a CPU's number, tells it from what else stands in skbCB.
const cpuMark = 0x5ea00000

// headerBytes is what a TCP frame has around its payload, with timestamps.
const headerBytes = 66

// taker is the program at the hypervisor switch's end. It takes a buffer for
// every frame that leaves, as many for a frame that is cut after it as it will
// have parts, and drops what finds none. Then the sender's word in failures,
// by the ifindex of its port, counts too, unless the frame is a broadcast: the
// hypervisor does not tell senders about those.
func taker(at place, m *memory, failures *memory, cpus int) asm.Instructions {
	const ctx, size, count, ledger, pool = asm.R6, asm.R7, asm.R8, asm.R9, asm.R2
	offset := size // the size becomes the pool's offset
	fd := m.m.FD()
	p := append(at.begins(ctx),
		asm.LoadMem(size, ctx, skbLen, asm.Word),
		asm.Mov.Imm(count, 1),
		asm.LoadMapValue(asm.R1, fd, cutsAt),
		asm.LoadMem(asm.R1, asm.R1, 0, asm.DWord),
		asm.JEq.Imm(asm.R1, 0, "classify"),
		asm.LoadMem(asm.R1, ctx, skbGSOSegs, asm.Word),
		asm.JLE.Imm(asm.R1, 1, "classify"),
		asm.Mov.Reg(count, asm.R1),
		asm.LoadMem(size, ctx, skbGSOSize, asm.Word),
		asm.Add.Imm(size, headerBytes))
	// The pools by size; what is too large for the last goes there too.
	first := "classify"
	for i := range PoolCount - 1 {
		p = append(p,
			asm.JGT.Imm(size, int32(pools[i].bytes-handleBytes), next(i)).WithSymbol(first),
			asm.Mov.Imm(offset, int32(poolAt(i))),
			asm.Ja.Label("take"))
		first = next(i)
	}
	p = append(p, asm.Mov.Imm(offset, int32(poolAt(PoolCount-1))).WithSymbol(first))
	p = append(p,
		asm.FnGetSmpProcessorId.Call().WithSymbol("take"),
		asm.Mov.Reg(asm.R1, asm.R0),
		asm.Add.Imm(asm.R1, cpuMark),
		asm.StoreMem(ctx, skbCB, asm.R1, asm.Word))
	p = append(p, ledgerOf(ledger, offset, fd, cpus)...)
	p = append(p,
		asm.LoadMapValue(pool, fd, 0),
		asm.Add.Reg(pool, offset),
		asm.Mov.Reg(asm.R3, count),
		atomically(asm.FetchAdd, pool, asm.R3, poolInUse),
		asm.Add.Reg(asm.R3, count),
		asm.LoadMem(asm.R4, pool, poolAllocated, asm.DWord),
		asm.JGT.Reg(asm.R3, asm.R4, "refuse"),
		asm.Sub.Reg(asm.R4, asm.R3), // registered
		asm.LoadMem(asm.R5, ledger, ledgerLowest, asm.DWord),
		asm.JGE.Reg(asm.R4, asm.R5, "number"),
		asm.StoreMem(ledger, ledgerLowest, asm.R4, asm.DWord),

		atomically(asm.AddAtomic, ledger, count, ledgerInUse).WithSymbol("number"),
		asm.LoadMem(asm.R1, ledger, ledgerTaken, asm.DWord),
		asm.Mov.Reg(asm.R3, asm.R1),
		asm.Add.Imm(asm.R3, 1),
		asm.Add.Reg(asm.R1, count),
		asm.StoreMem(ledger, ledgerTaken, asm.R1, asm.DWord),
		asm.And.Imm(asm.R3, numberMask),
		asm.Add.Imm(offset, poolBytes),
		asm.Mul.Imm(offset, 1<<numberBits/poolBytes),
		asm.Or.Reg(asm.R3, offset),
		asm.StoreMem(ctx, at.stamp, asm.R3, asm.Word),
		asm.Mov.Imm(asm.R0, at.pass).WithSymbol("pass"),
		asm.Return(),

		asm.Mov.Reg(asm.R3, count).WithSymbol("refuse"),
		asm.Neg.Imm(asm.R3, 0),
		atomically(asm.AddAtomic, pool, asm.R3, poolInUse),
		atomically(asm.AddAtomic, pool, count, poolRefused),
		asm.LoadMem(asm.R1, ctx, skbData, asm.Word),
		asm.LoadMem(asm.R2, ctx, skbDataEnd, asm.Word),
		asm.Mov.Reg(asm.R3, asm.R1),
		asm.Add.Imm(asm.R3, 1),
		asm.JGT.Reg(asm.R3, asm.R2, "drop"),
		asm.LoadMem(asm.R1, asm.R1, 0, asm.Byte),
		asm.JSet.Imm(asm.R1, 1, "drop"),
		asm.LoadMem(asm.R1, ctx, skbIngress, asm.Word),
		asm.StoreMem(asm.RFP, -4, asm.R1, asm.Word),
		asm.LoadMapPtr(asm.R1, failures.m.FD()),
		asm.Mov.Reg(asm.R2, asm.RFP),
		asm.Add.Imm(asm.R2, -4),
		asm.FnMapLookupElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "drop"),
		atomically(asm.AddAtomic, asm.R0, count, 0),
		asm.Mov.Imm(asm.R0, actDrop).WithSymbol("drop"),
		asm.Return(),
	)
	return p
}

func next(pool int) string { return "above " + pools[pool].name }

// ledgerOf points at the ledger of the CPU in R0, for the pool at offset.
func ledgerOf(ledger, offset asm.Register, fd, cpus int) asm.Instructions {
	return asm.Instructions{
		asm.JGE.Imm(asm.R0, int32(cpus), "pass"),
		asm.Mul.Imm(asm.R0, ledgersOfCPU),
		asm.LoadMapValue(ledger, fd, ledgersAt),
		asm.Add.Reg(ledger, asm.R0),
		asm.Add.Reg(ledger, offset),
	}
}

// giver is the program at the adapter's own end, the driver: it gives buffers
// back and sees to it that enough are registered.
func giver(at place, m *memory, cpus int) asm.Instructions {
	const ctx, stamp, offset, ledger, pool = asm.R6, asm.R7, asm.R8, asm.R9, asm.R2
	fd := m.m.FD()
	p := append(at.begins(ctx),
		asm.LoadMem(stamp, ctx, skbTCIndex, asm.Word),
		asm.JEq.Imm(stamp, 0, "pass"),
		asm.Mov.Imm(asm.R1, 0),
		asm.StoreMem(ctx, at.stamp, asm.R1, asm.Word),
		asm.Mov.Reg(offset, stamp),
		asm.RSh.Imm(offset, numberBits),
		asm.Sub.Imm(offset, 1),
		asm.JGE.Imm(offset, PoolCount, "pass"),
		asm.Mul.Imm(offset, poolBytes),
		asm.LoadMem(asm.R0, ctx, skbCB, asm.Word),
		asm.Sub.Imm(asm.R0, cpuMark))
	p = append(p, ledgerOf(ledger, offset, fd, cpus)...)
	return append(p,
		asm.LoadMapValue(pool, fd, 0),
		asm.Add.Reg(pool, offset),

		// A frame that another has overtaken was counted as lost then.
		asm.LoadMem(asm.R3, ledger, ledgerStamp, asm.DWord),
		asm.Mov.Reg(asm.R5, stamp),
		asm.Sub.Reg(asm.R5, asm.R3),
		asm.And.Imm(asm.R5, numberMask),
		asm.JGT.Imm(asm.R5, maxFlight, "pass"),
		asm.Mov.Imm(asm.R4, 0),
		asm.JNE.Reg(asm.R3, stamp, "fresh"),
		asm.LoadMem(asm.R4, ledger, ledgerRepeats, asm.DWord),
		asm.Add.Imm(asm.R4, 1),
		asm.StoreMem(ledger, ledgerStamp, stamp, asm.DWord).WithSymbol("fresh"),
		asm.StoreMem(ledger, ledgerRepeats, asm.R4, asm.DWord),

		// What was taken after this frame is all that can be on its way.
		asm.LoadMem(asm.R5, ledger, ledgerTaken, asm.DWord),
		asm.Sub.Reg(asm.R5, stamp),
		asm.Sub.Reg(asm.R5, asm.R4),
		asm.And.Imm(asm.R5, numberMask),
		asm.JGT.Imm(asm.R5, maxFlight, "pass"),
		asm.Mov.Reg(asm.R1, asm.R5),
		atomically(asm.Xchg, ledger, asm.R1, ledgerInUse),
		asm.Sub.Reg(asm.R1, asm.R5), // given back: this one and those that were lost
		asm.Neg.Imm(asm.R1, 0),
		asm.Mov.Reg(asm.R3, asm.R1),
		atomically(asm.FetchAdd, pool, asm.R3, poolInUse),
		asm.Add.Reg(asm.R3, asm.R1), // in use now

		asm.LoadMem(asm.R1, pool, poolMin, asm.DWord),
		asm.Add.Reg(asm.R3, asm.R1),
		asm.LoadMem(asm.R4, pool, poolMax, asm.DWord),
		asm.JLE.Reg(asm.R3, asm.R4, "allocate"),
		asm.Mov.Reg(asm.R3, asm.R4),
		asm.LoadMem(asm.R1, pool, poolAllocated, asm.DWord).WithSymbol("allocate"),
		asm.JEq.Reg(asm.R1, asm.R3, "pass"),
		asm.StoreMem(pool, poolAllocated, asm.R3, asm.DWord),
		asm.LoadMem(asm.R1, ledger, ledgerHighest, asm.DWord),
		asm.JLE.Reg(asm.R3, asm.R1, "pass"),
		asm.StoreMem(ledger, ledgerHighest, asm.R3, asm.DWord),
		asm.Mov.Imm(asm.R0, at.pass).WithSymbol("pass"),
		asm.Return(),
	)
}

// atomically is an atomic instruction on a word of 8 bytes. The assembler leaves
// the operation out of the encoded instruction unless Constant has it too, and
// everything would be a plain add.
func atomically(op asm.AtomicOp, at, with asm.Register, offset int16) asm.Instruction {
	i := op.Mem(at, with, asm.DWord, offset)
	i.Constant = int64(op >> 8)
	return i
}
