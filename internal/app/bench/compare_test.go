package bench_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/app/bench"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/measure"
	"seaworthy/internal/test/transcripts"
)

// path is a bench over running hosts, and what says which values are on.
func path(t *testing.T) (b *bench.Bench, turns *execute.Turns, largeSend func() string) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	c, err := access.Open(t.Context(), []string{"lpar1", "vios1", "lpar2", "vios2"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	b = &bench.Bench{Connection: c}
	turns, err = b.Turns(access, "bench", nil)
	if err != nil {
		t.Fatal(err)
	}
	return b, turns, func() string {
		t.Helper()
		r, err := c.Read(t.Context(), collect.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return *r.Fleet.Host("lpar1").Elements["en0"].Attrs["mtu_bypass"].NextBoot
	}
}

func states(t *testing.T, b *bench.Bench) []bench.State {
	t.Helper()
	p, err := b.Plan(t.Context(), []string{"lpar1:en0:mtu_bypass=on"})
	if err != nil {
		t.Fatal(err)
	}
	return []bench.State{{Name: "before"}, {Name: "after", Plan: p}}
}

func TestCompareMeasuresBothStates(t *testing.T) {
	b, turns, largeSend := path(t)
	var seen []string
	method := func(ctx context.Context, _ measure.Experiment, variants ...measure.Variant) (*measure.Result, error) {
		for _, v := range []measure.Variant{variants[1], variants[0], variants[1]} {
			err := v.Apply(ctx)
			if err != nil {
				return nil, err
			}
			seen = append(seen, v.Name+" "+largeSend())
		}
		return nil, nil
	}
	_, err := bench.Compare(t.Context(), measure.Experiment{}, method, turns, states(t, b)...)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"after on", "before off", "after on"}
	if !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
	if got := largeSend(); got != "off" {
		t.Errorf("afterwards: got mtu_bypass=%s, want off as it was found", got)
	}
}

// What was put on comes off whatever ends the measurement.
func TestCompareAlwaysRestores(t *testing.T) {
	broken := errors.New("the measurement broke off")
	for name, end := range map[string]func(interrupt func()) error{
		"an error": func(func()) error { return broken },
		"Ctrl-C": func(interrupt func()) error {
			interrupt()
			return context.Canceled
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, turns, largeSend := path(t)
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			method := func(ctx context.Context, _ measure.Experiment, variants ...measure.Variant) (*measure.Result, error) {
				err := variants[1].Apply(ctx)
				if err != nil {
					return nil, err
				}
				if got := largeSend(); got != "on" {
					t.Errorf("while it is measured: got mtu_bypass=%s, want on", got)
				}
				return nil, end(interrupt)
			}
			_, err := bench.Compare(ctx, measure.Experiment{}, method, turns, states(t, b)...)
			if !errors.Is(err, broken) && !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want what ended the measurement", err)
			}
			if got := largeSend(); got != "off" {
				t.Errorf("afterwards: got mtu_bypass=%s, want off as it was found", got)
			}
			for _, run := range turns.Runs() {
				if run.Outcome != execute.RolledBack {
					t.Errorf("run %s: got %s, want that it was rolled back", run.ID, run.Outcome)
				}
			}
		})
	}
}

// What could not be put back is said, beside what ended the measurement.
func TestCompareSaysWhatWasNotRestored(t *testing.T) {
	turns := &stuck{}
	method := func(context.Context, measure.Experiment, ...measure.Variant) (*measure.Result, error) {
		return nil, errors.New("the measurement broke off")
	}
	_, err := bench.Compare(t.Context(), measure.Experiment{}, method, turns, bench.State{Name: "before"}, bench.State{Name: "after"})
	if err == nil || !strings.Contains(err.Error(), "broke off") || !strings.Contains(err.Error(), "lpar1 is down") {
		t.Errorf("got %v, want both errors", err)
	}
}

type stuck struct{}

func (*stuck) Put(context.Context, *plan.Plan) error { return nil }

func (*stuck) Restore(context.Context) error { return errors.New("lpar1 is down") }

func TestPlanOfWhatIsMeasured(t *testing.T) {
	b, _, _ := path(t)
	_, err := b.Plan(t.Context(), []string{"lpar1:en0:mtu_bypass=off"})
	if !errors.Is(err, bench.ErrNothingToSet) {
		t.Errorf("a value that is set already: got %v, want %v", err, bench.ErrNothingToSet)
	}
	_, err = b.Plan(t.Context(), []string{"lpar9:en0:mtu_bypass=on"})
	if err == nil || !strings.Contains(err.Error(), "not measured") {
		t.Errorf("a host that is not measured: got %v", err)
	}
	err = b.Check(&plan.Plan{ID: "p", Hosts: []string{"lpar9"}})
	if err == nil || !strings.Contains(err.Error(), "lpar9") {
		t.Errorf("a plan of such a host: got %v", err)
	}
}
