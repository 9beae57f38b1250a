package cputime

import (
	"bytes"
	"errors"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/cilium/ebpf/btf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/internal/measure/probe/meter"
)

// start samples this machine, or skips where that is not permitted.
func start(t *testing.T) *Sampler {
	t.Helper()
	s, err := Start()
	if err != nil {
		// A program that the kernel does not take is not a reason to skip.
		if _, none := btf.LoadKernelSpec(); errors.Is(err, os.ErrPermission) || none != nil {
			t.Skipf("nothing can be sampled here: %v", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Every processor is kept busy: then all that the sampler finds must be what
// the kernel's own account finds, and most of it this process's user time.
func TestSumIsTheMachines(t *testing.T) {
	s := start(t)
	// The two readings are not of one moment; beside other work much can lie
	// between them.
	var sum, machines float64
	for range 5 {
		sum, machines = sumBusy(t, s)
		if math.Abs(sum-machines) <= 0.05*machines {
			return
		}
	}
	t.Errorf("got %.3f cores of all owners, want the machine's %.3f within 5 %%", sum, machines)
}

// sumBusy gives the cores of all owners and the machine's over two seconds in
// which this process keeps every processor busy.
func sumBusy(t *testing.T, s *Sampler) (owners, machines float64) {
	t.Helper()
	machine := func() *meter.ProcStat {
		text, err := os.ReadFile("/proc/stat")
		if err != nil {
			t.Fatal(err)
		}
		m, err := meter.ParseProcStat(string(text), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	before := machine()
	first, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	self := meter.ReadSelf()
	stop := time.Now().Add(2 * time.Second)
	done := make(chan float64)
	for range before.CPUs {
		go func() {
			x := 1.0
			for time.Now().Before(stop) {
				for range 100_000 {
					x = math.Sqrt(x + 1)
				}
			}
			done <- x
		}()
	}
	for range before.CPUs {
		<-done
	}
	last, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	mine := meter.ReadSelf().Since(self)
	u, err := machine().Since(before)
	if err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Stat("/proc/thread-self/ns/net", &st); err != nil {
		t.Fatal(err)
	}
	sum, here := 0.0, 0.0
	for k, v := range last {
		d := (v - first[k]).Seconds() / u.Seconds
		if k.Kind != Idle {
			sum += d
		}
		if k.Namespace == uint32(st.Ino) && k.Kind == User {
			here += d
		}
	}
	if here < 0.9*mine.User {
		t.Errorf("got %.3f cores of user time in this namespace, want at least this process's %.3f", here, mine.User)
	}
	return sum, u.Cores
}

// Frames that pass from one end of a cable to the other cost softirq time of the
// namespace they are in.
func TestFrames(t *testing.T) {
	runtime.LockOSThread() // and never back: the thread's namespace goes with it
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Skipf("no network namespace of its own: %v", err)
	}
	s := start(t)
	send := cable(t)
	var here unix.Stat_t
	if err := unix.Stat("/proc/thread-self/ns/net", &here); err != nil {
		t.Fatal(err)
	}
	var before, after unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &before); err != nil {
		t.Fatal(err)
	}
	send(time.Second)
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &after); err != nil {
		t.Fatal(err)
	}
	used, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	// They run on the back of the sender, who got as much time as other work left it.
	sender := time.Duration(after.Stime.Nano() - before.Stime.Nano())
	if got := used[key{uint32(here.Ino), SoftIRQ}]; got < sender/10 || got == 0 {
		t.Errorf("a second of frames: got %v of softirq time in their namespace, want a tenth of the sender's %v and more", got, sender)
	}
}

// cable makes a cable in the thread's namespace and gives what sends over it.
func cable(t *testing.T) func(time.Duration) {
	t.Helper()
	if err := netlink.LinkAdd(&netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "a"}, PeerName: "b"}); err != nil {
		t.Fatal(err)
	}
	index := 0
	for _, name := range []string{"a", "b"} {
		l, err := netlink.LinkByName(name)
		if err == nil {
			err = netlink.LinkSetUp(l)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		index = l.Attrs().Index
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	frame := append(bytes.Repeat([]byte{0xff}, 12), 0x88, 0xb5) // to all, for local experiments
	frame = append(frame, make([]byte, 100)...)
	return func(d time.Duration) {
		for end := time.Now().Add(d); time.Now().Before(end); {
			for range 100 {
				if err := unix.Sendto(fd, frame, 0, &unix.SockaddrLinklayer{Ifindex: index}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Nothing is left when the sampler is closed, and it can begin again.
func TestCloseAndStart(t *testing.T) {
	s := start(t)
	s.Close()
	if _, err := s.read(); err == nil {
		t.Error("read after Close: got no error")
	}
	again := start(t)
	if _, err := again.read(); err != nil {
		t.Error(err)
	}
}
