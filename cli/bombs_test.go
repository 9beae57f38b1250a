package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/audit/waiver"
	"seaworthy/bench/history"
	"seaworthy/catalog"
	"seaworthy/collect"
	"seaworthy/diagnose"
	"seaworthy/remote/hosts"
)

// readers read each kind of file that people hand in, as the subcommands do: a
// folder that holds it, and its name there.
var readers = []struct {
	kind, name string
	read       func(ctx context.Context, dir string) error
}{
	{"inventory", "hosts.yaml", func(ctx context.Context, dir string) error {
		_, err := hosts.Load(ctx, filepath.Join(dir, "hosts.yaml"))
		return err
	}},
	{"Ansible inventory", "hosts", func(ctx context.Context, dir string) error {
		_, err := hosts.Load(ctx, filepath.Join(dir, "hosts"))
		return err
	}},
	{"rules", "site.yaml", func(ctx context.Context, dir string) error {
		_, err := catalog.LoadRules(ctx, dir)
		return err
	}},
	{"waivers", "waivers.yaml", func(ctx context.Context, dir string) error {
		_, err := waiver.Load(ctx, filepath.Join(dir, "waivers.yaml"))
		return err
	}},
	{"plan", "plan.json", func(ctx context.Context, dir string) error {
		_, err := (&app{}).readPlan(ctx, filepath.Join(dir, "plan.json"), "")
		return err
	}},
	{"manifest", "manifest.json", func(_ context.Context, dir string) error {
		_, err := collect.Open(dir)
		return err
	}},
	{"result", "result.json", func(ctx context.Context, dir string) error {
		_, err := history.Read(ctx, []string{filepath.Join(dir, "result.json")})
		return err
	}},
	{"paths", "paths.json", func(ctx context.Context, dir string) error {
		_, err := diagnose.Load(ctx, dir)
		return err
	}},
}

// Half a megabyte of any form takes no more than a moment and some memory,
// whatever kind of file it is said to be.
func TestBombs(t *testing.T) {
	of := func(s string) string { return strings.Repeat(s, 500_000/len(s)) }
	aliases := "a: &a [x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		aliases += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 10) + "]\n"
	}
	bombs := map[string]string{
		"lists in lists":       of("["),
		"mappings in mappings": of(`{"a":`),
		"flow in flow":         of("{a: "),
		"entries in entries":   of("- "),
		"aliases":              aliases,
		"aliases in all":       "all: {vars: {x: 1}}\n" + aliases,
		"many of nothing":      "[" + of("[],") + "[]]",
		"NULs":                 of("\x00"),
	}
	for _, key := range []string{"hosts", "rules", "waivers", "steps", "commands", "figures", "paths", "attributes"} {
		bombs["many "+key] = `{"` + key + `": [` + of("{},") + "{}]}"
	}
	for _, r := range readers {
		for name, bomb := range bombs {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, r.name), []byte(bomb), 0o600); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			err := r.read(t.Context(), dir)
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("%s of %s: taken", r.kind, name)
			} else if len(err.Error()) > 4000 {
				t.Errorf("%s of %s: a message of %d bytes", r.kind, name, len(err.Error()))
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 100 {
				t.Errorf("%s of %s: %d MB", r.kind, name, mb)
			}
			// A loaded machine gets ten times what a quiet one may take.
			if took > 2*time.Second {
				t.Errorf("%s of %s: %s", r.kind, name, took)
			}
		}
	}
}

// The bounds leave room for what people write: 8,000 hosts are read.
func TestNoBomb(t *testing.T) {
	dir := t.TempDir()
	list := map[string]map[string]string{}
	for i := range 8000 {
		list["host"+strconv.Itoa(i)] = map[string]string{"address": "10.1.2.3", "user": "root"}
	}
	text, err := json.Marshal(map[string]any{"hosts": list})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "hosts.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := hosts.Load(t.Context(), filepath.Join(dir, "hosts.yaml"))
	if err != nil || len(v.Hosts) != len(list) {
		t.Errorf("%d bytes: %v", len(text), err)
	}
}
