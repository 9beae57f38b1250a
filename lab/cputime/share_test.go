package cputime

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/measure/probe/meter"
	"seaworthy/lab/topology"
)

func stat(at time.Time, user, system, soft uint64) *meter.ProcStat {
	return &meter.ProcStat{At: at, User: user, System: system, SoftIRQ: soft, CPUs: 2}
}

func TestBetween(t *testing.T) {
	begin := time.Unix(100, 0)
	end := begin.Add(2 * time.Second)
	lpar := Owner{Name: "lpar1", Role: topology.LPAR, Entitled: 0.5}
	hyp := Owner{Name: "hyp:cec1", Role: Hypervisor}
	for _, tt := range []struct {
		name          string
		before, after Reading
		want          Shares
	}{
		{
			name: "sampled",
			before: Reading{At: begin, Machine: stat(begin, 0, 0, 0), Lines: []Line{
				{lpar, Spent{User: time.Second, System: time.Second, SoftIRQ: new(time.Second)}}, {hyp, Spent{SoftIRQ: new(time.Duration(0))}}}},
			after: Reading{At: end, Machine: stat(end, 20, 60, 40), Lines: []Line{
				{lpar, Spent{User: 1200 * time.Millisecond, System: 1600 * time.Millisecond, SoftIRQ: new(1100 * time.Millisecond)}},
				{hyp, Spent{SoftIRQ: new(300 * time.Millisecond)}}}},
			want: Shares{Seconds: 2, Sum: 0.6, Machine: 0.6, CPUs: 2, Shares: []Share{
				{Owner: lpar, Cores: 0.45, User: new(0.1), System: new(0.3), SoftIRQ: new(0.05), Entitlement: new(90.0)},
				{Owner: hyp, Cores: 0.15, User: new(0.0), System: new(0.0), SoftIRQ: new(0.15)}}},
		},
		{
			name:   "processes only: the rest is not attributed, and nobody's softirq is known",
			before: Reading{At: begin, Machine: stat(begin, 0, 0, 0), Lines: []Line{{lpar, Spent{}}}},
			after: Reading{At: end, Machine: stat(end, 100, 60, 40), Processes: "not root",
				Lines: []Line{{lpar, Spent{User: time.Second}}}},
			want: Shares{Seconds: 2, Sum: 1, Machine: 1, CPUs: 2, Processes: "not root", Shares: []Share{
				{Owner: lpar, Cores: 0.5, User: new(0.5), System: new(0.0), Entitlement: new(100.0)},
				{Owner: unattributed, Cores: 0.5}}},
		},
		{
			name:   "time that went away with a process, and a node that was not there before",
			before: Reading{At: begin, Machine: stat(begin, 0, 0, 0), Lines: []Line{{hyp, Spent{User: time.Second}}}},
			after: Reading{At: end, Machine: stat(end, 0, 0, 0), Lines: []Line{
				{hyp, Spent{}}, {lpar, Spent{User: time.Second}}}},
			want: Shares{Seconds: 2, CPUs: 2, Shares: []Share{{Owner: hyp, User: new(0.0), System: new(0.0)}}},
		},
	} {
		got, err := Between(&tt.before, &tt.after)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if d := cmp.Diff(&tt.want, got, cmpopts.IgnoreUnexported(Owner{}), cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, d)
		}
	}
	same := &Reading{At: begin, Machine: stat(begin, 0, 0, 0)}
	if got, err := Between(same, same); err == nil {
		t.Errorf("no time between: got %+v, want an error", got)
	}
}

func TestTake(t *testing.T) {
	used := map[key]time.Duration{{7, User}: 1, {7, SoftIRQ}: 2, {7, Idle}: 9, {8, System}: 4}
	if got := removeSpent(used, 7); got.User != 1 || got.System != 0 || *got.SoftIRQ != 2 {
		t.Errorf("got %+v, want user 1 and softirq 2", got)
	}
	if len(used) != 1 {
		t.Errorf("got %v left, want the other namespace's", used)
	}
}
