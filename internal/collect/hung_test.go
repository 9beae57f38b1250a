package collect

import (
	"context"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

// sick is an AIX whose entstat of ent0 never ends, and how many of them were begun.
func sick(t *testing.T) (host remote.Host, begun *atomic.Int64) {
	t.Helper()
	begun = &atomic.Int64{}
	hang := func(ctx context.Context, c *remotetest.Call) int {
		begun.Add(1)
		return remotetest.Hang(ctx, c)
	}
	answers := remotetest.On(regexp.MustCompile(`\bentstat -d ent0\b`), hang, aixHost().Serve)
	fleet := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Together(answers)})
	return fleet.Host("lpar1"), begun
}

// A command that hung on a device is not sent there again, by no reading of the
// program; the others go on, and it is said.
func TestNotAskedAgainWhereItHung(t *testing.T) {
	host, begun := sick(t)
	limit := 300 * time.Millisecond
	items := []Item{
		{ID: "hostname", Line: "hostname", Limit: time.Minute},
		{ID: "entstat-d", Element: "ent0", Line: "entstat -d ent0", Limit: limit},
		{ID: "netstat-s", Line: "netstat -s", Limit: time.Minute},
	}
	hung := &remote.Hung{}
	for n := range 3 {
		r := newRunner(host, login{platform: model.AIX, root: true}, newMemory("lpar1"), Options{Hung: hung}, nil)
		out := r.run(t.Context(), items)
		if !out[0].ok || out[1].ok || !out[1].hung || !out[2].ok {
			t.Fatalf("reading %d: got %+v", n, out)
		}
		why := r.m.Commands[1].Error
		if n > 0 && !strings.Contains(why, "not asked again: entstat ent0 did not end at") {
			t.Errorf("reading %d: the manifest says %q", n, why)
		}
		if len(r.m.Gaps) != 1 || r.m.Gaps[0].What != "entstat -d ent0" {
			t.Errorf("reading %d: gaps %+v", n, r.m.Gaps)
		}
	}
	s := &Sampler{Host: host, Options: Options{Hung: hung}, Limit: limit, login: login{platform: model.AIX, root: true}, items: items}
	watchThreeTimes(t, s, begun)
}

// watchThreeTimes reads a host that is watched: each time all but the command that hangs, which
// is begun once in all.
func watchThreeTimes(t *testing.T, s *Sampler, begun *atomic.Int64) {
	t.Helper()
	for range 3 {
		got, err := s.Again(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		checkSample(t, got.Outputs)
	}
	if n := begun.Load(); n != 1 {
		t.Errorf("%d entstat were begun on the sick device, want one", n)
	}
}

func checkSample(t *testing.T, outputs []assemble.Output) {
	t.Helper()
	if outputs[0].Exit != 0 || outputs[2].Exit != 0 {
		t.Errorf("the others: %+v, %+v", outputs[0], outputs[2])
	}
	if outputs[1].Exit == 0 || !strings.Contains(outputs[1].Problem, "not asked again") {
		t.Errorf("the one that hung: %+v", outputs[1])
	}
}

// A command about a device that did not end is a figure of it; a ping without an answer is not, nor is a command that failed.
func TestHungDevices(t *testing.T) {
	h := &model.Host{Elements: map[string]*model.Element{"ent0": {}, "ent1": {}, "en0": {}}}
	noteHung(h, []Record{
		{ID: "entstat-d", Element: "ent0", Line: "entstat -d ent0", Error: "time limit reached: no end after 1m30s"},
		{ID: "ethtool-S", Element: "ent0", Line: "ethtool -S ent0", Error: remote.NotAskedAgain + ": it did not end: " + remote.ErrTimeout.Error()},
		{ID: "entstat-d", Element: "ent1", Line: "entstat -d ent1", Exit: 1},
		{ID: "ping", Element: "en0", Line: "ping -c 3 192.0.2.1", Error: "time limit reached: no end after 5s"},
	})
	if f := h.Figures["ent0 "+model.HungCommands]; len(h.Figures) != 1 || f.Value != 2 || f.From.Command == "" {
		t.Errorf("got %+v, want two of ent0 alone", h.Figures)
	}
}

// While hosts are watched, a command begins to hang: the reading goes on without it.
func TestBeginsToHangWhileWatched(t *testing.T) {
	host, begun := sick(t)
	s := &Sampler{Host: host, Options: Options{Hung: &remote.Hung{}}, Limit: 300 * time.Millisecond,
		login: login{platform: model.AIX, root: true}, items: []Item{
			{ID: "hostname", Line: "hostname"}, {ID: "entstat-d", Element: "ent0", Line: "entstat -d ent0"},
			{ID: "netstat-s", Line: "netstat -s"},
		}}
	watchThreeTimes(t, s, begun)
}
