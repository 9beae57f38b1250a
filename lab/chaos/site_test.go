package chaos

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/needs"
)

// site is a lab that the program itself has started, or Linux hosts, and the program.
type site struct {
	t     *testing.T
	bin   string
	dir   string
	place place
	hosts map[string]remote.Host
	names []string
	old   values // of every host, before anything
	jobs  map[*job]*job
	// faults that happen here; one round in reboot ends with a reboot of all hosts, 0: none.
	faults []fault
	reboot int

	reach  targets.Options // of the hosts
	mu     sync.Mutex
	nested map[string]task.Task // by host: see nestedTask
}

// place is where the hosts of a site are.
type place interface {
	reach() []string             // the program's flags that find them
	on(node, line string) string // runs a line there as root
	reboot(node string)
	changers() string // a pattern of the commands that change something
	tidy() string     // a line that takes away what the next round must not find
	slow() int        // how many times slower than this machine the hosts are
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

// open reads the hosts of a place for the first time.
func (s *site) open(names []string, o targets.Options) {
	s.t.Helper()
	s.reach = o
	list, err := targets.Open(s.t.Context(), names, o)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range list {
		s.hosts[h.Name()] = h
		s.names = append(s.names, h.Name())
	}
	s.t.Cleanup(func() {
		for _, h := range list {
			h.Close()
		}
	})
	s.old = s.read(s.names)
	if d := cmp.Diff(s.old, s.read(s.names)); d != "" {
		s.t.Fatalf("values differ between two readings of hosts that nobody changes:\n%s", d)
	}
}

// newSite is one without hosts yet.
func newSite(t *testing.T, bin string) *site {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "swt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.MkdirAll(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	return &site{t: t, bin: bin, dir: dir, hosts: map[string]remote.Host{}, jobs: map[*job]*job{}, faults: faults, nested: map[string]task.Task{}}
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
	c := s.command(ctx, state, append(args, s.place.reach()...)...)
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // its exit status says it
	return out.String(), c.ProcessState.ExitCode()
}

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
func (s *site) inventory(name string) (*model.Host, error) {
	var inv *model.Host
	var err error
	await.Within(time.Minute, func() bool {
		inv, err = collect.Read(s.t.Context(), s.hosts[name], collect.Options{})
		return err == nil
	})
	return inv, err
}

func valuesOf(inv *model.Host) map[string]string {
	m := map[string]string{}
	for _, el := range inv.Elements {
		for a, v := range el.Attrs {
			m[el.Name+" "+a] = show(v)
		}
		if el.Kind == model.Interface {
			m[el.Name+" addresses"] = fmt.Sprint(el.Addrs)
		}
	}
	for a, v := range inv.Tunables {
		m["tunable "+a] = show(v)
	}
	return m
}

func show(a *model.Attr) string {
	s := func(v *string) string {
		if v == nil {
			return "?"
		}
		return *v
	}
	return s(a.Running) + " / " + s(a.NextBoot)
}
