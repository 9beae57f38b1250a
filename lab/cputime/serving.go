package cputime

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
)

// place is where a processor keeps something: pointers to follow from its
// current task, and what to add to where they lead, bytes.
type place struct {
	path []int16
	add  int32
}

// count is the preempt count: by it the kernel itself knows whether a softirq
// runs on a processor. Who reads it when it wants to know pays nothing for all
// the softirqs between.
type count struct {
	known bool // else this kernel does not tell where it is
	place
	// proof is where the current task must be found if place is right; nil: it
	// is a member of a task, and cannot be wrong.
	proof *place
}

// servingSoftIRQ is the bit of the count that is set from a softirq's begin to
// its end (linux/preempt.h). Code that only wants no softirq counts from the
// next bit on.
const servingSoftIRQ = 1 << 8

// readCount finds the preempt count by the kernel's description of itself. It
// is of no use to a real-time kernel, where a process can interrupt a softirq.
func readCount(spec *btf.Spec) count {
	var task *btf.Struct
	if spec.TypeByName("task_struct", &task) != nil {
		return count{}
	}
	if _, realtime := member(task, "softirq_disable_cnt"); realtime {
		return count{}
	}
	if at, ok := member(task, "thread_info", "preempt_count"); ok { // most processors
		return count{known: true, place: place{add: at}}
	}
	// amd64 has a variable on each processor. Not every kernel gives programs the
	// addresses of such variables, but all say how far they are from each other;
	// and a task knows its processor's run queue.
	var queue *btf.Struct
	if spec.TypeByName("cfs_rq", &queue) != nil {
		return count{}
	}
	fair, ok := member(task, "se", "cfs_rq")
	run, ok2 := member(queue, "rq")
	if !ok || !ok2 {
		return count{}
	}
	of := variables(spec)
	begin, ok := of["runqueues"]
	n, ok2 := of["__preempt_count"]
	current, ok3 := of["current_task"]
	if !ok || !ok2 || !ok3 {
		return count{}
	}
	path := []int16{int16(fair), int16(run)}
	return count{known: true, place: place{path, n - begin}, proof: &place{path, current - begin}}
}

// variables are where those of each processor are, among themselves. Linux 6.1
// to 6.14 keeps some in a struct, whose members count like variables.
func variables(spec *btf.Spec) map[string]int32 {
	at := map[string]int32{}
	var all *btf.Datasec
	if spec.TypeByName(".data..percpu", &all) != nil {
		return at
	}
	for _, v := range all.Vars {
		at[v.Type.TypeName()] = int32(v.Offset)
		x, ok := v.Type.(*btf.Var)
		if !ok || x.Name != "pcpu_hot" {
			continue
		}
		if s, ok := btf.UnderlyingType(x.Type).(*btf.Struct); ok {
			for name, as := range map[string]string{"preempt_count": "__preempt_count", "current_task": "current_task"} {
				if m, ok := member(s, name); ok {
					at[as] = int32(v.Offset) + m
				}
			}
		}
	}
	return at
}

// member is where a struct has one, in bytes.
func member(s *btf.Struct, path ...string) (int32, bool) {
	bits, ok := find(s.Members, path)
	return int32(bits / 8), ok && bits%8 == 0 && bits/8 < 1<<15
}

// fetch copies bytes of a place to the stack.
func (p place) fetch(bytes int32) asm.Instructions {
	code := asm.Instructions{asm.FnGetCurrentTaskBtf.Call(), asm.Mov.Reg(asm.R3, asm.R0)}
	for _, at := range p.path {
		code = append(code, load(asm.R3, asm.R3, at, asm.DWord))
	}
	return join(append(code, asm.Add.Imm(asm.R3, p.add)), fetch(bytes))
}

// serving, which is called at, leaves in R1 whether a softirq runs: not 0 if one
// does. R7 is the address of the processor's state.
func (c count) serving(at string) asm.Instructions {
	p := asm.Instructions{load(asm.R1, asm.R7, stateServing, asm.DWord)}
	if c.known {
		p = append(c.fetch(4), load(asm.R1, asm.RFP, -16, asm.Word), asm.And.Imm(asm.R1, servingSoftIRQ))
	}
	p[0] = p[0].WithSymbol(at)
	return p
}

// prove tries the way to the count: another variable that is found by it must
// have the value that it must have.
func (c count) prove() error {
	if c.proof == nil {
		return nil
	}
	const right = 1
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{Name: "prove", Type: ebpf.RawTracepoint, License: "Dual BSD/GPL",
		Instructions: join(c.proof.fetch(8), asm.Instructions{
			asm.FnGetCurrentTask.Call(),
			asm.Mov.Reg(asm.R6, asm.R0),
			load(asm.R1, asm.RFP, -16, asm.DWord),
			asm.Mov.Imm(asm.R0, 0),
			asm.JNE.Reg(asm.R1, asm.R6, "end"),
			asm.Mov.Imm(asm.R0, right),
			asm.Return().WithSymbol("end"),
		})})
	if err != nil {
		return fmt.Errorf("program prove: %w", err)
	}
	defer p.Close()
	got, err := p.Run(nil)
	if err != nil {
		return fmt.Errorf("program prove: %w", err)
	}
	if got != right {
		return errors.New("variables of processors are not where this kernel says they are")
	}
	return nil
}
