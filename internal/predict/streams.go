package predict

import (
	"cmp"
	"math"

	"seaworthy/internal/knowledge"
)

type streams struct{ *knowledge.Costs }

func (c streams) prior(seen int) []param {
	factor, relation := spread(c.Costs, seen)
	scaling, coherency := lawSpread(c.Costs, seen)
	return []param{factor, relation, relation, relation, {math.Log(c.RoundTrip / 1000), c.Spreads.RoundTrip},
		{math.Log(c.Contention), scaling}, {math.Log(c.Coherency), coherency}, {math.Log(c.Spreads.Blunt), c.Spreads.Blunting},
		{c.Spreads.Misses, c.Spreads.Missing}}
}

func (c streams) hostPrior(n Node, measured int) []param {
	factor, relation := spread(c.Costs, measured)
	return []param{factor, relation, relation, relation, {c.Batching, c.Spreads.Batching},
		{math.Log(c.Hosts[string(n.Role)].Waking), c.Spreads.Waking}}
}

func (c streams) sharp(theta []float64) float64 { return math.Exp(theta[7]) }

func (c streams) awake(theta []float64) float64 { return math.Exp(theta[5]) }

func (c streams) spent(theta []float64, n Node, s *Setup) float64 {
	h := c.Hosts[string(n.Role)]
	cycles := h.Byte*math.Exp(theta[1]) + h.Frame*math.Exp(theta[2])/n.Frame + h.Window*math.Exp(theta[3])/s.Window
	return math.Exp(theta[0]) * cycles / hertz(c.Costs, n.ClockMHz) * math.Pow(float64(s.Streams), theta[4]) / 8
}

// Names of limits that are no host's.
const (
	limitLine    = "the line"
	limitThreads = "one CPU thread per stream"
	limitWindow  = "the window"
)

// bounds of streams are what their threads allow, and their windows; the rate is what both
// allow together.
func (c streams) bounds(theta []float64, o Observation) (bounds, limits []float64, names []string) {
	s, x := o.Setup, c.Stream
	cycles := x.Byte*math.Exp(theta[1]) + x.SentFrame*math.Exp(theta[2])/s.Sent + x.ReceivedFrame*math.Exp(theta[3])/s.Received
	if flight := float64(s.Streams) * s.Window; flight > cached {
		cycles *= math.Pow(flight/cached, theta[8])
	}
	thread := math.Exp(theta[0]) * cycles / hertz(c.Costs, s.clock()) / scaled(float64(s.Lanes), math.Exp(theta[5]), math.Exp(theta[6]))
	trip := math.Exp(theta[4])
	if s.Trip > trip*longTrip { // a long way, which no prior of a data centre knows
		trip = s.Trip
	}
	window := trip / (float64(s.Streams) * s.Window)
	return []float64{8 / (thread + window), s.Line}, []float64{s.Line, 8 / thread, 8 / window}, []string{limitLine, limitThreads, limitWindow}
}

// hertz is the clock of processors: as read, else the one that the costs are of.
func hertz(c *knowledge.Costs, mhz float64) float64 { return cmp.Or(mhz, c.ClockMHz) * 1e6 }

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
