package cputime

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/cilium/ebpf/btf"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/probe/meter"
)

func TestFindMember(t *testing.T) {
	word := &btf.Int{Size: 4}
	inner := &btf.Struct{Size: 8, Members: []btf.Member{{Name: "a", Type: word}, {Name: "inum", Type: word, Offset: 32}}}
	nameless := &btf.Union{Size: 8, Members: []btf.Member{{Name: "x", Type: word}, {Type: inner}}}
	members := []btf.Member{{Name: "ns", Type: &btf.Typedef{Name: "t", Type: inner}, Offset: 64}, {Type: nameless, Offset: 128}, {Name: "ptr", Type: &btf.Pointer{Target: inner}, Offset: 192}}
	for _, tt := range []struct {
		path []string
		want btf.Bits
		ok   bool
	}{
		{[]string{"ns"}, 64, true},
		{[]string{"ns", "inum"}, 96, true},
		{[]string{"x"}, 128, true},
		{[]string{"inum"}, 160, true}, // in a nameless struct of a nameless union
		{[]string{"ptr", "inum"}, 0, false},
		{[]string{"nosuch"}, 0, false},
		{[]string{"ns", "nosuch"}, 0, false},
	} {
		if got, ok := find(members, tt.path); got != tt.want || ok != tt.ok {
			t.Errorf("%v: got %d, %v; want %d, %v", tt.path, got, ok, tt.want, tt.ok)
		}
	}
}

// start samples this machine, or skips where that is not permitted.
func start(t *testing.T) *Sampler {
	t.Helper()
	s, err := Start()
	if err != nil {
		// A program that the kernel does not take is no reason to skip.
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
		if sum, machines = sumBusy(t, s); math.Abs(sum-machines) <= 0.05*machines {
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

// Frames pass from one namespace to another. What a sampler makes of the
// windows in which it sees whose they are is what one says that always sees,
// and tracepoints tell it when a softirq runs. So it is whichever way the
// others know of softirqs.
func TestWindows(t *testing.T) {
	runtime.LockOSThread() // and never back: the thread's namespace goes with it
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Skipf("no network namespace of its own: %v", err)
	}
	start(t).Close() // or skip
	// Among other work it would send by fits and starts, of which windows see
	// all or nothing.
	if err := unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), -20); err != nil {
		t.Fatal(err)
	}
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		t.Fatal(err)
	}
	o, err := readOffsets(spec)
	if err != nil {
		t.Fatal(err)
	}
	samplers := map[string]*Sampler{}
	ways := map[string]count{"always": {}, "tracepoints": {}}
	if c := readCount(spec); c.known {
		ways["preempt count"] = c
	} else {
		t.Log("this kernel does not tell where its preempt count is")
	}
	for name, c := range ways {
		s, err := begin(o, c)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Cleanup(s.Close)
		samplers[name] = s
	}
	keepOpen(t, samplers["always"])
	frames := cable(t)
	var here unix.Stat_t
	if err := unix.Stat("/proc/thread-self/ns/net", &here); err != nil {
		t.Fatal(err)
	}
	// of gives the softirq time of the frames' namespace, and of all.
	of := func(s *Sampler) (frames, all time.Duration) {
		before := s.spent()
		now, err := s.read()
		if err != nil {
			t.Fatal(err)
		}
		after := s.spent()
		for k, d := range now {
			if k.Kind == SoftIRQ {
				all += d
			}
		}
		// Each processor can be within a look.
		if slack := time.Duration(runtime.NumCPU() * longest); all < before-slack || all > after+slack {
			t.Errorf("softirqs' time of all namespaces: got %v, want between the %v before and the %v after it", all, before, after)
		}
		return now[key{uint32(here.Ino), SoftIRQ}], all
	}
	type pair struct{ frames, all time.Duration }
	was, got := map[string]pair{}, map[string]pair{}
	for name, s := range samplers {
		f, all := of(s)
		was[name] = pair{f, all}
	}
	near := func(got, want time.Duration, by float64) bool {
		return want > 0 && math.Abs(float64(got-want)) <= by*float64(want)
	}
	// Two seconds are few windows: beside other work their luck is large. It
	// shrinks as they add up, what the windows get wrong does not.
	for range 16 {
		frames(2 * time.Second)
		far := false
		for name, s := range samplers {
			f, all := of(s)
			got[name] = pair{f - was[name].frames, all - was[name].all}
		}
		for _, g := range got {
			// Every frame is a softirq of its own here, and the tracepoints lack its
			// begin and end.
			far = far || !near(g.frames, got["always"].frames, 0.3) || !near(g.all, got["always"].all, 0.5)
		}
		if !far {
			return
		}
	}
	t.Errorf("softirq time of the frames' namespace, and of all: got %v, want of each way about what it is with a window that is always open", got)
}

// keepOpen opens a sampler's window for good.
func keepOpen(t *testing.T, s *Sampler) {
	t.Helper()
	close(s.stop)
	s.stopped.Wait()
	s.stop = nil
	s.denser(true)
	if len(s.noting.links) == 0 {
		if err := s.noting.open(); err != nil {
			t.Fatal(err)
		}
	}
}

// What was noted of a softirq is not believed of one that runs when nothing is
// noted any more: the looks forget it on every processor.
func TestForgotten(t *testing.T) {
	s := start(t)
	close(s.stop)
	s.stopped.Wait()
	s.stop = nil
	s.noting.close()
	left := func() (n int) {
		var all [][stateSize]byte
		if err := s.state.Lookup(uint32(0), &all); err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			last := binary.NativeEndian.Uint64(one[stateLast:])
			if last != 0 && binary.NativeEndian.Uint64(one[stateDevice:]) != 0 {
				n++
			}
		}
		return n
	}
	var all [][stateSize]byte
	if err := s.state.Lookup(uint32(0), &all); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		binary.NativeEndian.PutUint64(all[i][stateDevice:], 1)
	}
	if err := s.state.Put(uint32(0), all); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if left() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("got %d processors that remember a device 10 s after the window was closed, want none", left())
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

// Nothing is left when the sampler is closed, and it can begin anew.
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
