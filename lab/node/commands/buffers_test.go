package commands_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/lab/buffers"
	"seaworthy/lab/effect"
	"seaworthy/lab/wire"
)

// meter remembers what is wanted, and gives what it was set to.
type meter struct {
	wanted []buffers.Wanted
	counts buffers.Counts
	refuse error
}

func (m *meter) Follow(w []buffers.Wanted) error { m.wanted = w; return m.refuse }
func (m *meter) Read(string, string) (buffers.Counts, error) {
	return m.counts, nil
}

func (m *meter) of(t *testing.T, node, adapter string) buffers.Wanted {
	t.Helper()
	i := slices.IndexFunc(m.wanted, func(w buffers.Wanted) bool { return w.Node == node && w.Adapter == adapter })
	if i < 0 {
		t.Fatalf("%s %s: no receive buffers wanted: %+v", node, adapter, m.wanted)
	}
	return m.wanted[i]
}

func buffered(t *testing.T) (*lab, *meter) {
	l, m := newLab(t, "two-systems"), &meter{}
	l.Simulator.Buffers = m
	l.Simulator.Far = func(e wire.End) (wire.End, bool) {
		return wire.End{Namespace: "hyp:cec1", Device: e.Namespace + "." + strings.Replace(e.Device, "en", "ent", 1)}, true
	}
	if err := l.Simulator.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l, m
}

// entstat -d prints every count at its place.
func TestEntstatBuffers(t *testing.T) {
	l, m := buffered(t)
	m.counts.ReceiverFailures = 126
	for i := range m.counts.Pools {
		n := uint64(i + 1)
		m.counts.Pools[i] = buffers.Pool{Allocated: 100 * n, Registered: 10 * n, MaxAllocated: 200 * n, LowestRegistered: n, Refused: n}
	}
	got := l.must("lpar1", "entstat -d ent0")
	for _, want := range []string{`
                                              No Resource Errors: 15
`, `
Hypervisor Send Failures: `, `
  Receiver Failures: 126
  Send Errors: `, `
Hypervisor Receive Failures: 15
`, `
    Min Buffers              2048     2048      256       64       64
    Max Buffers              2048     2048      256       64       64
    Allocated                 100      200      300      400      500
    Registered                 10       20       30       40       50
    History             
      Max Allocated           200      400      600      800     1000
      Lowest Registered         1        2        3        4        5
  Buffer Mode: Max Min
`} {
		if !strings.Contains(got, want) {
			t.Errorf("entstat -d ent0: got\n%s\nwant in it%s", got, want)
		}
	}
	if out := l.must("vios1", "entstat -d ent5"); !strings.Contains(out, "Max Allocated           200") {
		t.Errorf("entstat -d of an SEA: got\n%s\nwant the pools of its trunk adapter", out)
	}
}

// Who counts nothing prints nothing: a zero would read as health.
func TestEntstatWithoutBuffers(t *testing.T) {
	got := newLab(t, "two-systems").must("lpar1", "entstat -d ent0")
	for _, absent := range []string{"No Resource", "Hypervisor Receive", "Hypervisor Send", "Allocated", "Registered"} {
		if strings.Contains(got, absent) {
			t.Errorf("entstat -d without receive buffers: got\n%s\nwant no %s", got, absent)
		}
	}
}

func TestBuffersFollow(t *testing.T) {
	l, m := buffered(t)
	var all [buffers.PoolCount]buffers.Size
	for i, n := range []uint64{2048, 2048, 256, 64, 64} {
		all[i] = buffers.Size{Min: n, Max: n}
	}
	if diff := cmp.Diff(buffers.Wanted{Node: "lpar1", Adapter: "ent0", Pools: all, Open: true},
		m.of(t, "lpar1", "ent0"), ignoreCut); diff != "" {
		t.Errorf("at the start (-want +got):\n%s", diff)
	}
	l.must("lpar1", "chdev -l ent0 -a max_buf_small=4096 -P")
	if w := m.of(t, "lpar1", "ent0"); w.Pools != all {
		t.Errorf("-P: got %v at once, want it after the next boot", w.Pools)
	}
	l.refused("lpar1", "chdev -l ent0 -a max_buf_small=4096", "0514-062")
	l.must("lpar1", "ifconfig en0 detach")
	if m.of(t, "lpar1", "ent0").Open {
		t.Error("detached: got open")
	}
	// Minimum above maximum is refused whatever the order of time.
	l.refused("lpar1", "chdev -l ent0 -a min_buf_small=4096 -a max_buf_small=2048", "0514-018")
	l.must("lpar1", "chdev -l ent0 -a max_buf_small=4096")
	l.must("lpar1", "chdev -l ent0 -a min_buf_small=4096 -a buf_mode=min")
	least := all
	least[1] = buffers.Size{Min: 4096, Max: 4096}
	for i, size := range map[int]uint64{0: 512, 2: 128, 3: 24, 4: 24} {
		least[i].Min = size
	}
	if w := m.of(t, "lpar1", "ent0"); w.Pools != least {
		t.Errorf("buf_mode=min: got %v, want %v", w.Pools, least)
	}
	m.refuse = errors.New("no more memory")
	l.refused("lpar1", "chdev -l ent0 -a max_buf_tiny=4096", "no more memory")
	if out := l.must("lpar1", "lsattr -El ent0 -a max_buf_tiny"); !strings.Contains(out, " 2048 ") {
		t.Errorf("after a refusal: got %s, want the value of before", out)
	}
}

var ignoreCut = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Cut" }, cmp.Ignore())

// A partition can only be late where there are buffers to run out of.
func TestSlowNeedsBuffers(t *testing.T) {
	slow := effect.Fault{Kind: effect.FullBuffers, At: [2]string{"lpar1", "ent0"}}
	if _, err := newLab(t, "two-systems").Break(t.Context(), slow, 1e6); err == nil || !strings.Contains(err.Error(), "root") {
		t.Errorf("without receive buffers: got %v, want a refusal that names root", err)
	}
	l, _ := buffered(t)
	if _, err := l.Break(t.Context(), slow, 1e6); err != nil {
		t.Fatal(err)
	}
	e := wire.End{Namespace: "hyp:cec1", Device: "lpar1.ent0"}
	if s := l.state.Ends[e]; s.RateBits != 1e6 || s.QueueBytes < 64<<20 {
		t.Errorf("%v: got %+v, want 1 Mbit/s and a queue that holds all buffers", e, s)
	}
}
