package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure/history"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/bombs"
)

// readers read each kind of file that people hand in, as the subcommands do: a
// folder that holds it, and its name there.
var readers = []struct {
	kind, name string
	read       func(ctx context.Context, dir string) error
}{
	{"inventory", "hosts.yaml", func(ctx context.Context, dir string) error {
		_, err := targets.Load(ctx, filepath.Join(dir, "hosts.yaml"))
		return err
	}},
	{"Ansible inventory", "hosts", func(ctx context.Context, dir string) error {
		_, err := targets.Load(ctx, filepath.Join(dir, "hosts"))
		return err
	}},
	{"rules", "site.yaml", func(ctx context.Context, dir string) error {
		_, err := knowledge.LoadRules(ctx, dir)
		return err
	}},
	{"waivers", "waivers.yaml", func(ctx context.Context, dir string) error {
		_, err := waiver.Load(ctx, filepath.Join(dir, "waivers.yaml"))
		return err
	}},
	{"plan", "plan.json", func(ctx context.Context, dir string) error {
		_, err := (&commandLine{}).readPlan(ctx, filepath.Join(dir, "plan.json"), "")
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
	{"recording", "recording.jsonl", func(_ context.Context, dir string) error {
		f, err := os.Open(filepath.Join(dir, "recording.jsonl"))
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = live.Open(f)
		return err
	}},
	{"plan of a run", "plan.json", func(ctx context.Context, dir string) error {
		_, _, err := execute.Journals{Dir: filepath.Dir(dir)}.Load(ctx, filepath.Base(dir))
		return err
	}},
	{"paths", "paths.json", func(ctx context.Context, dir string) error {
		_, err := diagnose.Load(ctx, dir)
		return err
	}},
}

// Half a megabyte of any form is refused at little cost, whatever kind of file it
// is said to be.
func TestBombs(t *testing.T) {
	for _, r := range readers {
		bombs.Each(t, r.kind, r.name, r.read)
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
	v, err := targets.Load(t.Context(), filepath.Join(dir, "hosts.yaml"))
	if err != nil || len(v.Hosts) != len(list) {
		t.Errorf("%d bytes: %v", len(text), err)
	}
}
