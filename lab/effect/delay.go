package effect

import "time"

// delay is how long packets are on the cable of a switch port, each way.
func (v *view) delay(port string) time.Duration {
	if d := v.Faults.Of(Delay, port); d > 0 {
		return time.Duration(d)
	}
	for _, p := range v.t.Switch.Ports {
		if p.Name == port {
			return p.Delay
		}
	}
	return 0
}

// lagDelay is that of an aggregate: of its slowest port, since it is the switch's
// end of them all that holds packets up.
func (v *view) lagDelay(lag string) time.Duration {
	var d time.Duration
	for _, p := range v.t.Switch.Ports {
		if p.LAG == lag {
			d = max(d, v.delay(p.Name))
		}
	}
	return d
}
