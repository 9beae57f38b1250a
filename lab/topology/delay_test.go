package topology

import (
	"strings"
	"testing"
	"time"
)

func TestDelay(t *testing.T) {
	_, data, err := Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	far := strings.Replace(string(data), "sw1/2: {mtu: 1500, ", "sw1/2: {mtu: 1500, delay: 1.5ms, ", 1)
	top, err := Parse("site.yaml", []byte(far))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []time.Duration{0, 1500 * time.Microsecond} {
		if got := top.Switch.Ports[i].Delay; got != want {
			t.Errorf("%s: got delay %s, want %s", top.Switch.Ports[i].Name, got, want)
		}
	}
}

func FuzzParseDelay(f *testing.F) {
	for _, s := range []string{"250us", "1.5ms", "0", "-1ms", "100h", "1e3us"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDelay(text); err == nil && (d < 10*time.Microsecond || d > MaxDelay) {
			t.Errorf("ParseDelay(%q): got %s, want 10us to %s or an error", text, d, MaxDelay)
		}
	})
}
