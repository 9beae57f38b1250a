package predict

import (
	"fmt"
	"math"
	"time"

	"seaworthy/internal/inventory/model"
)

// Carried holds what a host of a path carried between two snapshots, and what it used meanwhile. An
// SEA's host is taken to have used its processors for that; at the ends programs run, too: what an
// end used is the most that its traffic can have cost.
type Carried struct {
	Host    string  `json:"host"`
	Role    Role    `json:"role"`
	Seconds float64 `json:"seconds"`
	BPS     float64 `json:"bps"`                     // of payload, in both directions
	Frame   float64 `json:"payload_per_frame_bytes"` // mean by bytes
	Cores   float64 `json:"cores"`
	Off     float64 `json:"cores_off_by"` // standard deviation of Cores, from rounding
}

// mostOff is the share of its cores by which a reading may be off and still say something.
const mostOff = 0.3

// NewCarried compares two snapshots of the hosts of a path. Hosts that show nothing are named with the reason.
func NewCarried(earlier, later *model.Fleet, path *model.Path) (out []Carried, unused []string) {
	seen := map[string]bool{}
	for _, hop := range path.Hops {
		if hop.Ref == nil || seen[hop.Ref.Host] {
			continue
		}
		host := hop.Ref.Host
		seen[host] = true
		c, err := carriedBetween(earlier.Host(host), later.Host(host), path)
		if err != nil {
			unused = append(unused, fmt.Sprintf("%s between the snapshots: %v", host, err))
			continue
		}
		c.Host, c.Role = host, roleOf(path, host)
		out = append(out, *c)
	}
	return out, unused
}

func carriedBetween(before, after *model.Host, path *model.Path) (*Carried, error) {
	switch {
	case before == nil:
		return nil, fmt.Errorf("it is not among the earlier ones")
	case after == nil:
		return nil, fmt.Errorf("it was not read again")
	case after.Another(before) != "":
		return nil, fmt.Errorf("two different hosts have this name (%s)", after.Another(before))
	}
	c := &Carried{}
	if err := c.used(before, after); err != nil {
		return nil, err
	}
	if err := c.traffic(before, after, carriers(after, path)); err != nil {
		return nil, err
	}
	return c, nil
}

// used takes the mean of the cores over the interval from two means since the boot, and its standard deviation: these
// are printed in steps of a hundredth, or of a thousandth of a dedicated partition's processors, and the times in seconds.
func (c *Carried) used(before, after *model.Host) error {
	var mean, up [2]float64
	for i, h := range []*model.Host{before, after} {
		m, ok1 := h.Figures[model.CoresMean]
		u, ok2 := h.Figures[model.Uptime]
		if !ok1 || !ok2 {
			return fmt.Errorf("lparstat and ps of %s do not say what it used since its boot: collect it again",
				h.Taken.UTC().Format(time.DateTime))
		}
		mean[i], up[i] = m.Value, u.Value
	}
	seconds := up[1] - up[0]
	if seconds == 0 {
		return fmt.Errorf("both are of the same moment")
	}
	if apart := after.Taken.Sub(before.Taken).Seconds(); seconds < 0 || math.Abs(seconds-apart) > 60+apart/20 {
		return fmt.Errorf("it was booted in between, or its clock was set")
	}
	step := 0.01
	if p := after.Partition; p.VirtualCPUs != nil {
		step = max(step, float64(*p.VirtualCPUs)/1000)
	}
	c.Seconds, c.Cores = seconds, (mean[1]*up[1]-mean[0]*up[0])/seconds
	rounding := step / math.Sqrt(12) * math.Hypot(up[0], up[1]) / seconds
	c.Off = math.Hypot(rounding, c.Cores/seconds)
	if c.Cores <= 0 || c.Off > mostOff*c.Cores {
		return fmt.Errorf("%.2f ± %.2f cores: lparstat rounds what was used in the %s since the boot, which leaves nothing of %s: "+
			"take the snapshots further apart", max(0, c.Cores), 2*c.Off, duration(up[1]), duration(seconds))
	}
	return nil
}

// carriers are the adapters that count each packet of a host once: the trunks of SEAs, else the one of the path.
func carriers(h *model.Host, path *model.Path) []string {
	var trunks []string
	for _, name := range h.Names(model.SEA) {
		trunks = append(trunks, h.Elements[name].Trunks...)
	}
	if len(trunks) > 0 {
		return trunks
	}
	for _, hop := range path.Hops {
		if hop.Ref != nil && hop.Ref.Host == h.Name && hop.Kind != string(model.Interface) {
			return []string{hop.Ref.Element}
		}
	}
	return nil
}

// traffic adds up what adapters carried. A frame is the mean by bytes, so that acknowledgements, which hold none, do not count.
func (c *Carried) traffic(before, after *model.Host, names []string) error {
	const ethernet = 14 // of a frame, as adapters count it
	rate, weighed := 0.0, 0.0
	for _, name := range names {
		x, y := before.Elements[name], after.Elements[name]
		if x == nil || y == nil {
			return fmt.Errorf("%s: it was not read in both", name)
		}
		seconds := c.Seconds
		if x.CountedS != nil && y.CountedS != nil { // closer to the counters than the uptime
			seconds = float64(*y.CountedS - *x.CountedS)
			if seconds <= 0 {
				return fmt.Errorf("%s: its counters were reset in between", name)
			}
		}
		for _, way := range []string{"rx.", "tx."} {
			var grown [2]float64
			for i, what := range []string{"Bytes", "Packets"} {
				a, ok1 := x.Counters.Get(way + what)
				b, ok2 := y.Counters.Get(way + what)
				if !ok1 || !ok2 || b < a {
					return fmt.Errorf("%s: its counters of bytes and packets were not read in both, or were reset in between", name)
				}
				grown[i] = float64(b - a)
			}
			if payload := grown[0] - grown[1]*(headers+timestamps+ethernet); payload > 0 {
				rate += payload / seconds
				weighed += payload / seconds * payload / grown[1]
			}
		}
	}
	if rate == 0 {
		return fmt.Errorf("it carried nothing")
	}
	c.BPS, c.Frame = rate*8, weighed/rate
	return nil
}

// observation returns what this shows about a host's costs. How many streams there were nobody knows: one is assumed.
func (c *Carried) observation(now *Setup) (Observation, bool) {
	i := now.node(c.Host)
	if i < 0 {
		return Observation{}, false
	}
	n := now.Nodes[i]
	n.Frame = c.Frame
	o := Observation{BPS: c.BPS, Passing: true}
	if n.Role == Bridge {
		o.Cores, o.Spreads = map[string]float64{c.Host: c.Cores}, map[string]float64{c.Host: c.Off / c.Cores}
	} else {
		n.Most = new(c.Cores + 2*c.Off)
	}
	o.Setup = &Setup{Nodes: []Node{n}, Streams: 1, Lanes: 1, Window: now.Window}
	return o, true
}

// assumed returns what that takes for granted.
func (c *Carried) assumed() Assumption {
	what := "all that %s used (%.2f cores) was for the %.0f Mbit/s that it bridged"
	if c.Role != Bridge {
		what = "no more than what %s used (%.2f cores) was for its %.0f Mbit/s"
	}
	return Assumption{fmt.Sprintf(what, c.Host, c.Cores, c.BPS/1e6), "its counters and lparstat, " + duration(c.Seconds) + " apart"}
}

// duration is a number of seconds as people say it.
func duration(seconds float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{24 * 3600, "days"}, {3600, "h"}, {60, "min"}} {
		if seconds >= 2*unit.of {
			return fmt.Sprintf("%.0f %s", seconds/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%.0f s", seconds)
}
