package assemble_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/lab"
	"seaworthy/lab/cputime"
	"seaworthy/lab/topology"
)

// Two partitions that want all of one processor get it by their weights.
func TestWeightedNodes(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("taskset"); err != nil {
		t.Skip("without taskset the two do not meet on one processor")
	}
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	weighted := strings.Replace(string(text), "name: two-systems\n", "name: weighted\n", 1)
	for node, weight := range map[string]string{"lpar1": "64", "lpar2": "192"} {
		at := "      - name: " + node + "\n"
		weighted = strings.Replace(weighted, at, at+"        weight: "+weight+"\n", 1)
	}
	file := filepath.Join(t.TempDir(), "weighted.yaml")
	if err := os.WriteFile(file, []byte(weighted), 0o600); err != nil {
		t.Fatal(err)
	}
	l := up(t, file)
	if said := notes(t, l); strings.Contains(said, "nor uncapped ones to their weight") {
		t.Skip(said)
	}
	if out := must(t, l, "lpar2", "lparstat -i | grep Weight"); !strings.HasSuffix(out, ": 192\n") {
		t.Errorf("lparstat -i: got %q, want weight 192", out)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, node := range []string{"lpar1", "lpar2"} {
		// The processor is the first that the node's processes may use.
		go l.Exec(ctx, node, "", `taskset -c $(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/') sh -c 'while :; do :; done'`, lab.Stdio{})
	}
	read := func() (r cputime.Reading) {
		if err := l.Query(t.Context(), "cpu", nil, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	cores := func(before, after cputime.Reading) (light, heavy float64) {
		shares, err := cputime.Between(&before, &after)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range shares.Shares {
			switch x.Name {
			case "lpar1":
				light = x.Cores * shares.Seconds
			case "lpar2":
				heavy = x.Cores * shares.Seconds
			}
		}
		return light, heavy
	}
	begin := read()
	for { // until both are at work
		now := read()
		light, heavy := cores(begin, now)
		if light > 0.02 && heavy > 0.02 {
			begin = now
			break
		}
		if t.Context().Err() != nil {
			t.Fatal("nobody worked")
		}
	}
	var light, heavy float64
	for light+heavy < 1.5 {
		light, heavy = cores(begin, read())
	}
	if ratio := heavy / light; ratio < 2 || ratio > 4.5 {
		t.Errorf("weights 64 and 192: got %.2f and %.2f seconds of processor time, want 1 to 3", light, heavy)
	}
}
