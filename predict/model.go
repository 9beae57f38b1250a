package predict

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"seaworthy/catalog"
)

// fitted is what a path's streams or sessions are fitted to, and the cores of each of
// its hosts.
type fitted struct {
	costs *catalog.Costs
	load  *posterior
	hosts map[string]*posterior
}

// model is of streams.
type model struct{ fitted }

// Spreads of the priors, of logarithms.
const (
	anyMachine  = 2.0 // of the common factor, once something was measured
	asPublished = 0.5 // of one coefficient to the others, as published figures have it
	asMeasured  = 1.2 // the same once something was measured
	tripSpread  = 0.7
	scaling     = 1.5 // of σ, once something was measured
	coherency   = 1.0 // of κ, then
	batching    = 0.1 // of the power itself
	misses      = 0.1 // the power with which a byte costs more beyond the caches
	missing     = 0.2 // its spread
	waking      = 1.0
)

// blunt is how the smooth minimum rounds the corner: of two equal limits 11 % are lost.
const (
	blunt    = 6.0
	blunting = 0.4 // spread of its logarithm
)

// newModel fits the model to what was observed of a path's streams and of its hosts.
func newModel(c *catalog.Costs, nodes []Node, seen []Observation) (*model, error) {
	m := &model{fitted{costs: c}}
	var streams []Observation
	for _, o := range seen {
		if o.BPS > 0 && !o.Passing {
			streams = append(streams, o)
		}
	}
	y, spreads := make([]float64, len(streams)), make([]float64, len(streams))
	for i, o := range streams {
		y[i], spreads[i] = math.Log(o.BPS), o.Spread
	}
	var err error
	factor, relation := spread(c, len(y))
	scaling, coherency := lawSpread(len(y))
	prior := []param{factor, relation, relation, relation, {math.Log(c.RoundTrip / 1000), tripSpread},
		{math.Log(c.Contention), scaling}, {math.Log(c.Coherency), coherency}, {math.Log(blunt), blunting},
		{misses, missing}}
	m.load, err = regress(prior, noiseOf(spreads), y, func(theta []float64, i int) float64 {
		return math.Log(lesser(math.Exp(theta[7]), m.rate(theta, streams[i].Setup).both, streams[i].Setup.Line))
	})
	if err != nil {
		return nil, fmt.Errorf("streams: %w", err)
	}
	return m, m.each(nodes, seen, m.host)
}

// each fits what every host spends.
func (m *fitted) each(nodes []Node, seen []Observation, host func(Node, []Observation) (*posterior, error)) (err error) {
	m.hosts = map[string]*posterior{}
	for _, n := range nodes {
		if m.hosts[n.Host], err = host(n, seen); err != nil {
			return fmt.Errorf("%s: %w", n.Host, err)
		}
	}
	return nil
}

// lawSpread are the priors' spreads of σ and κ.
func lawSpread(seen int) (contention, coherent float64) {
	if seen > 0 {
		return scaling, coherency
	}
	return asPublished, asPublished
}

// spread is the prior of what multiplies every cost, and of what multiplies one of them:
// as published figures differ, or nearly anything once the machine itself was measured.
func spread(c *catalog.Costs, seen int) (factor, relation param) {
	if seen > 0 {
		return param{0, anyMachine}, param{0, asMeasured}
	}
	return param{0, math.Log(c.Factor) / 1.96}, param{0, asPublished}
}

// host fits what a host spends for a byte: to the cores that were measured, and where none were,
// to the fact that it cannot have spent more than it may.
func (m *model) host(n Node, seen []Observation) (*posterior, error) {
	var y, spreads []float64
	var at []Observation
	measured := 0
	for _, o := range seen {
		i := o.Setup.node(n.Host)
		switch used := o.Cores[n.Host]; {
		case i < 0 || o.BPS <= 0:
			continue
		case used > 0:
			y, spreads = append(y, math.Log(used)), append(spreads, o.Spreads[n.Host])
		case o.Setup.Nodes[i].Most != nil:
			y = append(y, 0)
		default:
			continue
		}
		at = append(at, o)
		if !o.Passing {
			measured++
		}
	}
	factor, relation := spread(m.costs, measured)
	prior := []param{factor, relation, relation, relation, {m.costs.Batching, batching},
		{math.Log(m.costs.Hosts[string(n.Role)].Waking), waking}}
	return regress(prior, noiseOf(spreads), y, func(theta []float64, i int) float64 {
		o := at[i]
		node := o.Setup.Nodes[o.Setup.node(n.Host)]
		used := math.Log(m.spent(theta, node, o.Setup)*o.BPS/8 + awake(theta))
		if o.Cores[n.Host] > 0 {
			return used
		}
		return max(0, used-math.Log(*node.Most))
	})
}

// spent is the core-seconds that a host spends for a byte.
func (m *model) spent(theta []float64, n Node, s *Setup) float64 {
	c := m.costs.Hosts[string(n.Role)]
	cycles := c.Byte*math.Exp(theta[1]) + c.Frame*math.Exp(theta[2])/n.Frame + c.Window*math.Exp(theta[3])/s.Window
	return math.Exp(theta[0]) * cycles / hertz(m.costs, n.ClockMHz) * math.Pow(float64(s.Streams), theta[4])
}

// awake is the cores that a host spends on waking up as long as there is traffic.
func awake(theta []float64) float64 { return math.Exp(theta[5]) }

// hertz is the clock of processors: as read, else the one that the costs are of.
func hertz(c *catalog.Costs, mhz float64) float64 { return cmp.Or(mhz, c.ClockMHz) * 1e6 }

// rates are what the streams reach, in bit/s: as their threads allow, as their
// windows allow, and both together.
type rates struct{ threads, windows, both float64 }

// rate is what streams reach where neither line nor processors bound them.
func (m *model) rate(theta []float64, s *Setup) rates {
	c := m.costs.Stream
	cycles := c.Byte*math.Exp(theta[1]) + c.SentFrame*math.Exp(theta[2])/s.Sent + c.ReceivedFrame*math.Exp(theta[3])/s.Received
	if flight := float64(s.Streams) * s.Window; flight > cached {
		cycles *= math.Pow(flight/cached, theta[8])
	}
	thread := math.Exp(theta[0]) * cycles / hertz(m.costs, s.clock()) / scaled(float64(s.Lanes), math.Exp(theta[5]), math.Exp(theta[6]))
	trip := math.Exp(theta[4])
	if s.Trip > trip*longTrip { // a long way, which no prior of a data centre knows
		trip = s.Trip
	}
	window := trip / (float64(s.Streams) * s.Window)
	return rates{8 / thread, 8 / window, 8 / (thread + window)}
}

// cached is how many bytes in flight processors keep in their caches; beyond them a byte
// costs more, which power of the excess is fitted.
const cached = 4 << 20

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

// outcome is one draw: bit/s or transactions/s, cores of each host, and what limits.
type outcome struct {
	rate  float64
	cores []float64
	now   string
	next  string // once that limit is gone
}

// draw is one possible truth: parameters of streams or sessions, and of each host.
type draw struct {
	load  []float64
	hosts [][]float64
}

func (m *fitted) draws(random *rand.Rand, nodes []Node, n int) []draw {
	out := make([]draw, n)
	for i, theta := range m.load.sample(random, n) {
		out[i].load = theta
	}
	for _, at := range nodes {
		for i, theta := range m.hosts[at.Host].sample(random, n) {
			out[i].hosts = append(out[i].hosts, theta)
		}
	}
	return out
}

// Names of limits that are no host's.
const (
	limitLine    = "the line"
	limitThreads = "the threads of the streams"
	limitWindow  = "the window"
)

// run predicts a setup under one draw, with the deviations that observations have.
func (m *model) run(random *rand.Rand, d draw, s *Setup) outcome {
	r := m.rate(d.load, s)
	off := math.Exp(m.load.deviation(random, random.NormFloat64()))
	common := random.NormFloat64() // hosts deviate together: by what else there is to do, and by what the model leaves out
	limits := []float64{s.Line, r.threads, r.windows}
	names := []string{limitLine, limitThreads, limitWindow}
	bounds := []float64{s.Line, r.both}
	var spent []float64
	for i, n := range s.Nodes {
		cost := m.spent(d.hosts[i], n, s) * math.Exp(m.hosts[n.Host].deviation(random, common))
		spent = append(spent, cost)
		if n.Most != nil {
			most := 8 * max(0, *n.Most-awake(d.hosts[i])) / cost
			limits, names, bounds = append(limits, most), append(names, n.Limit), append(bounds, most)
		}
	}
	o := outcome{rate: lesser(math.Exp(d.load[7]), bounds...) * off}
	if s.Line > 0 {
		o.rate = min(o.rate, s.Line)
	}
	for i, cost := range spent {
		o.cores = append(o.cores, cost*o.rate/8+awake(d.hosts[i]))
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
