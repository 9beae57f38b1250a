package tune_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/tune"
	"seaworthy/internal/tune/space"
)

// A program proposes combinations and hears what became of them; the best is raced,
// pruned and confirmed.
func TestLines(t *testing.T) {
	e := engine(&path{gain: three, noise: 0.01, guards: func(r space.Run) float64 { return 0.5 * float64(r[3]) }}, 4, 300, 1)
	asked := strings.Join([]string{
		`{"trial": 7, "settings": {"a": "on", "b": "on", "c": "on"}}`,
		`{"trial": 8, "settings": {"a": "on"}}`,
		`{"trial": 9, "settings": {"z": "on"}}`,
		`{"trial": 10, "settings": {"a": "loud"}}`,
		`{"trial": 11, "settings": {"d": "on"}}`,
		`{"trial": 12, "settings": {}}`,
	}, "\n")
	var out strings.Builder
	e.Proposals = tune.Lines(strings.NewReader(asked), &out, e.Goal, e.Space)
	r, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Found || r.Winner.Words != "a=on, b=on, c=on" {
		t.Errorf("winner: got %+v, want a, b and c", r.Winner)
	}
	var got []map[string]any
	for line := range strings.Lines(out.String()) {
		var x map[string]any
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got = append(got, x)
	}
	if len(got) != 7 {
		t.Fatalf("printed %d lines, want the space and 6 answers:\n%s", len(got), out.String())
	}
	if got[0]["unit"] != "bps" || got[0]["better"] != "higher" || len(got[0]["factors"].(map[string]any)) != 4 {
		t.Errorf("space: got %v", got[0])
	}
	gain, _ := got[1]["gain"].(float64)
	if got[1]["trial"] != 7.0 || math.Abs(gain-0.65) > 0.1 || got[1]["unit"] != "bps" {
		t.Errorf("a, b and c: got %v, want a gain of 0.65", got[1])
	}
	if got[3]["refused"] != `no factor "z"` || got[4]["refused"] != `factor "a" has no level "loud"` {
		t.Errorf("what is not there: got %v and %v", got[3], got[4])
	}
	if s, _ := got[5]["guard"].(string); !strings.Contains(s, "retransmitted") || got[5]["gain"] != nil {
		t.Errorf("a broken guard rail: got %v", got[5])
	}
	if gain, ok := got[6]["gain"].(float64); !ok || math.Abs(gain) > 0.1 {
		t.Errorf("the present state: got %v, want a gain near 0", got[6])
	}
	for _, bad := range []string{"{", `{"trial": "x"}`, `{"settings": 7}`} {
		e := engine(&path{gain: three}, 4, 300, 1)
		e.Proposals = tune.Lines(strings.NewReader(bad+"\n"), &out, e.Goal, e.Space)
		if _, err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "standard input") {
			t.Errorf("%s: got %v, want an error that names standard input", bad, err)
		}
	}
}

// Optuna itself proposes: pip install optuna into out/optuna.
func TestOptuna(t *testing.T) {
	python, err := filepath.Abs("../../out/optuna/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if exec.Command(python, "-c", "import optuna").Run() != nil {
		t.Skip("no Optuna: python3 -m venv out/optuna && out/optuna/bin/pip install optuna")
	}
	cmd := exec.CommandContext(t.Context(), python, "testdata/propose.py", "25")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := engine(&path{gain: three, noise: 0.02}, 6, 600, 1)
	e.Proposals = tune.Lines(out, in, e.Goal, e.Space)
	r, err := e.Run(t.Context())
	in.Close()
	if werr := cmd.Wait(); err != nil || werr != nil {
		t.Fatalf("%v, %v: %s", err, werr, said.String())
	}
	if !r.Found || r.Winner.Words != "a=on, b=on, c=on" {
		t.Errorf("winner of Optuna's points: got %+v, want a, b and c", r.Winner)
	}
	if n := slices.IndexFunc(r.Cells, func(c tune.Cell) bool { return c.Settings == "as found" }); r.Cells[n].N < 25 {
		t.Errorf("the present state was measured %d times, want once beside each of 25 points", r.Cells[n].N)
	}
}
