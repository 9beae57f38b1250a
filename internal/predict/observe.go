package predict

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/gonum/stat"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/stats"
)

// Observation holds what a path was measured to carry, and what that cost each host.
type Observation struct {
	Setup *Setup
	BPS   float64            // of streams
	TPS   float64            // of sessions
	Cores map[string]float64 // by host; absent: not measured

	// How far trials lie apart, as the standard deviation of logarithms: of the throughput,
	// and of a host's cores a bit. 0: one trial.
	Spread  float64
	Spreads map[string]float64

	// Passing: what passed anyway. It shows what a byte costs, not what the path can carry.
	Passing bool

	// Of sessions, by their mean latency: the median of trials. 0: not measured.
	P50, P99 float64
}

func (o Observation) rate() float64 {
	if o.Setup.Sessions > 0 {
		return o.TPS
	}
	return o.BPS
}

// Observe takes out of a saved result what it shows of a path: medians, by workload
// and variant. Anything that does not fit the path is named with the reason.
func Observe(r *measure.Result, path *model.Path) (seen []Observation, unused []string) {
	name := r.Options.From + " to " + r.Options.To + " of " + r.Started.UTC().Format("2006-01-02 15:04")
	not := func(format string, args ...any) {
		unused = append(unused, name+": "+fmt.Sprintf(format, args...))
	}
	switch {
	case !r.Path.Whole():
		not("the result holds no path")
		return nil, unused
	case r.Path.Path.From != path.From || r.Path.Path.To != path.To:
		not("its path is %s to %s", r.Path.Path.From, r.Path.Path.To)
		return nil, unused
	}
	for _, w := range r.Options.Workloads {
		for _, v := range r.Options.AllVariants() {
			trials := measure.Pick(r.Trials, w.Name, v)
			values, ok := valuesOf(r, v)
			switch {
			case len(trials) == 0:
				continue
			case w.Reverse:
				not("%s: only streams from --from to --to are predicted", w.Name)
				continue
			case w.Kind == load.RequestResponse && (w.Sessions < 1 || w.Request < 1 || w.Response < 1):
				not("%s: the result does not say how large its messages are", w.Name)
				continue
			case w.Rate > 0:
				not("%s: requests at a rate do not show what a path can carry", w.Name)
				continue
			case !ok:
				not("%s: what %q changed is not understood", w.Name, v)
				continue
			}
			l := Load{Streams: w.Streams, Window: window(r, w, trials)}
			if w.Kind == load.RequestResponse {
				l = Load{Sessions: w.Sessions, Request: w.Request, Response: w.Response}
			}
			s := NewSetup(r.Path.Fleet, &r.Path.Path, values, l)
			if len(s.Unknown) > 0 {
				not("%s: %s", w.Name, s.Unknown[0])
				continue
			}
			if o := observed(s, trials); o != nil {
				seen = append(seen, *o)
			}
		}
	}
	return seen, unused
}

// set is a change as bench keeps it: lpar1:en0 mtu_bypass: off → on.
var set = regexp.MustCompile(`^(\S+):(\S+) (\S+): .* → (\S+)$`)

// valuesOf are the settings that a variant changes on the path as it was found.
func valuesOf(r *measure.Result, variant string) (Values, bool) {
	values := Values{}
	for _, c := range r.Options.Changes {
		if c.Variant != variant {
			continue
		}
		for _, v := range c.Values {
			m := set.FindStringSubmatch(v)
			if m == nil {
				return nil, false
			}
			values[Target{model.Ref{Host: m[1], Element: m[2]}, m[3]}] = m[4]
		}
	}
	return values, true
}

// window returns what the sockets of a load were given: what was asked for, else what the
// systems granted. Linux reports twice the bytes that hold data.
func window(r *measure.Result, w measure.Workload, trials []*measure.Trial) float64 {
	if w.Window > 0 {
		return float64(w.Window)
	}
	least := 0
	for host, states := range trials[0].Sockets {
		for _, s := range states {
			granted := s.Granted.Receive
			if host == r.Options.From {
				granted = s.Granted.Send
			}
			if granted == nil {
				continue
			}
			n := *granted
			if slices.ContainsFunc(r.Hosts, func(h measure.HostInfo) bool { return h.Name == host && h.OS == "linux" }) {
				n /= 2
			}
			if n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
	}
	return float64(least)
}

// observed is the median of trials; nil if they carried nothing.
func observed(s *Setup, trials []*measure.Trial) *Observation {
	var rates []float64
	cores := map[string][]float64{}
	var p50, p99 []float64
	for _, t := range trials {
		rate := t.BPS
		if s.Sessions > 0 {
			rate = t.TPS
		}
		if rate == nil || *rate <= 0 {
			continue
		}
		rates = append(rates, *rate)
		if l := t.Latency; l != nil && s.Sessions > 0 {
			mean := float64(s.Sessions) / *rate * 1e6
			p50, p99 = append(p50, l.P50/mean), append(p99, l.P99/mean)
		}
		for host, c := range t.CPU {
			if own := c.Alone(); own != nil {
				cores[host] = append(cores[host], *own / *rate)
			}
		}
	}
	sum := stats.Summarise(rates)
	if sum == nil {
		return nil
	}
	o := &Observation{Setup: s, Cores: map[string]float64{}, Spread: deviationOf(rates), Spreads: map[string]float64{}}
	if s.Sessions > 0 {
		o.TPS = sum.Median
		if x, y := stats.Summarise(p50), stats.Summarise(p99); x != nil && y != nil {
			o.P50, o.P99 = x.Median, y.Median
		}
	} else {
		o.BPS = sum.Median
	}
	for _, host := range slices.Sorted(maps.Keys(cores)) {
		if c := stats.Summarise(cores[host]); c != nil {
			o.Cores[host], o.Spreads[host] = c.Median*sum.Median, deviationOf(cores[host])
		}
	}
	return o
}

// deviationOf is the standard deviation of logarithms.
func deviationOf(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	l := make([]float64, len(x))
	for i, v := range x {
		l[i] = math.Log(v)
	}
	return stat.StdDev(l, nil)
}
