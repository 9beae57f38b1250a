package cputime

import (
	"maps"
	"runtime"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
)

// Kind of work.
type Kind uint32

const (
	User    Kind = iota // a process, in its own code
	System              // a process, in the kernel
	SoftIRQ             // the kernel, on behalf of a device: what is Seen, and the share of what is Unseen
	Idle
	Seen   // a softirq, while it is noted whose it is
	Unseen // a softirq, while it is not
)

// key and the value, in ns, are the record of the map "used".
type key struct {
	Namespace uint32
	Kind      Kind
}

// Fields of a processor's state, the one value of the map "state".
const (
	stateServing = 0  // u64: a softirq runs, for where only tracepoints tell it
	stateDevice  = 8  // u64: address of the device it was last seen at work for; 0: none yet
	stateLast    = 16 // u64: when the last look was, ns since boot
	stateSpent   = 24 // u64: how long softirqs ran, ns
	stateSize    = 32
)

// longest is how much time a look can be worth, in ns. A machine that is itself
// a guest is sometimes not run at all; what is missing then was used by nobody.
const longest = 4 * period

// maxSpaces bounds how many namespaces of the machine are told apart.
const maxSpaces = 4096

// context is where a program finds its arguments when it begins.
const context = asm.R1

// load puts what stands at an offset into a register.
func load(dst, src asm.Register, at int16, size asm.Size) asm.Instruction {
	return asm.LoadMem(dst, src, at, size)
}

// own leaves the address of this processor's state in R0, or ends.
func own(state int) asm.Instructions {
	return asm.Instructions{
		asm.StoreImm(asm.RFP, -4, 0, asm.Word),
		asm.LoadMapPtr(asm.R1, state),
		asm.Mov.Reg(asm.R2, asm.RFP),
		asm.Add.Imm(asm.R2, -4),
		asm.FnMapLookupElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "end"),
	}
}

func ending() asm.Instructions {
	return asm.Instructions{asm.Mov.Imm(asm.R0, 0).WithSymbol("end"), asm.Return()}
}

func join(parts ...asm.Instructions) asm.Instructions {
	var all asm.Instructions
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// mark notes the device that a tracepoint's argument arg has at a place. It
// runs for every frame on every hop: who owns the device is found out when
// somebody looks.
func mark(state int, arg, at int16) asm.Instructions {
	return join(asm.Instructions{
		load(asm.R6, context, 8*arg, asm.DWord),
		load(asm.R6, asm.R6, at, asm.DWord),
	}, own(state), asm.Instructions{
		asm.StoreMem(asm.R0, stateDevice, asm.R6, asm.DWord),
	}, ending())
}

// set is a program that gives fields of the state their values.
func set(state int, values map[int16]int32) asm.Instructions {
	p := own(state)
	for _, at := range slices.Sorted(maps.Keys(values)) {
		p = append(p, asm.Mov.Imm(asm.R1, values[at]), asm.StoreMem(asm.R0, at, asm.R1, asm.DWord))
	}
	return join(p, ending())
}

// program is one for a tracepoint, of that name.
type program struct {
	at   string
	code asm.Instructions
}

// programs are those for tracepoints: which always run, and which in windows, in
// which whose a softirq is is noted. Where one begins or ends, none is at work for
// a device: these come before those that name one.
func programs(o offsets, c count, state int) (always, windows []program) {
	bounds := []program{
		{"softirq_entry", set(state, map[int16]int32{stateDevice: 0, stateServing: 1})},
		{"softirq_exit", set(state, map[int16]int32{stateDevice: 0, stateServing: 0})},
	}
	windows = []program{
		{"netif_receive_skb", mark(state, 0, o.skbDev)},
		{"qdisc_dequeue", mark(state, 1, o.queueDev)},
	}
	if c.known {
		return nil, append(bounds, windows...)
	}
	return bounds, windows
}

// look is the timer's program: it adds the time since the last look to whom it
// belongs. The value of noting is since when the marks are made, 0 if they are
// not: then the device of a softirq that is long over is forgotten.
func look(o offsets, c count, state, used, noting int) asm.Instructions {
	return join(
		asm.Instructions{asm.Mov.Reg(asm.R6, context)},
		own(state),
		asm.Instructions{
			asm.Mov.Reg(asm.R7, asm.R0),
			asm.FnKtimeGetNs.Call(),
			load(asm.R8, asm.R7, stateLast, asm.DWord),
			asm.StoreMem(asm.R7, stateLast, asm.R0, asm.DWord),
			asm.Mov.Reg(asm.R9, asm.R0),
			asm.Sub.Reg(asm.R9, asm.R8), // R9: the time since
			asm.StoreImm(asm.RFP, -4, int64(Seen), asm.Word),
			asm.LoadMapValue(asm.R1, noting, 0),
			load(asm.R1, asm.R1, 0, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, "unseen"),
			asm.JLE.Reg(asm.R1, asm.R0, "since"),
			asm.StoreImm(asm.RFP, -4, int64(Unseen), asm.Word).WithSymbol("unseen"),
			asm.Mov.Imm(asm.R1, 0),
			asm.StoreMem(asm.R7, stateDevice, asm.R1, asm.DWord),

			asm.JEq.Imm(asm.R8, 0, "end").WithSymbol("since"), // the first look
			asm.Mov.Imm(asm.R8, 0),                            // R8: the namespace
			asm.JLE.Imm(asm.R9, longest, "who"),
			asm.Mov.Imm(asm.R9, longest),
		},
		c.serving("who"), asm.Instructions{
			asm.JEq.Imm(asm.R1, 0, "task"),
			load(asm.R1, asm.R7, stateSpent, asm.DWord),
			asm.Add.Reg(asm.R1, asm.R9),
			asm.StoreMem(asm.R7, stateSpent, asm.R1, asm.DWord),
			load(asm.R3, asm.R7, stateDevice, asm.DWord),
			asm.JEq.Imm(asm.R3, 0, "add"),
			asm.Add.Imm(asm.R3, int32(o.devNet)),
		},
		fetch(8), asm.Instructions{
			load(asm.R3, asm.RFP, -16, asm.DWord),
			asm.Add.Imm(asm.R3, int32(o.netInum)),
		},
		fetch(4), asm.Instructions{
			load(asm.R8, asm.RFP, -16, asm.Word),
			asm.Ja.Label("add"),

			asm.FnGetCurrentTaskBtf.Call().WithSymbol("task"),
			load(asm.R1, asm.R0, o.taskPID, asm.Word),
			asm.StoreImm(asm.RFP, -4, int64(Idle), asm.Word),
			asm.JEq.Imm(asm.R1, 0, "add"),
			asm.StoreImm(asm.RFP, -4, int64(System), asm.Word),
			load(asm.R1, asm.R0, o.taskProxy, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, "mode"), // it is ending
			load(asm.R1, asm.R1, o.proxyNet, asm.DWord),
			load(asm.R8, asm.R1, o.netInum, asm.Word),
		},
		inUserMode("mode", "own-code", "add"), asm.Instructions{
			asm.StoreImm(asm.RFP, -4, int64(User), asm.Word).WithSymbol("own-code"),

			asm.StoreMem(asm.RFP, -8, asm.R8, asm.Word).WithSymbol("add"),
			asm.LoadMapPtr(asm.R1, used),
			asm.Mov.Reg(asm.R2, asm.RFP),
			asm.Add.Imm(asm.R2, -8),
			asm.FnMapLookupElem.Call(),
			asm.JEq.Imm(asm.R0, 0, "first"),
			load(asm.R1, asm.R0, 0, asm.DWord),
			asm.Add.Reg(asm.R1, asm.R9),
			asm.StoreMem(asm.R0, 0, asm.R1, asm.DWord),
			asm.Ja.Label("end"),
			asm.StoreMem(asm.RFP, -16, asm.R9, asm.DWord).WithSymbol("first"),
			asm.LoadMapPtr(asm.R1, used),
			asm.Mov.Reg(asm.R2, asm.RFP),
			asm.Add.Imm(asm.R2, -8),
			asm.Mov.Reg(asm.R3, asm.RFP),
			asm.Add.Imm(asm.R3, -16),
			asm.Mov.Imm(asm.R4, 0),
			asm.FnMapUpdateElem.Call(),
		}, ending())
}

// fetch copies bytes from the kernel's address in R3 to the stack, or zeros if
// there is nothing: a device may be gone.
func fetch(bytes int32) asm.Instructions {
	return asm.Instructions{
		asm.Mov.Reg(asm.R1, asm.RFP),
		asm.Add.Imm(asm.R1, -16),
		asm.Mov.Imm(asm.R2, bytes),
		asm.FnProbeReadKernel.Call(),
	}
}

// inUserMode, which is called at, goes to a label if the registers behind R6
// are those of a program, by the processor's own state word (struct pt_regs of
// each), else to another.
func inUserMode(at, to, other string) asm.Instructions {
	var p asm.Instructions
	switch runtime.GOARCH {
	case "amd64": // the privilege level in cs
		p = asm.Instructions{load(asm.R2, asm.R6, 17*8, asm.DWord), asm.And.Imm(asm.R2, 3), asm.JEq.Imm(asm.R2, 3, to)}
	case "arm64": // the exception level in pstate
		p = asm.Instructions{load(asm.R2, asm.R6, 33*8, asm.DWord), asm.And.Imm(asm.R2, 0xf), asm.JEq.Imm(asm.R2, 0, to)}
	case "ppc64le": // the problem state bit in msr
		p = asm.Instructions{load(asm.R2, asm.R6, 33*8, asm.DWord), asm.And.Imm(asm.R2, 1<<14), asm.JNE.Imm(asm.R2, 0, to)}
	}
	// Elsewhere they are not told apart: all of it counts as System.
	p = append(p, asm.Ja.Label(other))
	p[0] = p[0].WithSymbol(at)
	return p
}

func (p program) spec() *ebpf.ProgramSpec {
	return &ebpf.ProgramSpec{Name: p.at, Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp, AttachTo: p.at,
		Instructions: p.code, License: "Dual BSD/GPL"}
}
