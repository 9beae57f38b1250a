package execute_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/change/execute"
)

// One by one, no host is changed while another is.
func TestOneByOne(t *testing.T) {
	boxes := lpars(t, 3)
	var desired []string
	var mu sync.Mutex
	var order []string
	for _, b := range boxes {
		desired = append(desired, b.Name()+":en0:mtu_bypass=on")
		b.onRun = func(line string) {
			mu.Lock()
			defer mu.Unlock()
			if strings.HasPrefix(line, "chdev") || strings.HasPrefix(line, "lsattr") {
				order = append(order, b.Name())
			}
		}
	}
	p := build(t, boxes, desired...)
	r := runner(t, boxes...)
	r.OneByOne = true
	run, err := r.Apply(t.Context(), p)
	if err != nil || run.Outcome != execute.Applied {
		t.Fatalf("got %+v, %v", run, err)
	}
	if got, want := slices.Compact(order), []string{"lpar1", "lpar2", "lpar3"}; !slices.Equal(got, want) {
		t.Errorf("hosts were changed in the order %v, want %v", got, want)
	}
}

// The host that comes first is changed and verified before the others; if it is not accepted,
// they stay as they are and it is undone.
func TestFirst(t *testing.T) {
	for _, refused := range []bool{false, true} {
		boxes := lpars(t, 3)
		var desired []string
		for _, b := range boxes {
			desired = append(desired, b.Name()+":en0:mtu_bypass=on", b.Name()+":no:sb_max=2097152")
		}
		p := build(t, boxes, desired...)
		r := runner(t, boxes...)
		r.First = "lpar2"
		asked := 0
		r.Accept = func(context.Context, string) error {
			asked++
			for _, b := range boxes {
				bypass, sb := *b.host.Elements["en0"].Attrs["mtu_bypass"].Running, *b.host.Tunables["sb_max"].Running
				if first := b.Name() == "lpar2"; (bypass == "on") != first || (sb == "2097152") != first {
					t.Errorf("when asked, %s has mtu_bypass=%s and sb_max=%s", b.Name(), bypass, sb)
				}
			}
			if refused {
				return errors.New("users complain")
			}
			return nil
		}
		before := state(boxes[1].host)
		run, err := r.Apply(t.Context(), p)
		if asked != 1 {
			t.Errorf("asked %d times, want once", asked)
		}
		switch {
		case !refused && (err != nil || run.Outcome != execute.Applied):
			t.Errorf("accepted: got %+v, %v", run, err)
		case refused && (run.Outcome != execute.RolledBack || !strings.Contains(err.Error(), "users complain")):
			t.Errorf("refused: got %+v, %v", run, err)
		}
		for _, b := range boxes {
			if on := *b.host.Elements["en0"].Attrs["mtu_bypass"].Running == "on"; on == refused {
				t.Errorf("in the end, refused %v: %s has mtu_bypass on: %v", refused, b.Name(), on)
			}
		}
		if after := state(boxes[1].host); refused && after["en0 mtu_bypass"] != before["en0 mtu_bypass"] {
			t.Errorf("refused: lpar2 has %v, want %v", after, before)
		}
	}
}

func TestFirstThatCannotBe(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v}, "lpar1:en0:mtu_bypass=on", "vios1:ent5:largesend=1")
	for host, want := range map[string]string{"lpar9": "has no step", "vios1": "cannot come first", "lpar1": "cannot come first"} {
		r := runner(t, l, v)
		r.First = host
		run, err := r.Apply(t.Context(), p)
		if run != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s first: got %+v, %v, want that it %s", host, run, err, want)
		}
	}
}
