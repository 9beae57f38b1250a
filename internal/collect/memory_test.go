package collect

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

// Reading a host live needs no room on disk and gives what a saved snapshot
// of it gives.
func TestReadWithoutDisk(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"root@host": aixHost().Serve})
	dir := t.TempDir()
	if _, err := single(t.Context(), f.Host("host"), dir, Options{}); err != nil {
		t.Fatal(err)
	}
	saved, err := Inventories(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "no", "such", "folder"))
	got, err := Read(t.Context(), f.Host("host"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := saved.Hosts[0]
	want.Taken = got.Taken
	text := func(v any) string {
		b, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if diff := cmp.Diff(text(want), text(got)); diff != "" {
		t.Errorf("live against saved (-saved +live):\n%s", diff)
	}
	if _, err := (&Counters{}).Read(t.Context(), f.Host("host")); err != nil {
		t.Errorf("counters without a temporary folder: %v", err)
	}
	if _, err := os.Stat(os.TempDir()); err == nil {
		t.Error("a temporary folder was made")
	}
}

func TestReadFleet(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{
		"root@good": aixHost().Serve,
		"root@dies": remotetest.On(regexp.MustCompile("^entstat|^netstat"), remotetest.DieAfter("ETHER"), aixHost().Serve),
		"root@shut": aixHost().Serve,
	})
	f.Server("shut").RefuseLogins(true)
	hosts := f.Hosts("good", "dies", "shut")
	live := ReadFleet(t.Context(), hosts, Options{}, nil)
	if live[0].Err != nil || live[0].Snapshot == nil {
		t.Errorf("good: got %v", live[0].Err)
	}
	if err := live[2].Err; !errors.Is(err, remote.ErrAuth) || live[2].Snapshot != nil || !strings.HasPrefix(err.Error(), "shut: ") {
		t.Errorf("shut: got %v, want a refusal that names the host", err)
	}
	if live[1].Snapshot == nil {
		t.Errorf("dies: got nothing (%v), want what it said until then", live[1].Err)
	}
	fleet, err := Assemble(live)
	if err != nil || len(fleet.Hosts) != 2 {
		t.Errorf("assembled: got %d hosts, %v; want good and dies", len(fleet.Hosts), err)
	}
	if dir := live[0].Dir; dir != "" {
		t.Errorf("a folder was made: %s", dir)
	}
}

func TestMemoryBound(t *testing.T) {
	s := newMemory("host")
	big := make([]byte, maxMemory/2)
	for i, want := range []bool{true, true, false} {
		_, err := s.put(&Record{ID: "x", Line: "cat big"}, ".txt", big)
		if (err == nil) != want {
			t.Errorf("output %d of %d bytes: got %v, want it kept: %v", i+1, len(big), err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "host: cat big: ") {
			t.Errorf("got %v, want host and command named", err)
		}
	}
}
