package fleet_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/cmd/benchmarks/fleet"
	"seaworthy/collect"
	"seaworthy/inventory"
)

// What is written must read as real hosts do: nothing unread, every client
// joined to the SEAs of its system.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	files, size, err := fleet.Write(t.Context(), dir, 24, 1)
	if err != nil {
		t.Fatal(err)
	}
	if files < 24*30 || size == 0 {
		t.Errorf("got %d files of %d bytes for 24 hosts, want at least 30 a host", files, size)
	}
	f, err := collect.Inventories(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Hosts) != 24 {
		t.Fatalf("got %d hosts, want 24", len(f.Hosts))
	}
	clients := 0
	for _, h := range f.Hosts {
		for _, g := range h.Gaps {
			t.Errorf("%s: gap: %s: %s", h.Name, g.What, g.Why)
		}
		if h.Platform != inventory.AIX {
			continue
		}
		for _, name := range h.Names(inventory.Virtual) {
			clients++
			bridges, gap := f.Bridges(inventory.Ref{Host: h.Name, Element: name})
			if len(bridges) != 2 || gap != nil {
				t.Errorf("%s %s: got SEAs %v, gap %v, want the two of its system", h.Name, name, bridges, gap)
			}
		}
	}
	if clients != 40 {
		t.Errorf("got %d client adapters, want 40", clients)
	}
}

// The same seed writes the same bytes, another one others.
func TestSeed(t *testing.T) {
	a, b, other := all(t, 5), all(t, 5), all(t, 6)
	if d := cmp.Diff(a, b); d != "" {
		t.Errorf("the same seed wrote something else:\n%s", d)
	}
	if cmp.Equal(a, other) {
		t.Error("another seed wrote the same hosts")
	}
}

func all(t *testing.T, seed uint64) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if _, _, err := fleet.Write(t.Context(), dir, 13, seed); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
