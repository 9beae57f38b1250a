package predict

import (
	"fmt"
	"math"
	"math/rand/v2"

	"seaworthy/catalog"
)

// model is fitted to a path: its streams, and the cores of each of its hosts.
type model struct {
	costs  *catalog.Costs
	stream *posterior
	hosts  map[string]*posterior
}

// Spreads of the priors, of logarithms.
const (
	anyMachine = 2.0 // of the common factor, once something was measured
	relation   = 0.5 // of one coefficient to the others
	tripSpread = 0.7
	scaling    = 0.8 // of σ
	coherency  = 1.0 // of κ
	batching   = 0.1 // of the power itself
	waking     = 1.0
)

// blunt is how the smooth minimum rounds the corner: of two equal limits 11 % are lost.
const (
	blunt    = 6.0
	blunting = 0.4 // spread of its logarithm
)

// newModel fits the model to what was observed of a path's streams and of its hosts.
func newModel(c *catalog.Costs, nodes []Node, seen []Observation) (*model, error) {
	m := &model{costs: c, hosts: map[string]*posterior{}}
	var streams []Observation
	for _, o := range seen {
		if o.BPS > 0 {
			streams = append(streams, o)
		}
	}
	y, spreads := make([]float64, len(streams)), make([]float64, len(streams))
	for i, o := range streams {
		y[i], spreads[i] = math.Log(o.BPS), o.Spread
	}
	var err error
	prior := []param{m.factor(len(y)), {0, relation}, {0, relation}, {0, relation}, {math.Log(c.RoundTrip / 1000), tripSpread},
		{math.Log(c.Contention), scaling}, {math.Log(c.Coherency), coherency}, {math.Log(blunt), blunting}}
	m.stream, err = regress(prior, noiseOf(spreads), y, func(theta []float64, i int) float64 {
		return math.Log(lesser(math.Exp(theta[7]), m.rate(theta, streams[i].Setup).both, streams[i].Setup.Line))
	})
	if err != nil {
		return nil, fmt.Errorf("streams: %w", err)
	}
	for _, n := range nodes {
		if m.hosts[n.Host], err = m.host(n, seen); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Host, err)
		}
	}
	return m, nil
}

// factor is the prior of what multiplies every cost: the published spread, or
// nearly anything once the machine itself was measured.
func (m *model) factor(measured int) param {
	if measured > 0 {
		return param{0, anyMachine}
	}
	return param{0, math.Log(m.costs.Factor) / 1.96}
}

// host fits what a host spends for a byte.
func (m *model) host(n Node, seen []Observation) (*posterior, error) {
	var y []float64
	var at []*Setup
	var nodes []Node
	var rate, spreads []float64
	for _, o := range seen {
		if used := o.Cores[n.Host]; used > 0 && o.BPS > 0 {
			if i := o.Setup.node(n.Host); i >= 0 {
				rate, spreads = append(rate, o.BPS/8), append(spreads, o.Spreads[n.Host])
				y = append(y, math.Log(used*8/o.BPS))
				at, nodes = append(at, o.Setup), append(nodes, o.Setup.Nodes[i])
			}
		}
	}
	prior := []param{m.factor(len(y)), {0, relation}, {0, relation}, {0, relation}, {m.costs.Batching, batching},
		{math.Log(m.costs.Waking), waking}}
	return regress(prior, noiseOf(spreads), y, func(theta []float64, i int) float64 {
		return math.Log(m.spent(theta, nodes[i], at[i]) + awake(theta)/rate[i])
	})
}

// spent is the core-seconds that a host spends for a byte.
func (m *model) spent(theta []float64, n Node, s *Setup) float64 {
	c := m.costs.Hosts[string(n.Role)]
	cycles := c.Byte*math.Exp(theta[1]) + c.Frame*math.Exp(theta[2])/n.Frame + c.Window*math.Exp(theta[3])/s.Window
	return math.Exp(theta[0]) * cycles / m.clock() * math.Pow(float64(s.Streams), theta[4])
}

// awake is the cores that a host spends on waking up as long as there is traffic.
func awake(theta []float64) float64 { return math.Exp(theta[5]) }

func (m *model) clock() float64 { return m.costs.ClockMHz * 1e6 }

// rates are what the streams reach, in bit/s: as their threads allow, as their
// windows allow, and both together.
type rates struct{ threads, windows, both float64 }

// rate is what streams reach where neither line nor processors bound them.
func (m *model) rate(theta []float64, s *Setup) rates {
	c := m.costs.Stream
	cycles := c.Byte*math.Exp(theta[1]) + c.SentFrame*math.Exp(theta[2])/s.Sent + c.ReceivedFrame*math.Exp(theta[3])/s.Received
	thread := math.Exp(theta[0]) * cycles / m.clock() / scaled(float64(s.Lanes), math.Exp(theta[5]), math.Exp(theta[6]))
	trip := math.Exp(theta[4])
	if s.Trip > trip*longTrip { // a long way, which no prior of a data centre knows
		trip = s.Trip
	}
	window := trip / (float64(s.Streams) * s.Window)
	return rates{8 / thread, 8 / window, 8 / (thread + window)}
}

// longTrip is how many times the usual round trip is that of another site: a measured
// one below holds the hosts' own work, too.
const longTrip = 5

// scaled is the Universal Scalability Law: the throughput of n streams as a
// multiple of one.
func scaled(n, contention, coherency float64) float64 {
	return n / (1 + contention*(n-1) + coherency*n*(n-1))
}

// lesser is the smooth minimum of limits; one that is 0 is none.
func lesser(sharp float64, limits ...float64) float64 {
	sum := 0.0
	for _, x := range limits {
		if x > 0 {
			sum += math.Pow(x, -sharp)
		}
	}
	return math.Pow(sum, -1/sharp)
}

// outcome is one draw: throughput, cores of each host, and what limits.
type outcome struct {
	bps   float64
	cores []float64
	now   string
	next  string // once that limit is gone
}

// draw is one possible truth: parameters of the streams, and of each host.
type draw struct {
	stream []float64
	hosts  [][]float64
}

func (m *model) draws(random *rand.Rand, nodes []Node, n int) []draw {
	out := make([]draw, n)
	for i, theta := range m.stream.sample(random, n) {
		out[i].stream = theta
	}
	for _, at := range nodes {
		for i, theta := range m.hosts[at.Host].sample(random, n) {
			out[i].hosts = append(out[i].hosts, theta)
		}
	}
	return out
}

// together is how much of their deviations the hosts of a path have in common: what else the
// machines do, and what the model leaves out.
const together = 0.6

// Names of limits that are no host's.
const (
	limitLine    = "the line"
	limitThreads = "the threads of the streams"
	limitWindow  = "the window"
)

// run predicts a setup under one draw, with the deviations that observations have.
func (m *model) run(random *rand.Rand, d draw, s *Setup) outcome {
	r := m.rate(d.stream, s)
	off := math.Exp(m.stream.deviation(random, random.NormFloat64()))
	common := random.NormFloat64()
	limits := []float64{s.Line, r.threads, r.windows}
	names := []string{limitLine, limitThreads, limitWindow}
	bounds := []float64{s.Line, r.both}
	var spent []float64
	for i, n := range s.Nodes {
		z := math.Sqrt(together)*common + math.Sqrt(1-together)*random.NormFloat64()
		cost := m.spent(d.hosts[i], n, s) * math.Exp(m.hosts[n.Host].deviation(random, z))
		spent = append(spent, cost)
		if n.Most != nil {
			most := 8 * max(0, *n.Most-awake(d.hosts[i])) / cost
			limits, names, bounds = append(limits, most), append(names, n.Limit), append(bounds, most)
		}
	}
	o := outcome{bps: lesser(math.Exp(d.stream[7]), bounds...) * off}
	if s.Line > 0 {
		o.bps = min(o.bps, s.Line)
	}
	for i, cost := range spent {
		o.cores = append(o.cores, cost*o.bps/8+awake(d.hosts[i]))
	}
	o.now, o.next = two(limits, names)
	return o
}

// two are the names of the lowest limit and of the one after it.
func two(limits []float64, names []string) (first, second string) {
	low, then := math.Inf(1), math.Inf(1)
	for i, x := range limits {
		switch {
		case x <= 0:
		case x < low:
			low, then, first, second = x, low, names[i], first
		case x < then:
			then, second = x, names[i]
		}
	}
	return first, second
}
