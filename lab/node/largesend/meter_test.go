package largesend_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/node"
	"seaworthy/lab/node/commands"
	"seaworthy/lab/node/largesend"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// The tests run in namespaces of their own, as an ordinary user would.
func TestMain(m *testing.M) {
	if os.Getenv("LARGESEND_INSIDE") != "" {
		os.Exit(m.Run())
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), "LARGESEND_INSIDE=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER, Pdeathsig: syscall.SIGKILL,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}},
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		os.Setenv("LARGESEND_NONE", err.Error())
		os.Exit(m.Run())
	}
}

func needNamespaces(t *testing.T) {
	t.Helper()
	if why := os.Getenv("LARGESEND_NONE"); why != "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no namespaces: %s", why)
		}
		t.Skipf("no namespaces: %s", why)
	}
}

// world is a lab on the real kernel.
func world(t *testing.T, name string) (*node.Simulator, *wire.Network) {
	t.Helper()
	needNamespaces(t)
	top, err := topology.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	n, err := wire.Build(t.Context(), top)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	w, err := node.New(top, cat, n)
	if err != nil {
		t.Fatal(err)
	}
	w.SetHostname = func(string, string) error { return nil }
	w.Reboot = func(context.Context, string) error { return nil }
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w, n
}

func run(t *testing.T, w *node.Simulator, host, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	argv := strings.Fields(line)
	c := &node.Call{Node: host, User: "root", Argv: argv, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	if status := commands.Served(w)[argv[0]](t.Context(), c); status != 0 {
		t.Fatalf("%s: %s: got status %d, %s", host, line, status, &errs)
	}
	return out.String()
}

// transfer sends n bytes over TCP from one node to another.
func transfer(t *testing.T, n *wire.Network, from, to, address string, size int64) {
	t.Helper()
	var l net.Listener
	if err := n.Run(to, func() (err error) {
		l, err = net.Listen("tcp4", address+":0")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got := make(chan int64, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			got <- -1
			return
		}
		defer c.Close()
		k, _ := io.Copy(io.Discard, c)
		got <- k
	}()
	if err := n.Run(from, func() error {
		d := net.Dialer{Timeout: 10 * time.Second}
		c, err := d.Dial("tcp4", l.Addr().String())
		if err != nil {
			return err
		}
		defer c.Close()
		_, err = io.Copy(c, io.LimitReader(zeros{}, size))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if k := <-got; k != size {
		t.Fatalf("%s to %s: got %d bytes, want %d", from, to, k, size)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func large(t *testing.T, m *largesend.Meter) (frames, sent uint64) {
	t.Helper()
	sizes, err := m.Sizes(wire.End{Namespace: "lpar1", Device: "en0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sizes {
		if s.Length <= 1500 {
			t.Errorf("got a size of %d bytes, want none up to 1500", s.Length)
		}
		frames += s.Frames
		sent += s.Bytes
	}
	return frames, sent
}

// Frames above the MTU leave only with largesend on, and all of a bulk
// transfer leaves in them.
func TestLargeSend(t *testing.T) {
	for _, name := range []string{"two-systems", "dedicated"} {
		t.Run(name, func(t *testing.T) {
			w, n := world(t, name)
			m, err := largesend.Watch(n)
			if err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			const size = 20 << 20
			transfer(t, n, "lpar1", "lpar2", "10.10.10.12", size)
			if frames, _ := large(t, m); frames != 0 {
				t.Errorf("mtu_bypass=off: got %d large frames, want none", frames)
			}
			run(t, w, "lpar1", "chdev -l en0 -a mtu_bypass=on")
			transfer(t, n, "lpar1", "lpar2", "10.10.10.12", size)
			frames, sent := large(t, m)
			if frames == 0 || sent < size/2 || sent > 2*size {
				t.Errorf("mtu_bypass=on: got %d large frames with %d bytes of %d, want most of them", frames, sent, size)
			}
			run(t, w, "lpar1", "chdev -l en0 -a mtu_bypass=off")
			transfer(t, n, "lpar1", "lpar2", "10.10.10.12", size)
			if after, _ := large(t, m); after != frames {
				t.Errorf("mtu_bypass=off again: got %d large frames, want still %d", after, frames)
			}
		})
	}
}

// A hypervisor switch of many cables is watched as one of few.
func TestManyCables(t *testing.T) {
	text, err := topology.Generate(topology.Spec{Name: "many", LPARs: 150, VIOSes: 1, VLANs: 1, Systems: 1, Ports: 1, MTU: 1500, HA: "auto",
		Rate: "10G"})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, n := world(t, file)
	m, err := largesend.Watch(n)
	if err != nil {
		if strings.Contains(err.Error(), "packet filter lacks") && os.Getenv("CI") != "true" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	for _, host := range []string{"lpar1", "lpar150"} {
		if _, err := m.Sizes(wire.End{Namespace: host, Device: "en0"}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// An SEA's own interface sends by its bridge, and counts for itself: not what
// the SEA passes on, and nothing from before the node's boot.
func TestOwnInterface(t *testing.T) {
	w, n := world(t, "two-systems")
	m, err := largesend.Watch(n)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	w.LargeSend, w.ResetLargeSend = m.LargeSend(w), m.Reset
	sent := func(host string) (n uint64) {
		t.Helper()
		for line := range strings.Lines(run(t, w, host, "netstat -p tcp")) {
			if _, err := fmt.Sscanf(strings.TrimSpace(line), "%d bytes sent using largesend", &n); err == nil {
				return n
			}
		}
		t.Fatalf("%s: netstat -p tcp has no bytes sent using largesend", host)
		return 0
	}
	if _, err := m.Sizes(wire.End{Namespace: "vios1", Device: "en5"}); err != nil {
		t.Skipf("this kernel's packet filter knows no bridges: %v", err)
	}
	const size = 10 << 20
	run(t, w, "lpar1", "chdev -l en0 -a mtu_bypass=on")
	transfer(t, n, "lpar1", "lpar2", "10.10.10.12", size)
	if got := sent("vios1"); got != 0 {
		t.Errorf("vios1, of lpar1's stream: got %d bytes, want none", got)
	}
	transfer(t, n, "vios1", "lpar2", "10.10.10.12", size)
	if got := sent("vios1"); got != 0 {
		t.Errorf("vios1 with mtu_bypass=off: got %d bytes, want none", got)
	}
	run(t, w, "vios1", "chdev -l en5 -a mtu_bypass=on")
	transfer(t, n, "vios1", "lpar2", "10.10.10.12", size)
	if got := sent("vios1"); got < size/2 || got > 2*size {
		t.Errorf("vios1 with mtu_bypass=on: got %d bytes of %d, want most of them", got, size)
	}
	of1 := sent("lpar1")
	run(t, w, "vios1", "shutdown -Fr")
	if got := sent("vios1"); got != 0 {
		t.Errorf("vios1 after its boot: got %d bytes, want none", got)
	}
	if got := sent("lpar1"); got != of1 || got < size/2 {
		t.Errorf("lpar1, which did not boot: got %d bytes, want the %d from before", got, of1)
	}
	transfer(t, n, "lpar1", "lpar2", "10.10.10.12", size)
	run(t, w, "lpar1", "shutdown -Fr")
	if got := sent("lpar1"); got != 0 {
		t.Errorf("lpar1 after its boot: got %d bytes, want none", got)
	}
}

// What the commands print of a real kernel.
func TestCommandsOnTheKernel(t *testing.T) {
	w, n := world(t, "two-systems")
	m, err := largesend.Watch(n)
	if err == nil {
		w.LargeSend = m.LargeSend(w)
	}
	run(t, w, "lpar1", "chdev -l en0 -a mtu_bypass=on")
	if out := run(t, w, "lpar1", "ifconfig en0"); !strings.Contains(out, "LARGESEND") || !strings.Contains(out, "10.10.10.11") {
		t.Errorf("ifconfig: got %q, want LARGESEND and the address", out)
	}
	transfer(t, n, "lpar1", "lpar2", "10.10.10.12", 5<<20)
	out := run(t, w, "lpar1", "netstat -p tcp")
	for _, want := range []string{"packets sent", "connection requests"} {
		if !strings.Contains(out, want) {
			t.Errorf("netstat -p tcp: got %q, want %q", out, want)
		}
	}
	if err == nil && (!strings.Contains(out, "bytes sent using largesend") || strings.Contains(out, "\t0 bytes sent using largesend")) {
		t.Errorf("netstat -p tcp: got %q, want largesend bytes above 0", out)
	}
	for _, line := range []string{"netstat -in", "netstat -rn", "netstat -v", "entstat -d ent0"} {
		if out := run(t, w, "lpar1", line); !strings.Contains(out, "ent0") && !strings.Contains(out, "en0") {
			t.Errorf("%s: got %q", line, out)
		}
	}
	run(t, w, "vios1", "entstat -d ent5")
	// A detached interface has no address in the kernel either.
	run(t, w, "lpar1", "chdev -l en0 -a state=detach")
	l, err := n.Link(wire.End{Namespace: "lpar1", Device: "en0"})
	if err != nil || l.Up || len(l.Addresses) > 0 {
		t.Errorf("detached: got %+v, %v, want it down and without address", l, err)
	}
	run(t, w, "lpar1", "chdev -l en0 -a mtu=9000")
	run(t, w, "lpar1", "chdev -l en0 -a state=up")
	if l, err := n.Link(wire.End{Namespace: "lpar1", Device: "en0"}); err != nil || !l.Up || l.MTU != 9000 || len(l.Addresses) != 1 {
		t.Errorf("up again: got %+v, %v, want MTU 9000 and one address", l, err)
	}
}
