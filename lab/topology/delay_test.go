package topology

import (
	"strings"
	"testing"
	"time"
)

func TestDelay(t *testing.T) {
	_, data, err := Source("two-systems")
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
