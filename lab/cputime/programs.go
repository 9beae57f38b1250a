package cputime

import (
	"runtime"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
)

// Kind of work.
type Kind uint32

const (
	User    Kind = iota // a process, in its own code
	System              // a process, in the kernel
	SoftIRQ             // the kernel, on behalf of a device
	Idle
)

// key and the value, in ns, are the record of the map "used".
type key struct {
	Namespace uint32
	Kind      Kind
}

// Fields of a processor's state, the one value of the map "state".
const (
	stateSoftIRQ = 0  // u64: not 0 within a softirq
	stateSpace   = 8  // u64: the namespace it was last seen at work in; 0: none yet
	stateLast    = 16 // u64: when the last look was, ns since boot
	stateSize    = 24
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

// mark notes the namespace of the device that a tracepoint names: by its
// argument number arg, itself (via < 0) or by the field at via.
func mark(o offsets, state int, arg, via int16) asm.Instructions {
	dev := asm.Instructions{load(asm.R6, context, 8*arg, asm.DWord)}
	if via >= 0 {
		dev = append(dev, load(asm.R6, asm.R6, via, asm.DWord))
	}
	return join(dev, asm.Instructions{
		load(asm.R6, asm.R6, o.devNet, asm.DWord),
		load(asm.R6, asm.R6, o.netInum, asm.Word),
	}, own(state), asm.Instructions{
		asm.StoreMem(asm.R0, stateSpace, asm.R6, asm.DWord),
	}, ending())
}

// enter and leave frame a softirq.
func enter(state int) asm.Instructions {
	return join(own(state), asm.Instructions{
		asm.Mov.Imm(asm.R1, 0),
		asm.StoreMem(asm.R0, stateSpace, asm.R1, asm.DWord),
		asm.Mov.Imm(asm.R1, 1),
		asm.StoreMem(asm.R0, stateSoftIRQ, asm.R1, asm.DWord),
	}, ending())
}

func leave(state int) asm.Instructions {
	return join(own(state), asm.Instructions{
		asm.Mov.Imm(asm.R1, 0),
		asm.StoreMem(asm.R0, stateSoftIRQ, asm.R1, asm.DWord),
	}, ending())
}

// look is the timer's program: it adds the time since the last look to whom
// it belongs.
func look(o offsets, state, used int) asm.Instructions {
	return join(
		asm.Instructions{asm.Mov.Reg(asm.R6, context)},
		own(state),
		asm.Instructions{
			asm.Mov.Reg(asm.R7, asm.R0),
			asm.FnKtimeGetNs.Call(),
			load(asm.R8, asm.R7, stateLast, asm.DWord),
			asm.StoreMem(asm.R7, stateLast, asm.R0, asm.DWord),
			asm.JEq.Imm(asm.R8, 0, "end"), // the first look
			asm.Mov.Reg(asm.R9, asm.R0),
			asm.Sub.Reg(asm.R9, asm.R8), // R9: the time since
			asm.JLE.Imm(asm.R9, longest, "who"),
			asm.Mov.Imm(asm.R9, longest),
			load(asm.R1, asm.R7, stateSoftIRQ, asm.DWord).WithSymbol("who"),
			asm.JEq.Imm(asm.R1, 0, "task"),
			load(asm.R8, asm.R7, stateSpace, asm.DWord),
			asm.Mov.Imm(asm.R1, int32(SoftIRQ)),
			asm.Ja.Label("add"),

			asm.FnGetCurrentTaskBtf.Call().WithSymbol("task"),
			load(asm.R1, asm.R0, o.taskPID, asm.Word),
			asm.Mov.Imm(asm.R8, 0),
			asm.JNE.Imm(asm.R1, 0, "busy"),
			asm.Mov.Imm(asm.R1, int32(Idle)),
			asm.Ja.Label("add"),
			load(asm.R1, asm.R0, o.taskProxy, asm.DWord).WithSymbol("busy"),
			asm.JEq.Imm(asm.R1, 0, "mode"), // it is ending
			load(asm.R1, asm.R1, o.proxyNet, asm.DWord),
			load(asm.R8, asm.R1, o.netInum, asm.Word),
			asm.Mov.Imm(asm.R1, int32(System)).WithSymbol("mode"),
		},
		inUserMode("own-code"), asm.Instructions{
			asm.Ja.Label("add"),
			asm.Mov.Imm(asm.R1, int32(User)).WithSymbol("own-code"),

			asm.StoreMem(asm.RFP, -8, asm.R8, asm.Word).WithSymbol("add"),
			asm.StoreMem(asm.RFP, -4, asm.R1, asm.Word),
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

// inUserMode goes to a label if the registers behind R6 are those of a
// program, by the processor's own state word (struct pt_regs of each).
func inUserMode(to string) asm.Instructions {
	switch runtime.GOARCH {
	case "amd64": // the privilege level in cs
		return asm.Instructions{load(asm.R2, asm.R6, 17*8, asm.DWord), asm.And.Imm(asm.R2, 3), asm.JEq.Imm(asm.R2, 3, to)}
	case "arm64": // the exception level in pstate
		return asm.Instructions{load(asm.R2, asm.R6, 33*8, asm.DWord), asm.And.Imm(asm.R2, 0xf), asm.JEq.Imm(asm.R2, 0, to)}
	case "ppc64le": // the problem state bit in msr
		return asm.Instructions{load(asm.R2, asm.R6, 33*8, asm.DWord), asm.And.Imm(asm.R2, 1<<14), asm.JNE.Imm(asm.R2, 0, to)}
	}
	return nil // not told apart: all of it counts as System
}

// tracepoints are the programs by the tracepoint that runs them.
func tracepoints(o offsets, state int) map[string]asm.Instructions {
	return map[string]asm.Instructions{
		"netif_receive_skb":  mark(o, state, 0, o.skbDev),
		"net_dev_start_xmit": mark(o, state, 1, -1),
		"softirq_entry":      enter(state),
		"softirq_exit":       leave(state),
	}
}

func tracing(name string, code asm.Instructions) *ebpf.ProgramSpec {
	return &ebpf.ProgramSpec{Name: name, Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp, AttachTo: name,
		Instructions: code, License: "Dual BSD/GPL"}
}
