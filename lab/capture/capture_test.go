package capture

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestHop(t *testing.T) {
	var s Seen
	at := time.Unix(100, 0)
	for _, size := range []int{66, 1514, 1514, 9014, 9015, 65226} {
		s.add(size, at)
		at = at.Add(time.Second)
	}
	h := hop(&s, 1500)
	want := []Class{{1514, 3}, {9014, 1}, {32768, 1}, {0, 1}}
	if diff := cmp.Diff(want, h.Classes); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
	if h.Frames != 6 || h.Median != 1514 || h.Largest != 65226 || h.OverMTU != 3 || h.Bytes != 66+1514*2+9014+9015+65226 ||
		!h.firstAt.Equal(time.Unix(100, 0)) {
		t.Errorf("got %+v", h)
	}
}

// The program is one that the kernel takes, and its jumps end inside it.
func TestFilter(t *testing.T) {
	program := filter(netip.MustParseAddrPort("10.1.2.3:5099"))
	for i, f := range program {
		if f.Code&7 == unix.BPF_JMP && (i+1+int(f.Jt) >= len(program) || i+1+int(f.Jf) >= len(program)) {
			t.Errorf("instruction %d jumps out of the program", i)
		}
	}
	last := program[len(program)-1]
	if last.Code != unix.BPF_RET|unix.BPF_K || last.K != 0 {
		t.Errorf("the last instruction is %+v, want that it drops", last)
	}
	for i, f := range program {
		miss := i + 1 + int(f.Jf)
		if f.Code == unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K && miss != len(program)-1 {
			t.Errorf("instruction %d: a frame that does not fit goes on at %d, want it dropped", i, miss)
		}
	}
	if program[5].K != 0x0a010203 || program[10].K != 5099 {
		t.Errorf("got address %#x, port %d", program[5].K, program[10].K)
	}
}
