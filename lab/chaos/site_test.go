package chaos

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"seaworthy/change/plan"
	"seaworthy/collect"
	"seaworthy/internal/test/needs"
	"seaworthy/inventory"
	"seaworthy/remote"
	"seaworthy/remote/hosts"
)

// site is a lab that the program itself has started, and the program.
type site struct {
	t        *testing.T
	topology string
	bin      string
	dir      string
	hosts    map[string]remote.Host
	names    []string
	old      values // of every host, before anything
	jobs     map[int]*job
}

// build makes the program.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "seaworthy")
	if err := needs.Programs(filepath.Dir(bin), "seaworthy", "seaworthy-lab", "seaworthy-probe"); err != nil {
		t.Fatal(err)
	}
	return bin
}

func start(t *testing.T, bin, topology string) *site {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "swt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &site{t: t, topology: topology, bin: bin, dir: dir, hosts: map[string]remote.Host{}, jobs: map[int]*job{}}
	if err := os.MkdirAll(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	up := append([]string{"lab", "up", topology, "--name", "t"}, strings.Fields(*options)...)
	if out, err := s.command(t.Context(), "state", up...).CombinedOutput(); err != nil {
		if strings.Contains(string(out), "namespaces") && os.Getenv("CI") != "true" {
			t.Skipf("no lab on this machine: %s", out)
		}
		t.Fatalf("lab up: %v: %s", err, out)
	}
	t.Cleanup(func() {
		for _, h := range s.hosts {
			h.Close()
		}
		if out, err := s.command(context.Background(), "state", "lab", "down", "t").CombinedOutput(); err != nil {
			t.Errorf("lab down: %v: %s", err, out)
		}
	})
	inv, err := filepath.Glob(filepath.Join(dir, "run", "*", "*", "hosts.yaml"))
	if err != nil || len(inv) != 1 {
		t.Fatalf("hosts.yaml of the lab: got %v, %v", inv, err)
	}
	file, err := hosts.Load(t.Context(), inv[0])
	if err != nil {
		t.Fatal(err)
	}
	nodes := slices.DeleteFunc(file.Names(), func(n string) bool { return file.Hosts[n].Platform == collect.PlatformHMC })
	list, err := hosts.Open(t.Context(), nodes, hosts.Options{Inventory: inv[0]})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range list {
		s.hosts[h.Name()] = h
		s.names = append(s.names, h.Name())
	}
	s.old = s.read(s.names)
	if d := cmp.Diff(s.old, s.read(s.names)); d != "" {
		t.Fatalf("values differ between two readings of hosts that nobody changes:\n%s", d)
	}
	return s
}

// command is the program with a state folder of its own: another one is
// another person's machine.
func (s *site) command(ctx context.Context, state string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, s.bin, args...)
	c.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Join(s.dir, "run"), "XDG_STATE_HOME="+filepath.Join(s.dir, state))
	return c
}

// apply begins a command line: the lab's switches take jumbo frames, as a
// network team would say of its own.
func (s *site) apply(j *job) []string { return []string{"apply", j.file, "--done", plan.SwitchPorts} }

// run runs the program to its end.
func (s *site) run(state string, args ...string) (string, int) {
	s.t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	c := s.command(ctx, state, append(args, "-i", "lab:t")...)
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // its exit status says it
	return out.String(), c.ProcessState.ExitCode()
}

// on runs a line on a node as root.
func (s *site) on(node, line string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	out, _ := s.command(ctx, "state", "lab", "exec", "--lab", "t", "-u", "root", node, "--", remote.Marked(line)).CombinedOutput()
	_, out, _ = remote.CutMark(out)
	return string(out)
}

func (s *site) reboot(node string) { s.on(node, "reboot") }

// values of every attribute: host → element attribute → running and next-boot.
type values map[string]map[string]string

func (s *site) read(names []string) values {
	s.t.Helper()
	var mu sync.Mutex
	all := values{}
	var g errgroup.Group
	for _, name := range names {
		g.Go(func() error {
			inv, err := s.inventory(name)
			if err != nil {
				return fmt.Errorf("%s cannot be reached any more: %w", name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			all[name] = valuesOf(inv)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// inventory reads a host, which may be about to come back.
func (s *site) inventory(name string) (inv *inventory.Host, err error) {
	for range 5 {
		if inv, err = collect.Read(s.t.Context(), s.hosts[name], collect.Options{}); err == nil {
			return inv, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func valuesOf(inv *inventory.Host) map[string]string {
	m := map[string]string{}
	for _, el := range inv.Elements {
		for a, v := range el.Attrs {
			m[el.Name+" "+a] = show(v)
		}
		if el.Kind == inventory.Interface {
			m[el.Name+" addresses"] = fmt.Sprint(el.Addrs)
		}
	}
	for a, v := range inv.Tunables {
		m["tunable "+a] = show(v)
	}
	return m
}

func show(a *inventory.Attr) string {
	s := func(v *string) string {
		if v == nil {
			return "?"
		}
		return *v
	}
	return s(a.Running) + " / " + s(a.NextBoot)
}
