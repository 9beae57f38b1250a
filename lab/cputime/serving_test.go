package cputime

import (
	"testing"

	"github.com/cilium/ebpf/btf"
	"github.com/google/go-cmp/cmp"
)

// Kernels describe their preempt count in several ways, and some in none that
// can be used.
func TestReadCount(t *testing.T) {
	word, pointer := &btf.Int{Name: "int", Size: 4, Encoding: btf.Signed}, &btf.Pointer{Target: &btf.Void{}}
	run := &btf.Struct{Name: "rq", Size: 64}
	queue := &btf.Struct{Name: "cfs_rq", Size: 64, Members: []btf.Member{{Name: "rq", Type: &btf.Pointer{Target: run}, Offset: 40 * 8}}}
	entity := &btf.Struct{Name: "sched_entity", Size: 128, Members: []btf.Member{{Name: "cfs_rq", Type: &btf.Pointer{Target: queue}, Offset: 16 * 8}}}
	task := func(info *btf.Struct, more ...btf.Member) *btf.Struct {
		return &btf.Struct{Name: "task_struct", Size: 512, Members: append(more,
			btf.Member{Name: "thread_info", Type: info}, btf.Member{Name: "se", Type: entity, Offset: 128 * 8})}
	}
	flags := &btf.Struct{Name: "thread_info", Size: 16, Members: []btf.Member{{Name: "flags", Type: word}}}
	counting := &btf.Struct{Name: "thread_info", Size: 16, Members: []btf.Member{{Name: "flags", Type: word},
		{Type: &btf.Union{Size: 8, Members: []btf.Member{{Name: "preempt_count", Type: &btf.Int{Name: "u64", Size: 8}}}}, Offset: 64}}}
	hot := &btf.Struct{Name: "pcpu_hot", Size: 64, Members: []btf.Member{
		{Type: &btf.Union{Size: 64, Members: []btf.Member{{Type: &btf.Struct{Size: 16, Members: []btf.Member{
			{Name: "current_task", Type: pointer}, {Name: "preempt_count", Type: word, Offset: 64}}}}}}}}}
	variable := func(name string, typ btf.Type, at uint32) btf.VarSecinfo {
		return btf.VarSecinfo{Type: &btf.Var{Name: name, Type: typ, Linkage: btf.GlobalVar}, Offset: at, Size: 8}
	}
	section := func(vars ...btf.VarSecinfo) *btf.Datasec {
		return &btf.Datasec{Name: ".data..percpu", Size: 4096, Vars: vars}
	}
	path := []int16{128 + 16, 40}
	for _, tt := range []struct {
		name  string
		types []btf.Type
		want  count
	}{
		{"variables", []btf.Type{task(flags), section(variable("current_task", pointer, 64), variable("__preempt_count", word, 80), variable("runqueues", run, 1024))},
			count{known: true, place: place{path, 80 - 1024}, proof: &place{path, 64 - 1024}}},
		{"variables in a struct", []btf.Type{task(flags), section(variable("runqueues", run, 1024), variable("pcpu_hot", hot, 2048))},
			count{known: true, place: place{path, 2048 + 8 - 1024}, proof: &place{path, 2048 - 1024}}},
		{"in the task", []btf.Type{task(counting), queue}, count{known: true, place: place{add: 8}}},
		{"a real-time kernel", []btf.Type{task(counting, btf.Member{Name: "softirq_disable_cnt", Type: word, Offset: 400 * 8}), queue}, count{}},
		{"nowhere", []btf.Type{task(flags), section(variable("runqueues", run, 1024), variable("current_task", pointer, 64))}, count{}},
		{"without what proves it", []btf.Type{task(flags), section(variable("runqueues", run, 1024), variable("__preempt_count", word, 80))}, count{}},
		{"no variables", []btf.Type{task(flags), queue}, count{}},
		{"no tasks", []btf.Type{queue}, count{}},
	} {
		b, err := btf.NewBuilder(tt.types, nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		spec, err := b.Spec()
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if d := cmp.Diff(tt.want, readCount(spec), cmp.AllowUnexported(count{}, place{})); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, d)
		}
	}
}

// A way that leads elsewhere is found out before anything is counted by it.
func TestProve(t *testing.T) {
	start(t).Close() // or skip
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		t.Fatal(err)
	}
	c := readCount(spec)
	if c.proof == nil {
		t.Skip("this kernel keeps the preempt count elsewhere than in variables of processors")
	}
	if err := c.prove(); err != nil {
		t.Errorf("the place that this kernel describes: %v", err)
	}
	c.proof = &place{c.proof.path, c.proof.add + 8}
	if err := c.prove(); err == nil {
		t.Error("8 bytes beside it: got no error")
	}
}
