package assemble_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/lab/cputime"
	"seaworthy/lab/topology"
)

// A node that computes shows it, in the lab's table and in its own lparstat;
// frames carried for others cost the VIOS and the switches softirq time.
func TestCPUPerNode(t *testing.T) {
	l := up(t, "two-systems")
	read := func() *cputime.Reading {
		t.Helper()
		r := new(cputime.Reading)
		if err := l.Query(t.Context(), "cpu", nil, r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := read()
	if first.Processes != "" && os.Geteuid() == 0 && os.Getenv("CI") == "true" {
		t.Fatalf("as root everything is accounted: %s", first.Processes)
	}
	var wg sync.WaitGroup
	for _, line := range []string{
		"i=0; end=$(($(date +%s) + 4)); while [ $(date +%s) -lt $end ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; done",
		"ping -f -s 1000 -c 50000 10.10.10.12",
	} {
		wg.Go(func() { run(t, l, "lpar1", "", line) })
	}
	before := read()
	out, errs, exit := run(t, l, "lpar1", "", "lparstat 2 1")
	after := read()
	wg.Wait()
	last := read()
	if exit != 0 {
		t.Fatalf("lparstat: got exit %d, %s", exit, errs)
	}
	node := func(s *cputime.Shares, name string) cputime.Share {
		for _, x := range s.Shares {
			if x.Name == name {
				return x
			}
		}
		t.Fatalf("%s is not in %+v", name, s)
		return cputime.Share{}
	}
	shares, err := cputime.Between(before, after)
	if err != nil {
		t.Fatal(err)
	}
	physc := column(t, out, "physc")
	lpar := node(shares, "lpar1")
	// The two seconds are among the lab's, which are more on a busy machine.
	if physc <= 0 || physc*2 > lpar.Cores*shares.Seconds*1.1+0.1 || physc < lpar.Cores*0.7-0.05 {
		t.Errorf("lparstat of lpar1: got physc %.2f over 2 s, the lab says %.2f cores over %.1f s", physc, lpar.Cores, shares.Seconds)
	}
	if lpar.User == nil || *lpar.User <= 0 {
		t.Errorf("lpar1 computed: got %+v, want user time", lpar)
	}
	if first.Processes != "" {
		if !strings.Contains(errs, "softirq") {
			t.Errorf("processes only: lparstat says %q, want that softirq is not in it", errs)
		}
		if n := node(shares, "not attributed"); n.Cores <= 0 && shares.Machine > shares.Sum {
			t.Errorf("processes only: got %+v not attributed", n)
		}
		t.Skipf("what frames cost is not attributed here: %s", first.Processes)
	}
	all, err := cputime.Between(first, last)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vios1", "vios2", "hyp:cec1", "hyp:cec2", "sw:sw1"} {
		if x := node(all, name); x.SoftIRQ == nil || *x.SoftIRQ <= 0 {
			t.Errorf("%s carried 100000 frames: got %+v, want softirq time", name, x)
		}
	}
}

// column is a figure of lparstat's last sample.
func column(t *testing.T, text, name string) float64 {
	t.Helper()
	p, err := lparstat.Parse([]byte(text))
	if err != nil || len(p.Tables) == 0 || len(p.Tables[0].Samples) == 0 {
		t.Fatalf("lparstat: %v in\n%s", err, text)
	}
	tab := p.Tables[0]
	for i, c := range tab.Columns {
		if v := tab.Samples[len(tab.Samples)-1].Values[i]; c == name && v != nil {
			return *v
		}
	}
	t.Fatalf("lparstat: no %s in\n%s", name, text)
	return 0
}

// A partition's processes run on as many processors as it has virtual ones.
func TestVirtualProcessors(t *testing.T) {
	t.Parallel()
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	const node = "      - name: lpar1\n"
	if !strings.Contains(string(text), node) {
		t.Fatalf("two-systems has no %q", node)
	}
	file := filepath.Join(t.TempDir(), "one.yaml")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), node, node+"        vcpus: 1\n", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	l := up(t, file)
	for name, want := range map[string]int{"lpar1": 1, "lpar2": min(4, runtime.NumCPU())} {
		out, errs, exit := run(t, l, name, "", "nproc")
		if got, err := strconv.Atoi(strings.TrimSpace(out)); err != nil || got != want {
			t.Errorf("%s: nproc: got %q (exit %d, %s), want %d", name, out, exit, errs, want)
		}
	}
}
