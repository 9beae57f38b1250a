package support_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/support"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/planted"
	"seaworthy/internal/test/plantest"
)

// Whatever the hosts file, the last plan, its journal and the environment say, and whatever a secret in them is
// disguised as: a bundle has none of it.
func TestPackedSecrets(t *testing.T) {
	count := 0
	for _, name := range draw.OneIn(t, 7, slices.Sorted(maps.Keys(planted.Disguises))) {
		for range 15 {
			var secrets []planted.Secret
			next := func() string {
				s := planted.Disguises[name](count, planted.Word(count))
				count++
				secrets = append(secrets, s)
				return s.Planted
			}
			for file, text := range pack(t, next) {
				for _, s := range secrets {
					if left := s.Left(text); len(left) > 0 {
						t.Errorf("%s: %s: %q came through as %q", name, file, s.Planted, left)
					}
				}
			}
		}
	}
	t.Logf("%d secrets planted", count)
	if count < 250 {
		t.Errorf("only %d secrets were planted: the test would prove little", count)
	}
}

// pack makes a bundle of what has secrets wherever people, hosts or a site write something.
func pack(t *testing.T, next func() string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("LANG", next())
	t.Setenv("LC_ALL", next())
	entry := map[string]any{"address": next(), "user": next(), "via": next(), "port": 2022}
	hosts, err := yaml.Marshal(map[string]any{"hosts": map[string]any{"lpar1": entry}})
	if err != nil {
		t.Fatal(err)
	}
	lpar, vios := plantest.Pair(t)
	p := plantest.Build(t, []*model.Host{lpar, vios}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
	for i := range p.Steps {
		s := &p.Steps[i]
		s.Notes, s.Cautions, s.Why = []string{next(), "see " + next()}, []string{"ask " + next() + " first"}, []string{"R001/" + next()}
	}
	p.Refused = append(p.Refused, plan.Refusal{Reason: next()})
	begin := map[string]any{"time": "2026-11-27T04:00:00Z", "event": "begin", "lookup": map[string]string{"inventory": "/home/" + next() + "/" + next(),
		"ssh_config": next()}}
	step := map[string]any{"time": "2026-11-27T04:00:01Z", "event": "failed", "step": p.Steps[0].ID, "error": "lpar1: chdev: " + next() + ": " + next(),
		"how": "asked " + next()}
	journal := ""
	for _, event := range []map[string]any{begin, step} {
		text, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		journal += string(text) + "\n"
	}
	run := filepath.Join(dir, "state", "seaworthy", "runs", "20261127-040000-abcdef")
	if err := os.MkdirAll(run, 0o700); err != nil {
		t.Fatal(err)
	}
	inventory := filepath.Join(dir, "hosts.yaml")
	for file, text := range map[string]string{inventory: string(hosts), filepath.Join(run, "plan.json"): plantest.Resign(t, p),
		filepath.Join(run, "journal.jsonl"): journal} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "support.tar.gz")
	if _, err := support.Pack(t.Context(), fleet.Access{HostsFile: inventory}, out, map[string]string{"version": "v9"}); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, out)
	if !strings.Contains(files["run/plan.json"], "mtu_bypass") || !strings.Contains(files["run/journal.jsonl"], "chdev") {
		t.Fatalf("the run is not in the bundle: %v", files)
	}
	return files
}
