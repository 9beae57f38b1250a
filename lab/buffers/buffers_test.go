package buffers_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"github.com/cilium/ebpf"

	"seaworthy/internal/test/await"
	"seaworthy/lab/buffers"
)

const (
	small = 1 // index of the pool of frames of 1500 bytes
	full  = 2048
)

// A frame takes a buffer of the smallest pool that it fits with the 8 bytes
// before it, and of no other.
func TestPools(t *testing.T) {
	l := up(t)
	l.run("lpar1", "ifconfig en0 down")
	l.run("lpar1", "chdev -l en0 -a mtu=65390")
	l.run("lpar1", "ifconfig en0 up")
	l.run("vios1", "chdev -l ent5 -a jumbo_frames=yes")
	l.answered()
	for _, c := range []struct{ size, pool int }{{60, 0}, {504, 0}, {505, 1}, {2040, 1}, {2041, 2}, {16376, 2}, {16377, 3}, {32760, 3},
		{32761, 4}, {65404, 4}} {
		before := l.meter.Taken("vios1", "ent4")
		l.send(20, c.size)
		after := l.meter.Taken("vios1", "ent4")
		for p := range buffers.PoolCount {
			// Other frames than ours are small ones: address resolution.
			got := after[p] - before[p]
			if p == c.pool && got < 20 || p != c.pool && p > 0 && got > 0 {
				t.Errorf("20 frames of %d bytes: got %d from pool %s, want them from %s", c.size, got, buffers.Names()[p], buffers.Names()[c.pool])
			}
		}
		if c := l.pools("vios1", "ent4"); c.Refused() != 0 {
			t.Errorf("got %d frames refused, want none", c.Refused())
		}
	}
}

// A pool that is used up refuses frames, the sender hears of it, and what the
// kernel lost on the way comes back.
func TestExhausted(t *testing.T) {
	l := up(t)
	l.slow("vios1", "ent4", 1e6)
	const sent = 4000
	l.send(sent, 1400)
	c := l.pools("vios1", "ent4")
	p := c.Pools[small]
	if p.LowestRegistered != 0 || p.Refused == 0 || p.Refused > sent-full {
		t.Errorf("%d frames onto a slow adapter: got %+v, want no buffer left and 1 to %d refused", sent, p, sent-full)
	}
	if got := l.pools("lpar1", "ent0").ReceiverFailures; got != p.Refused {
		t.Errorf("lpar1 heard of %d refused frames, want %d", got, p.Refused)
	}
	// The queue goes with its qdisc: about two thousand frames are lost at once.
	l.room("vios1", "ent4")
	l.slow("vios1", "ent4", 0)
	if p := l.pools("vios1", "ent4").Pools[small]; p.Registered > full/2 {
		t.Errorf("with frames lost on the way: got %d registered, want most still held", p.Registered)
	}
	l.send(1, 1400)
	if p := l.pools("vios1", "ent4").Pools[small]; p.Registered != full || p.Allocated != full {
		t.Errorf("after one more frame: got %+v, want all of %d registered", p, full)
	}
}

// room returns when a slow adapter's pool takes another frame again.
func (l *lab) room(node, adapter string) {
	l.Helper()
	await.Until(l, node+" "+adapter+": its queue moves", func() bool { return l.pools(node, adapter).Pools[small].Registered >= 2 })
}

// Where no frame follows, Reconcile gives back what was lost, and only that.
func TestReconcile(t *testing.T) {
	l := up(t)
	l.meter.Reconcile()
	l.slow("vios1", "ent4", 1e6)
	l.send(1000, 1400)
	held := func() uint64 {
		p := l.pools("vios1", "ent4").Pools[small]
		return p.Allocated - p.Registered
	}
	if held() < 500 {
		t.Fatalf("1000 frames onto a slow adapter: got %d waiting, want 500 and more", held())
	}
	// While the queue moves nothing is given back but by frames.
	for range 5 {
		arrived := held()
		await.Until(t, "the queue moves", func() bool { return held() != arrived })
		if back := l.meter.Reconcile(); back != 0 {
			t.Errorf("frames wait in a queue that moves: got %d buffers given back, want 0", back)
		}
	}
	l.slow("vios1", "ent4", 0) // the queue goes, with all that is in it
	lost := held()
	var back uint64
	for range 3 {
		back += l.meter.Reconcile()
	}
	if held() != 0 || back < lost {
		t.Errorf("%d frames were lost: got %d buffers back and %d still held, want all back", lost, back, held())
	}
	// What comes now is counted as ever.
	l.send(10, 1400)
	if p := l.pools("vios1", "ent4").Pools[small]; p.Registered != full || p.Refused != 0 {
		t.Errorf("afterwards: got %+v, want %d registered and none refused", p, full)
	}
}

// An adapter that is opened again, or whose pools change, starts again.
func TestHistory(t *testing.T) {
	l := up(t)
	l.run("lpar1", "ifconfig en0 detach")
	l.run("lpar1", "chdev -l ent0 -a buf_mode=min")
	l.run("lpar1", "mkdev -l en0")
	p := l.pools("lpar1", "ent0").Pools[small]
	if want := (buffers.Pool{Size: buffers.Size{Min: 512, Max: full}, Allocated: 512, Registered: 512, MaxAllocated: 512,
		LowestRegistered: 512}); p != want {
		t.Errorf("buf_mode=min: got %+v, want %+v", p, want)
	}
	l.answered()
	l.slow("vios1", "ent4", 1e6)
	l.send(4000, 1400)
	if n := l.pools("lpar1", "ent0").ReceiverFailures; n == 0 {
		t.Error("lpar1 heard of no refused frame, want some")
	}
	l.run("lpar1", "ifconfig en0 detach")
	l.run("lpar1", "mkdev -l en0")
	if n := l.pools("lpar1", "ent0").ReceiverFailures; n != 0 {
		t.Errorf("opened again: got %d receiver failures, want 0", n)
	}
	if n := l.pools("vios1", "ent4").Refused(); n == 0 {
		t.Error("vios1's own adapter stayed open: got no refused frame any more")
	}
}

// A frame that the hypervisor switch cuts takes a buffer for each of its parts, and
// all of them come back.
func TestCut(t *testing.T) {
	l := up(t)
	l.run("lpar1", "chdev -l en0 -a mtu_bypass=on")
	l.run("vios1", "chdev -l ent5 -a largesend=0")
	l.answered()
	var listener net.Listener
	l.on("vios1", func() (err error) {
		listener, err = net.Listen("tcp4", "10.10.10.21:9")
		return err
	})
	defer listener.Close()
	got := make(chan int64, 1)
	go func() {
		c, err := listener.Accept()
		if err != nil {
			got <- -1
			return
		}
		defer c.Close()
		n, _ := io.Copy(io.Discard, c)
		got <- n
	}()
	before := l.meter.Taken("vios1", "ent4")
	const sent, payload = 4 << 20, 1460
	l.on("lpar1", func() error {
		c, err := net.Dial("tcp4", "10.10.10.21:9")
		if err != nil {
			return err
		}
		defer c.Close()
		_, err = c.Write(make([]byte, sent))
		return err
	})
	if n := <-got; n != sent {
		t.Fatalf("got %d of %d bytes", n, sent)
	}
	after := l.meter.Taken("vios1", "ent4")
	if n := after[small] - before[small]; n < sent/payload || after[2]+after[3]+after[4] != before[2]+before[3]+before[4] {
		t.Errorf("%d bytes in large frames that are cut: got %v buffers taken after %v, want %d small ones and more, and no larger ones",
			sent, after, before, sent/payload)
	}
	if p := l.pools("vios1", "ent4").Pools[small]; p.Registered != full || p.Refused != 0 {
		t.Errorf("all have arrived: got %+v, want %d registered and none refused", p, full)
	}
}

// As the driver handles frames it allocates more, up to the maximum.
func TestPostAllocation(t *testing.T) {
	l := up(t)
	l.run("lpar1", "ifconfig en0 detach")
	l.run("lpar1", "chdev -l ent0 -a buf_mode=min")
	l.run("lpar1", "mkdev -l en0")
	l.on("vios1", func() (err error) {
		l.socket.Close()
		l.socket, err = net.Dial("udp4", "10.10.10.11:9")
		return err
	})
	l.answered()
	l.slow("lpar1", "ent0", 1e6)
	l.send(2000, 1400)
	// The driver allocates when it handles a frame, and the slow adapter passes
	// 90 a second.
	p := l.pools("lpar1", "ent0").Pools[small]
	await.Until(t, "more than 512 buffers are allocated", func() bool {
		p = l.pools("lpar1", "ent0").Pools[small]
		return p.MaxAllocated > 512
	})
	if p.MaxAllocated <= 512 || p.MaxAllocated > full || p.Allocated < 512 {
		t.Errorf("2000 frames onto 512 of 2048 buffers: got %+v, want more allocated", p)
	}
	l.room("lpar1", "ent0")
	l.slow("lpar1", "ent0", 0)
	l.send(1, 1400)
	if p := l.pools("lpar1", "ent0").Pools[small]; p.Allocated != 512 || p.Registered != 512 {
		t.Errorf("afterwards: got %+v, want what is above the minimum freed", p)
	}
}

// Nothing is left of the programs once their devices are gone.
func TestNothingLeft(t *testing.T) {
	l := up(t)
	ids, err := l.meter.IDs()
	if err != nil || len(ids) == 0 {
		t.Fatalf("programs: got %v, %v", ids, err)
	}
	l.meter.Close()
	l.down()
	for _, id := range ids {
		await.Until(t, fmt.Sprintf("program %d is gone with its network", id), func() bool {
			p, err := ebpf.NewProgramFromID(id)
			if err == nil {
				p.Close()
			}
			return errors.Is(err, os.ErrNotExist)
		})
	}
}

// A VLAN device that comes while the lab runs takes its adapter's buffers, and
// no more once it is gone; what its frames counted stays the adapter's.
func TestVLANAtRunTime(t *testing.T) {
	l := up(t)
	for round := range 2 {
		l.run("lpar1", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=77")
		l.run("lpar1", "chdev -l en1 -a netaddr=10.77.0.11 -a netmask=255.255.255.0 -a state=up")
		if got := l.meter.Cables("lpar1", "ent0"); got != 2 {
			t.Errorf("round %d, with a VLAN device: got %d cables of lpar1 ent0, want 2", round, got)
		}
		taken := l.meter.Taken("lpar1", "ent0")
		l.arrive("lpar1", "en1", 50, 1400)
		if got := l.meter.Taken("lpar1", "ent0")[small] - taken[small]; got < 50 {
			t.Errorf("round %d: 50 frames of the VLAN: got %d buffers of ent0 taken, want one each", round, got)
		}
		if p := l.pools("lpar1", "ent0").Pools[small]; p.Registered != p.Allocated || p.Refused != 0 {
			t.Errorf("round %d, all have arrived: got %+v, want all registered and none refused", round, p)
		}
		l.slow("lpar1", "ent0", 1e6)
		l.arrive("lpar1", "en1", 4000, 1400)
		refused := l.pools("lpar1", "ent0").Pools[small].Refused
		if refused == 0 || refused > 4000-full {
			t.Errorf("round %d, 4000 frames onto a slow adapter: got %d refused, want 1 to %d", round, refused, 4000-full)
		}
		l.slow("lpar1", "ent0", 0)
		l.run("lpar1", "ifconfig en1 detach")
		l.run("lpar1", "rmdev -dl ent1")
		if got := l.meter.Cables("lpar1", "ent0"); got != 1 {
			t.Errorf("round %d, without it: got %d cables of lpar1 ent0, want 1", round, got)
		}
		for range 3 {
			l.meter.Reconcile()
		}
		p := l.pools("lpar1", "ent0").Pools[small]
		if p.Registered != full || p.Refused != refused {
			t.Errorf("round %d, without it: got %+v, want %d registered and %d refused", round, p, full, refused)
		}
		l.run("lpar1", "ifconfig en0 detach")
		l.run("lpar1", "mkdev -l en0") // opened again: its counts begin again
	}
}
