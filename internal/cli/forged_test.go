package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli"
	"seaworthy/internal/test/plantest"
)

// Anyone who can write a plan file or a run's folder can recompute its id: what does
// not follow from the settings is refused with what differs, before any host is
// logged in to.
func TestForgedPlansRunNothing(t *testing.T) {
	fleet := aloneWith(t, "  lpar1: {}\n  vios1: {}\n")
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		exit := cli.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
		return exit, out.String() + errs.String()
	}
	if exit, said := run("-i", "hosts.yaml", "plan", "--set", "lpar1:en0:mtu_bypass=on", "-o", "plan.json"); exit != 2 {
		t.Fatalf("plan: exit status %d\n%s", exit, said)
	}
	made, err := os.ReadFile("plan.json")
	if err != nil {
		t.Fatal(err)
	}
	owned := filepath.Join(t.TempDir(), "owned")
	edit := func(f func(p *plan.Plan)) string {
		p := new(plan.Plan)
		if err := json.Unmarshal(made, p); err != nil {
			t.Fatal(err)
		}
		f(p)
		return plantest.Resign(t, p)
	}
	moved := func(to string) string {
		return edit(func(p *plan.Plan) {
			p.Hosts, p.Steps[0].Host, p.KnownBy = []string{to}, to, nil
			p.Steps[0].ID = strings.Replace(p.Steps[0].ID, "lpar1", to, 1)
		})
	}
	idOf := func(text string) string {
		return regexp.MustCompile(`"id": "([0-9a-f]{64})"`).FindStringSubmatch(text)[1]
	}
	text := edit(func(*plan.Plan) {})
	for name, c := range map[string]struct{ text, want string }{
		"another command":   {edit(func(p *plan.Plan) { p.Steps[0].Do[0] = "touch " + owned }), `step lpar1:en0:mtu_bypass: "do" is`},
		"another undo":      {edit(func(p *plan.Plan) { p.Steps[0].Undo[0] += "; touch " + owned }), `"undo" is`},
		"another host":      {moved("lpar2"), "host lpar2 is not in hosts.yaml"},
		"a host as a login": {moved("root@lpar2:22"), "host root@lpar2:22 is not in hosts.yaml"},
		"this machine":      {moved("local"), `"local" means the machine`},
		"an extra key":      {strings.Replace(text, `"schema"`, `"sudo": true, "schema"`, 1), `unknown key "sudo"`},
		"a key twice":       {strings.Replace(text, `"do"`, `"DO"`, 1), `unknown key "DO": expected "do"`},
		"the same short id": {func() string {
			other := edit(func(p *plan.Plan) { p.Steps[0].Notes = append(p.Steps[0].Notes, "another") })
			full := idOf(other)
			return strings.Replace(other, full, idOf(text)[:12]+full[12:], 1)
		}(), "it was edited after it was made"},
	} {
		logins := fleet.Server("lpar1").Connections() + fleet.Server("lpar2").Connections()
		write("forged.json", c.text)
		for _, args := range [][]string{{"apply", "forged.json", "--yes"}, {"apply", "forged.json", "--confirm-within", "1m", "--yes"},
			{"bench", "compare", "--plan", "forged.json", "--from", "lpar1", "--to", "vios1"}} {
			exit, said := run(append([]string{"-i", "hosts.yaml"}, args...)...)
			if exit != 1 || !strings.Contains(said, "forged.json") || !strings.Contains(said, c.want) {
				t.Errorf("%s, %s: exit status %d, want 1 and %q\n%s", name, args[0], exit, c.want, said)
			}
		}
		if now := fleet.Server("lpar1").Connections() + fleet.Server("lpar2").Connections(); now != logins {
			t.Errorf("%s: %d logins", name, now-logins)
		}
	}

	// What a run's folder says is believed no more.
	if exit, said := run("-i", "hosts.yaml", "apply", "plan.json", "--yes"); exit != 0 {
		t.Fatalf("apply: exit status %d\n%s", exit, said)
	}
	kept, err := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "seaworthy", "runs", "*", "plan.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v: want one run", kept, err)
	}
	write(kept[0], edit(func(p *plan.Plan) { p.Steps[0].Undo[0] = "touch " + owned }))
	logins := fleet.Server("lpar1").Connections()
	for _, verb := range []string{"rollback", "confirm", "status"} {
		exit, said := run("-i", "hosts.yaml", verb, "latest")
		if exit != 1 || !strings.Contains(said, `"undo" is`) {
			t.Errorf("%s of a forged run: exit status %d\n%s", verb, exit, said)
		}
	}
	if now := fleet.Server("lpar1").Connections(); now != logins {
		t.Errorf("a forged run: %d logins", now-logins)
	}
	if _, err := os.Stat(owned); err == nil {
		t.Error("a forged command ran on this machine")
	}
	for _, s := range []string{"lpar1", "lpar2", "vios1"} {
		for _, line := range fleet.Server(s).Lines() {
			if strings.Contains(line, owned) {
				t.Errorf("%s was sent %q", s, line)
			}
		}
	}
}
