package chaos

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/collect"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
)

// start makes a site of a lab.
func start(t *testing.T, bin, topology string) *site {
	t.Helper()
	s := newSite(t, bin)
	s.place = lab{s}
	up := append([]string{"lab", "up", topology, "--name", "t"}, strings.Fields(*options)...)
	if out, err := s.command(t.Context(), "state", up...).CombinedOutput(); err != nil {
		if strings.Contains(string(out), "namespaces") && os.Getenv("CI") != "true" {
			t.Skipf("no lab on this machine: %s", out)
		}
		t.Fatalf("lab up: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := s.command(context.Background(), "state", "lab", "down", "t").CombinedOutput(); err != nil {
			t.Errorf("lab down: %v: %s", err, out)
		}
	})
	inv, err := filepath.Glob(filepath.Join(s.dir, "run", "*", "*", "hosts.yaml"))
	if err != nil || len(inv) != 1 {
		t.Fatalf("hosts.yaml of the lab: got %v, %v", inv, err)
	}
	file, err := targets.Load(t.Context(), inv[0])
	if err != nil {
		t.Fatal(err)
	}
	s.open(slices.DeleteFunc(file.Names(), func(n string) bool { return file.Hosts[n].Platform == collect.PlatformHMC }),
		targets.Options{Inventory: inv[0]})
	return s
}

// lab is the place of a site's own lab.
type lab struct{ s *site }

func (lab) reach() []string { return []string{"-i", "lab:t"} }

func (l lab) on(node, line string) string {
	l.s.t.Helper()
	ctx, cancel := context.WithTimeout(l.s.t.Context(), time.Minute)
	defer cancel()
	out, _ := l.s.command(ctx, "state", "lab", "exec", "--lab", "t", "-u", "root", node, "--", remote.Marked(line)).CombinedOutput()
	_, out, _ = remote.CutMark(out)
	return string(out)
}

func (l lab) reboot(node string) { l.on(node, "reboot") }

func (lab) changers() string { return "chdev|no|mkdev|ioscli" }
func (lab) tidy() string     { return "rm -rf /var/tmp/seaworthy /etc/seaworthy; : >/etc/inittab" }
func (lab) slow() int        { return 1 }
