package buffers_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/buffers"
	"seaworthy/lab/effect"
	"seaworthy/lab/node"
	"seaworthy/lab/node/commands"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// The tests run in a network namespace of their own, with the rights they were
// started with: only root on the machine may load programs.
func TestMain(m *testing.M) {
	if os.Getenv("BUFFERS_INSIDE") != "" || os.Geteuid() != 0 {
		os.Exit(m.Run())
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), "BUFFERS_INSIDE=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		os.Exit(m.Run())
	}
}

// lab is two-systems on the real kernel, with receive buffers: lpar1 reaches
// vios1 (10.10.10.21) by the trunk adapter ent4 without any wire between.
type lab struct {
	*testing.T
	world  *node.Simulator
	net    *wire.Network
	meter  *buffers.Meter
	down   func()   // closes net, once
	socket net.Conn // on lpar1, to vios1's port of discarded datagrams
}

func up(t *testing.T) *lab {
	t.Helper()
	if os.Getenv("BUFFERS_INSIDE") == "" {
		t.Skip("receive buffers need root on the machine")
	}
	top, err := topology.Load(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{T: t}
	if l.net, err = wire.Build(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	l.down = sync.OnceFunc(l.net.Close)
	t.Cleanup(l.down)
	l.meter, err = buffers.Watch(l.net)
	if errors.Is(err, os.ErrPermission) {
		t.Skipf("no rights to load programs: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.meter.Close)
	if l.world, err = node.New(top, cat, l.net); err != nil {
		t.Fatal(err)
	}
	l.world.Buffers = l.meter
	if err := l.world.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.on("lpar1", func() (err error) {
		l.socket, err = net.Dial("udp4", "10.10.10.21:9")
		return err
	})
	t.Cleanup(func() { l.socket.Close() })
	l.answered()
	return l
}

func (l *lab) on(host string, f func() error) {
	l.Helper()
	if err := l.net.Run(host, f); err != nil {
		l.Fatalf("%s: %v", host, err)
	}
}

// answered returns when lpar1 knows vios1's address: what is sent from then on
// leaves at once.
func (l *lab) answered() {
	l.Helper()
	for range 1000 {
		l.send(1, 10)
		// No one listens at that port: vios1 says so, and the socket hears it.
		_ = l.socket.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		if _, err := l.socket.Read(make([]byte, 1)); errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
	}
	l.Fatal("lpar1 does not reach vios1")
}

// send sends datagrams whose frames have the given size, all by one CPU.
func (l *lab) send(frames, size int) {
	l.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		l.Fatal(err)
	}
	for cpu := range 1024 {
		if before.IsSet(cpu) {
			one.Set(cpu)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		l.Fatal(err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	b := make([]byte, max(0, size-42))
	for range frames {
		// An answer to an earlier one may come back as an error first.
		if _, err := l.socket.Write(b); err != nil {
			if _, err = l.socket.Write(b); err != nil {
				l.Fatal(err)
			}
		}
	}
}

func (l *lab) pools(host, adapter string) buffers.Counts {
	l.Helper()
	c, err := l.meter.Read(host, adapter)
	if err != nil {
		l.Fatal(err)
	}
	return c
}

// run is a command on a node as root.
func (l *lab) run(host, line string) string {
	l.Helper()
	var out, errs bytes.Buffer
	argv := strings.Fields(line)
	c := &node.Call{Node: host, User: "root", Argv: argv, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	if status := commands.Served(l.world)[argv[0]](l.Context(), c); status != 0 {
		l.Fatalf("%s: %s: got status %d, %s", host, line, status, &errs)
	}
	return out.String()
}

// slow lets an adapter's partition empty its queue at a rate; 0: at once again.
func (l *lab) slow(host, adapter string, rate uint64) {
	l.Helper()
	_, err := l.world.Break(l.Context(), effect.Fault{Kind: effect.FullBuffers, At: [2]string{host, adapter}}, int64(rate))
	if err != nil {
		l.Fatal(err)
	}
}

// arrive lets frames leave the hypervisor switch towards a device of a node.
func (l *lab) arrive(host, device string, frames, size int) {
	l.Helper()
	far, ok := l.net.Far(wire.End{Namespace: host, Device: device})
	if !ok {
		l.Fatalf("%s %s: no cable", host, device)
	}
	l.on(far.Namespace, func() error {
		at, err := net.InterfaceByName(far.Device)
		if err != nil {
			return err
		}
		s, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(s)
		// Room for all of them: else it waits for the slow adapter.
		if err := unix.SetsockoptInt(s, unix.SOL_SOCKET, unix.SO_SNDBUFFORCE, 64<<20); err != nil {
			return err
		}
		frame := make([]byte, size)
		for i := range 6 {
			frame[i] = 0xff
		}
		frame[12], frame[13] = 0x88, 0xb5 // a type for experiments: nobody answers
		for range frames {
			err := unix.Sendto(s, frame, 0, &unix.SockaddrLinklayer{Ifindex: at.Index})
			// The kernel says so when the frame was dropped.
			if err != nil && !errors.Is(err, unix.ENOBUFS) {
				return fmt.Errorf("send: %w", err)
			}
		}
		return nil
	})
}
