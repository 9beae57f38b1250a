package wire

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// The chains of IP packets see what a namespace's bridges pass as long as one of
// its ends delays or waits for a late receiver, and no longer.
func TestBridgedSeen(t *testing.T) {
	t.Parallel()
	n, st := built(t, "two-systems")
	var ends []End
	for _, d := range n.Devices() {
		if d.Place == SwitchPort && len(ends) < 2 {
			ends = append(ends, d.End)
		}
	}
	if len(ends) < 2 || ends[0].Namespace != ends[1].Namespace {
		t.Fatalf("switch ports: got %v, want two of one switch", ends)
	}
	delay := func(d time.Duration) func(*Settings) { return func(s *Settings) { s.Delay = d } }
	late := func(bits uint64, queue uint32) func(*Settings) {
		return func(s *Settings) { s.RateBits, s.QueueBytes = bits, queue }
	}
	rate := st.Ends[ends[1]].RateBits
	for _, step := range []struct {
		name string
		end  End
		do   func(*Settings)
		want string
	}{
		{"at the start", ends[0], func(*Settings) {}, "0"},
		{"a line with a queue of its own", ends[0], late(1e9, 0), "0"},
		{"a late receiver", ends[1], late(1e6, 1<<20), "1"},
		{"a delay, too", ends[0], delay(time.Millisecond), "1"},
		{"no delay any more", ends[0], delay(0), "1"},
		{"a delay again", ends[0], delay(time.Millisecond), "1"},
		{"the receiver in time", ends[1], late(rate, 0), "1"},
		{"neither", ends[0], delay(0), "0"},
	} {
		s := st.Ends[step.end]
		step.do(&s)
		st.Ends[step.end] = s
		if err := n.Apply(t.Context(), st); err != nil {
			if strings.Contains(err.Error(), "needs ") && os.Getenv("CI") != "true" {
				t.Skipf("no delays here: %v", err)
			}
			t.Fatalf("%s: %v", step.name, err)
		}
		var got []byte
		err := n.Run(step.end.Namespace, func() (err error) {
			got, err = os.ReadFile("/proc/sys/net/bridge/bridge-nf-call-iptables")
			return err
		})
		if errors.Is(err, os.ErrNotExist) {
			t.Skip("this kernel's bridges show nobody what they pass")
		}
		if err != nil {
			t.Fatal(err)
		}
		if now := strings.TrimSpace(string(got)); now != step.want {
			t.Errorf("%s: got %s, want %s", step.name, now, step.want)
		}
	}
}
