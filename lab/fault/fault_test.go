package fault_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/await"
	"seaworthy/lab/effect"
	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
)

// world remembers what it was asked to do.
type world struct {
	mu     sync.Mutex
	now    effect.Faults
	calls  []string
	downs  int
	refuse error
}

func (w *world) Break(_ context.Context, f effect.Fault, value int64) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refuse != nil {
		return nil, w.refuse
	}
	if f.Kind == effect.Flap && value > w.now[f] {
		w.downs++
	}
	w.now[f] = value
	if value == 0 {
		delete(w.now, f)
	}
	return []string{"changed"}, nil
}

func (w *world) Halt(_ context.Context, n string) error {
	w.calls = append(w.calls, "halt "+n)
	return nil
}
func (w *world) Boot(_ context.Context, n string) error {
	w.calls = append(w.calls, "boot "+n)
	return nil
}

func set(t *testing.T) (*fault.Set, *world) {
	t.Helper()
	top, err := topology.Load(t.Context(), "dual-vios")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{now: effect.Faults{}}
	return fault.New(top, w), w
}

func TestBreakAndMend(t *testing.T) {
	s, w := set(t)
	for _, f := range []fault.Fault{
		{Kind: "crash", Target: "vios1a"}, {Kind: "port-down", Target: "vios1b:ent0"}, {Kind: "loss", Target: "vios1b:ent0", Value: "2.5%"},
		{Kind: "no-jumbo", Target: "sw1/2", Value: "1400"}, {Kind: "duplex", Target: "vios2a:ent0"},
		{Kind: "clock-jump", Target: "lpar1", Value: "-90s"}, {Kind: "control-channel", Target: "cec2"},
		{Kind: "loss", Target: "vios1b:ent0", Value: "3"}, {Kind: "full-buffers", Target: "lpar1:ent0", Value: "20M"},
		{Kind: "delay", Target: "sw1/1", Value: "1.5ms"}, {Kind: "delay", Target: "sw1/2"},
		{Kind: "moved", Target: "lpar2"},
	} {
		if _, err := s.Break(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	want := effect.Faults{
		{Kind: effect.Crash, At: [2]string{"vios1a"}}: 1, {Kind: effect.PortDown, At: [2]string{"vios1b", "ent0"}}: 1,
		{Kind: effect.ControlCut, At: [2]string{"cec2"}}: 1, {Kind: effect.NoJumbo, At: [2]string{"sw1/2"}}: 1400,
		{Kind: effect.Loss, At: [2]string{"vios1b", "ent0"}}: 30000, {Kind: effect.HalfDuplex, At: [2]string{"vios2a", "ent0"}}: 50000,
		{Kind: effect.ClockJump, At: [2]string{"lpar1"}}:           int64(-90 * time.Second),
		{Kind: effect.Moved, At: [2]string{"lpar2"}}:               1,
		{Kind: effect.FullBuffers, At: [2]string{"lpar1", "ent0"}}: 20e6,
		{Kind: effect.Delay, At: [2]string{"sw1/1"}}:               int64(1500 * time.Microsecond),
		{Kind: effect.Delay, At: [2]string{"sw1/2"}}:               int64(500 * time.Microsecond)}
	if diff := cmp.Diff(want, w.now); diff != "" {
		t.Errorf("broken (-want +got):\n%s", diff)
	}
	if n := len(s.List()); n != 11 {
		t.Errorf("got %d faults, want 11: %v", n, s.List())
	}
	mended, _, err := s.Mend(t.Context(), fault.Fault{Target: "vios1b"})
	if err != nil || len(mended) != 2 {
		t.Errorf("mend vios1b: got %v, %v, want its two faults", mended, err)
	}
	if _, _, err := s.Mend(t.Context(), fault.Fault{Kind: "flap"}); err == nil {
		t.Error("mend what is not broken: got success")
	}
	if _, _, err := s.Mend(t.Context(), fault.Fault{}); err != nil || len(s.List()) != 0 {
		t.Errorf("mend all: got %v, left %v", err, s.List())
	}
	if diff := cmp.Diff(effect.Faults{}, w.now); diff != "" {
		t.Errorf("after all was mended (-want +got):\n%s", diff)
	}
	if !slices.Equal(w.calls, []string{"halt vios1a", "boot vios1a"}) {
		t.Errorf("got %v, want a halt and a boot", w.calls)
	}
	if _, _, err := s.Mend(t.Context(), fault.Fault{}); err != nil {
		t.Errorf("mend all of nothing: %v", err)
	}
}

func TestFlap(t *testing.T) {
	s, w := set(t)
	if _, err := s.Break(t.Context(), fault.Fault{Kind: "flap", Target: "vios1a:ent0", Value: "100ms"}); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the link goes down three times", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.downs >= 3
	})
	if _, _, err := s.Mend(t.Context(), fault.Fault{Kind: "flap"}); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.now) != 0 {
		t.Errorf("the link is down after the flapping was mended")
	}
}

// A cable that is out stays out, whatever else is broken and mended at its port.
func TestFlapOfAPortWithoutCable(t *testing.T) {
	s, w := set(t)
	is := func(k effect.FaultKind) bool { return w.now.Of(k, "vios1a", "ent0") > 0 }
	out := fault.Fault{Kind: "port-down", Target: "vios1a:ent0"}
	flap := fault.Fault{Kind: "flap", Target: "vios1a:ent0", Value: "1h"}
	for _, f := range []fault.Fault{out, flap} {
		if _, err := s.Break(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Mend(t.Context(), flap); err != nil || !is(effect.PortDown) {
		t.Errorf("mend the flapping: got %v, cable out %v, want it still out", err, is(effect.PortDown))
	}
	if _, err := s.Break(t.Context(), flap); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Mend(t.Context(), out); err != nil || is(effect.PortDown) || !is(effect.Flap) {
		t.Errorf("put the cable in: got %v, broken %+v, want it flapping only", err, w.now)
	}
	if _, _, err := s.Mend(t.Context(), fault.Fault{}); err != nil || is(effect.Flap) {
		t.Errorf("mend all: got %v, broken %+v", err, w.now)
	}
}

func TestRefusals(t *testing.T) {
	s, w := set(t)
	for f, want := range map[fault.Fault]string{
		{Kind: "full-buffers", Target: "vios1a:ent0"}:             "expected one of lpar1:ent0",
		{Kind: "full-buffers", Target: "lpar1:ent0", Value: "9k"}: "expected bit/s",
		{Kind: "crash", Target: "nobody"}:                         "expected one of lpar1",
		{Kind: "sabotage", Target: "vios1a"}:                      "no such fault",
		{Kind: "port-down", Target: "lpar1:ent0"}:                 "expected one of vios1a:ent0",
		{Kind: "port-down", Target: "vios1a:ent0", Value: "1"}:    "takes no value",
		{Kind: "loss", Target: "vios1a:ent0", Value: "NaN"}:       "expected 0.0001 to 100",
		{Kind: "flap", Target: "vios1a:ent0", Value: "1ms"}:       "expected 100ms",
		{Kind: "no-jumbo", Target: "sw1/9"}:                       "expected one of sw1/1",
		{Kind: "no-jumbo", Target: "sw1/1", Value: "99999"}:       "576 to 9216",
		{Kind: "delay", Target: "vios1a:ent0"}:                    "expected one of sw1/1",
		{Kind: "delay", Target: "sw1/1", Value: "5"}:              "from 10us to 100ms",
		{Kind: "delay", Target: "sw1/1", Value: "1s"}:             "from 10us to 100ms",
		{Kind: "duplex", Target: "vios1a:ent0", Value: "0"}:       "0.0001 to 100",
		{Kind: "clock-jump", Target: "lpar1", Value: "later"}:     "expected one like 90s",
		{Kind: "clock-jump", Target: "lpar1", Value: "0s"}:        "expected one like 90s",
		{Kind: "control-channel", Target: "vios1a"}:               "expected one of cec1",
	} {
		if _, err := s.Break(t.Context(), f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", f, err, want)
		}
	}
	w.refuse = errors.New("the kernel says no")
	if _, err := s.Break(t.Context(), fault.Fault{Kind: "crash", Target: "vios1a"}); !errors.Is(err, w.refuse) || len(s.List()) != 0 ||
		len(w.calls) != 0 {
		t.Errorf("a refusal of the kernel: got %v, broken %v, calls %v", err, s.List(), w.calls)
	}
}
