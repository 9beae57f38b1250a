package assemble_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"seaworthy/internal/test/await"
	"seaworthy/lab/cputime"
	"seaworthy/lab/topology"
)

// loaded returns what a process holds of the kernel's programs, by their kind and
// number: "prog_id 17".
func loaded(t *testing.T, pid int) map[string]int {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // closed since
		}
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
			kind, number, _ := strings.Cut(s.Text(), ":")
			switch kind {
			case "prog_id", "map_id", "link_id":
				if id, err := strconv.Atoi(strings.TrimSpace(number)); err == nil {
					out[fmt.Sprint(kind, " ", id)] = id
				}
			}
		}
	}
	return out
}

// exists says whether the kernel still has it.
func exists(what string, id int) bool {
	var err error
	switch kind, _, _ := strings.Cut(what, " "); kind {
	case "prog_id":
		var p *ebpf.Program
		if p, err = ebpf.NewProgramFromID(ebpf.ProgramID(id)); err == nil {
			p.Close()
		}
	case "map_id":
		var m *ebpf.Map
		if m, err = ebpf.NewMapFromID(ebpf.MapID(id)); err == nil {
			m.Close()
		}
	case "link_id":
		var l link.Link
		if l, err = link.NewFromID(link.ID(id)); err == nil {
			l.Close()
		}
	}
	return !errors.Is(err, os.ErrNotExist)
}

// A lab of root that is killed while it counts receive buffers, holds a
// partition to its share and samples CPU time leaves none of it. The programs at
// adapters are held by their devices, so that with them the devices, their
// queues and their namespaces are gone.
func TestKilledLeavesNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only labs of root load programs")
	}
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	const node = "      - name: vios1\n"
	capped := strings.Replace(string(text), node, node+"        mode: Capped\n        entitled: 1\n", 1)
	if capped == string(text) {
		t.Fatalf("two-systems has no %q", node)
	}
	file := filepath.Join(t.TempDir(), "killed.yaml")
	if err := os.WriteFile(file, []byte(capped), 0o600); err != nil {
		t.Fatal(err)
	}
	l := up(t, file)
	if said := notes(t, l); strings.Contains(said, "receive buffers") || strings.Contains(said, "time of processes only") {
		t.Skip(said)
	}
	var r cputime.Reading
	if err := l.Query(t.Context(), "cpu", nil, &r); err != nil {
		t.Fatal(err)
	}
	// One program returns the buffers of all adapters, one for each of two hypervisor
	// switches takes them, and the sampler has five, four of them linked.
	var held map[string]int
	counts := map[string]int{}
	for end := time.Now().Add(60 * time.Second); counts["prog_id"] < 1+2+5 || counts["map_id"] < 2+2+2 || counts["link_id"] < 4; {
		if time.Now().After(end) {
			t.Fatalf("while the lab runs: got %v, want the programs of receive buffers and of the sampler", counts)
		}
		held, counts = loaded(t, l.PID), map[string]int{}
		for what := range held {
			kind, _, _ := strings.Cut(what, " ")
			counts[kind]++
		}
	}
	groups, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/*/seaworthy-%d-%s-*", os.Getpid(), l.Name))
	if err := syscall.Kill(l.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	left := func() (all []string) {
		for what, id := range held {
			if exists(what, id) {
				all = append(all, what)
			}
		}
		for _, g := range groups {
			if _, err := os.Stat(g); !os.IsNotExist(err) {
				all = append(all, g)
			}
		}
		mounts, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil || strings.Contains(string(mounts), l.Dir) {
			all = append(all, fmt.Sprintf("a mount below %s (%v)", l.Dir, err))
		}
		return all
	}
	await.Until(t, "nothing of the killed lab is left", func() bool { return len(left()) == 0 })
}
