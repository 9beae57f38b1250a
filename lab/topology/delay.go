package topology

import (
	"fmt"
	"time"
)

// MaxDelay is the longest that a cable can take, one way: that of 20,000 km of
// glass fibre.
const MaxDelay = 100 * time.Millisecond

// ParseDelay reads how long a packet is on a cable: 250us, 1.5ms; from 10us to
// MaxDelay.
func ParseDelay(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 10*time.Microsecond || d > MaxDelay {
		return 0, fmt.Errorf("%q, expected a time from 10us to %s, e.g. 250us", text, MaxDelay)
	}
	return d, nil
}

// delay is that of a port. The ports of an aggregate lead to the same place: the
// switch knows the delay of them together only.
func (r *resolver) delay(t *Topology, p Port, raw rawPort, line int) time.Duration {
	var d time.Duration
	what := "switch port " + p.Name + " delay"
	if raw.Delay.given() {
		var err error
		if d, err = ParseDelay(raw.Delay.s); err != nil {
			r.fail(raw.Delay.line, "%s %v", what, err)
		}
	}
	for _, o := range t.Switch.Ports {
		if p.LAG != "" && o.LAG == p.LAG && o.Delay != d {
			r.fail(line, "%s %s: port %s of the same lag %s has %s", what, d, o.Name, p.LAG, o.Delay)
		}
	}
	return d
}
