package guest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/test/needs"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/guest"
)

// The test program is its own lab: see lab.Main.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, assemble.Default()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// segment is a managed system whose hypervisor switch a guest joins beside an AIX partition.
const segment = `
name: %NAME%
switch: {name: sw1}
systems:
  - name: cec1
    nodes:
      - name: lpar1
        role: lpar
        level: 7200-05-03-2148
        adapters: {ent0: {kind: virtual, pvid: 1}}
        interfaces: {en0: {address: 10.10.10.11/24}}
`

// host is a running guest and the program that reads and changes it.
type host struct {
	t        *testing.T
	guest    *guest.Guest
	lab      *lab.Lab
	bin, dir string
}

// boot starts a guest whose second port is on the switch of a lab of its own. Images
// are not made here: that fetches packages.
func boot(t *testing.T, kind string) *host {
	t.Helper()
	images := os.Getenv("SEAWORTHY_GUESTS")
	if images == "" {
		t.Skip("guests boot for minutes: make test-guests runs them (SEAWORTHY_GUESTS names the folder of their images)")
	}
	if os.Getenv("GUEST_TESTS") == "one" && t.Name() != "TestPOWERPartition" {
		t.Skip("one guest is enough for make test: make test-guests")
	}
	k, ok := guest.ByName(kind)
	if !ok {
		t.Fatalf("no kind %s", kind)
	}
	if !guest.Built(k, images) {
		t.Skipf("%s has no image of %s: seaworthy-lab lab guest %s --build --dir %s", images, kind, kind, images)
	}
	h := &host{t: t, dir: t.TempDir()}
	h.bin = filepath.Join(h.dir, "seaworthy")
	if err := needs.Programs(h.dir, "seaworthy"); err != nil {
		t.Fatal(err)
	}
	h.lab = up(t, "g7-"+kind)
	port, err := h.lab.Port(t.Context(), "cec1", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	state := filepath.Join(h.dir, "guest")
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	h.guest, err = guest.Start(t.Context(), k, guest.Options{Dir: images, Port: port, State: state})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.guest.Stop)
	t.Logf("%s: %.0f s from start to SSH", kind, time.Since(began).Seconds())
	return h
}

func up(t *testing.T, name string) *lab.Lab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "topology.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(segment, "%NAME%", name)), 0o600); err != nil {
		t.Fatal(err)
	}
	return started(t, lab.Options{Topology: file, Name: name, StateDir: filepath.Join(t.TempDir(), "labs")})
}

// started is a lab that ends with the test.
func started(t *testing.T, o lab.Options) *lab.Lab {
	t.Helper()
	o.Tied = true
	l, err := lab.Up(t.Context(), o)
	if err != nil {
		t.Skipf("no lab on this machine: %v", err)
	}
	t.Cleanup(func() {
		if err := l.Down(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return l
}

// run runs a command on the guest with the stock ssh.
func (h *host) run(line string) string {
	h.t.Helper()
	c := exec.CommandContext(h.t.Context(), "ssh", "-F", h.guest.SSHConfig(), h.guest.Kind.Name, line)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		h.t.Fatalf("%s: %v: %s%s", line, err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// tool runs seaworthy and wants its exit status.
func (h *host) tool(want int, args ...string) string {
	h.t.Helper()
	c := exec.CommandContext(h.t.Context(), h.bin, append(args, "-F", h.guest.SSHConfig())...)
	c.Dir = h.dir
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(h.dir, "state"), "XDG_RUNTIME_DIR="+h.dir)
	out, err := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != want {
		h.t.Fatalf("seaworthy %s: exit %d, want %d (%v)\n%s", strings.Join(args, " "), got, want, err, out)
	}
	return string(out)
}

// reboot reboots the guest and waits until it is another boot.
func (h *host) reboot() {
	h.t.Helper()
	const id = "cat /proc/sys/kernel/random/boot_id"
	before := h.run(id)
	began := time.Now()
	// At once: stopping service after service takes an emulated processor minutes.
	h.run("(sleep 1; systemctl reboot --force) >/dev/null 2>&1 &")
	for {
		if err := h.guest.Await(h.t.Context()); err != nil {
			console, _ := os.ReadFile(h.guest.Console())
			h.t.Fatalf("%v\n%s", err, console)
		}
		c := exec.CommandContext(h.t.Context(), "ssh", "-F", h.guest.SSHConfig(), "-o", "ConnectTimeout=5", h.guest.Kind.Name, id)
		if now, err := c.Output(); err == nil && strings.TrimSpace(string(now)) != before {
			break
		}
	}
	h.t.Logf("%.0f s from reboot to SSH", time.Since(began).Seconds())
	// What sets ports up may still be at it.
	h.run("systemctl is-system-running --wait || true")
}
