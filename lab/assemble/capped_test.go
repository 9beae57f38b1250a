package assemble_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"seaworthy/internal/test/await"
	"seaworthy/lab/assemble"
	"seaworthy/lab/cputime"
	"seaworthy/lab/topology"
)

// A capped partition gets its entitlement and no more, and a lab that is
// killed leaves no control group.
func TestCappedNode(t *testing.T) {
	t.Parallel()
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	const node = "      - name: lpar1\n"
	file := filepath.Join(t.TempDir(), "capped.yaml")
	capped := strings.Replace(string(text), node, node+"        mode: Capped\n        entitled: 0.2\n", 1)
	if err := os.WriteFile(file, []byte(capped), 0o600); err != nil {
		t.Fatal(err)
	}
	l := up(t, file)
	var e assemble.Effects
	if err := l.Query(t.Context(), "effects", nil, &e); err != nil {
		t.Fatal(err)
	}
	for _, n := range e.Notes {
		if strings.Contains(n, "capped nodes are not held") {
			t.Skip(n)
		}
	}
	var before, after cputime.Reading
	if err := l.Query(t.Context(), "cpu", nil, &before); err != nil {
		t.Fatal(err)
	}
	run(t, l, "lpar1", "",
		"end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; done")
	if err := l.Query(t.Context(), "cpu", nil, &after); err != nil {
		t.Fatal(err)
	}
	shares, err := cputime.Between(&before, &after)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range shares.Shares {
		if x.Name == "lpar1" && (x.Cores <= 0 || x.Cores > 0.2*1.5) {
			t.Errorf("lpar1 is capped at 0.2 cores: got %+v", x)
		}
	}
	groups := func() []string {
		var all []string
		for _, at := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"} {
			g, _ := filepath.Glob(filepath.Join(at, fmt.Sprintf("seaworthy-%d-%s-*", os.Getpid(), l.Name)))
			all = append(all, g...)
		}
		return all
	}
	if len(groups()) == 0 {
		t.Error("got no control group while the lab runs")
	}
	if err := syscall.Kill(l.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the control groups of the killed lab are gone", func() bool { return len(groups()) == 0 })
}
