package history

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/collect"
)

var (
	fleetHosts = flag.Int("hosts", 0, "measure a history of so many hosts; 0: not")
	fleetDays  = flag.Int("days", 30, "of so many daily snapshots of each")
	fleetStore = flag.String("store", "", "URL of an empty history; empty: a SQLite file in a temporary folder")
)

// The facts and outputs of a simulated host. Outputs of the first kind are the same on all
// hosts, those of the second are a host's own.
const (
	factsOfHost  = 300
	sharedOutput = 20
	ownOutput    = 20
	changesADay  = 0.001 // of all facts
)

// simulated is a host whose facts change now and then.
type simulated struct {
	name  string
	facts []Fact
	files map[string][]byte
	names []string
}

func newSimulated(n int, random *rand.Rand) *simulated {
	h := &simulated{name: fmt.Sprintf("lpar%05d", n), files: map[string][]byte{}}
	for i := range factsOfHost {
		value := fmt.Sprint(random.IntN(3))
		if i%30 == 0 {
			value = fmt.Sprintf("%012x", random.Uint64()) // an address
		}
		h.facts = append(h.facts, Fact{Element: fmt.Sprintf("ent%d", i/40), Attribute: fmt.Sprintf("attribute_%d", i%40), Layer: Layer(i % 2), Value: value})
	}
	for i := range sharedOutput + ownOutput {
		h.names = append(h.names, fmt.Sprintf("command-%d.txt", i))
		h.print(i, random)
	}
	return h
}

// print makes an output new: some 2 KB, of which 350 bytes say something of their own.
func (h *simulated) print(i int, random *rand.Rand) {
	if i < sharedOutput {
		h.files[h.names[i]] = []byte(strings.Repeat(fmt.Sprintf("line of command %d\n", i), 100))
		return
	}
	var text strings.Builder
	for range 45 {
		fmt.Fprintf(&text, "Description of an attribute that every host prints: %016x\n", random.Uint64())
	}
	h.files[h.names[i]] = []byte(text.String())
}

func (h *simulated) reading(at time.Time) Reading {
	m := collect.Manifest{Schema: collect.SchemaSnapshot, Host: h.name, Platform: "aix", Started: at}
	for _, name := range h.names {
		m.Commands = append(m.Commands, collect.Record{ID: "x", Line: "lsattr -El " + name, Stdout: name})
	}
	return Reading{Snapshot: collect.NewSnapshot(m, h.files), Facts: h.facts, Lists: ListsElements | ListsRoutes | ListsFindings}
}

// TestFleet measures a history of many hosts: go test ./internal/history -run TestFleet -v -hosts 5000
func TestFleet(t *testing.T) {
	if *fleetHosts == 0 {
		t.Skip("it is measured with -hosts N")
	}
	location := *fleetStore
	file := filepath.Join(t.TempDir(), "h.sqlite")
	if location == "" {
		location = "sqlite:" + file
	}
	s := opened(t, location)
	random := rand.New(rand.NewPCG(1, 1))
	var hosts []*simulated
	for n := range *fleetHosts {
		hosts = append(hosts, newSimulated(n, random))
	}
	for d := range *fleetDays {
		began := time.Now()
		if d > 0 {
			for range int(changesADay * factsOfHost * float64(len(hosts))) {
				h := hosts[random.IntN(len(hosts))]
				i := random.IntN(factsOfHost)
				h.facts[i].Value = fmt.Sprint(random.IntN(3))
				h.print(sharedOutput+i%ownOutput, random)
			}
		}
		added := sweepOf(t, s, hosts, day(d))
		if d < 3 || d == *fleetDays-1 {
			t.Logf("day %d: %d snapshots in %.1f s, %d new facts, %d changed", d, added.New, time.Since(began).Seconds(), added.Facts, added.Changed)
		}
	}
	began := time.Now()
	added := sweepOf(t, s, hosts[:min(len(hosts), 1000)], day(*fleetDays))
	t.Logf("%d unchanged snapshots in %.2f s, %d new facts", added.New, time.Since(began).Seconds(), added.Facts+added.Changed)
	ask(t, s)
	if *fleetStore == "" {
		_, _ = s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%.1f MB, %.1f KB a host", float64(info.Size())/1e6, float64(info.Size())/1e3/float64(len(hosts)))
	}
}

func sweepOf(t *testing.T, s *Store, hosts []*simulated, at time.Time) Added {
	w, err := s.Begin(t.Context(), "simulated")
	if err != nil {
		t.Fatal(err)
	}
	for len(hosts) > 0 {
		some := hosts[:min(len(hosts), 250)]
		hosts = hosts[len(some):]
		var readings []Reading
		for _, h := range some {
			readings = append(readings, h.reading(at))
		}
		err := w.Add(t.Context(), readings)
		if err != nil {
			t.Fatal(err)
		}
	}
	return w.Added
}

// ask times the questions.
func ask(t *testing.T, s *Store) {
	last := day(*fleetDays - 1)
	for _, q := range []struct {
		name string
		ask  func(ctx context.Context) (int, error)
	}{
		{"diff of two days", func(ctx context.Context) (int, error) {
			c, err := s.Diff(ctx, last.Add(-24*time.Hour), last)
			return len(c.Changes), err
		}},
		{"diff of all days", func(ctx context.Context) (int, error) {
			c, err := s.Diff(ctx, day(0), last)
			return len(c.Changes), err
		}},
		{"since, all hosts", func(ctx context.Context) (int, error) {
			c, err := s.Since(ctx, "attribute_7", "", "")
			return len(c.Changes), err
		}},
		{"since, one host", func(ctx context.Context) (int, error) {
			c, err := s.Since(ctx, "attribute_7", "lpar00042", "")
			return len(c.Values), err
		}},
		{"at, one host", func(ctx context.Context) (int, error) {
			held, err := s.At(ctx, "lpar00042", "", day(*fleetDays/2))
			return len(held), err
		}},
		{"around, an hour of all hosts", func(ctx context.Context) (int, error) {
			c, err := s.Around(ctx, last.Add(-24*time.Hour), last, time.Hour)
			return len(c), err
		}},
		{"where: hosts by two conditions", func(ctx context.Context) (int, error) {
			hosts, err := s.HostsWith(ctx, last, []Condition{{Attribute: "attribute_7", Values: []string{"1"}}, {Attribute: "attribute_8", Values: []string{"2"}}})
			return len(hosts), err
		}},
		{"similar", func(ctx context.Context) (int, error) {
			all, err := s.Similar(ctx, "lpar00042", 5)
			return len(all), err
		}},
		{"ls", func(ctx context.Context) (int, error) {
			all, err := s.Hosts(ctx, last)
			return len(all), err
		}},
	} {
		began := time.Now()
		n, err := q.ask(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		t.Logf("%s: %d in %.2f s", q.name, n, time.Since(began).Seconds())
	}
}
