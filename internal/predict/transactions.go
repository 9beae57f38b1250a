package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"seaworthy/internal/knowledge"
)

// transactions is the model of sessions that each send a request once the one before is
// answered, fitted to a path:
//
//	cycles of a host, a transaction = a·bytes + b·frames + c·(sessions/10)^g
//	time of one session alone       = t + bytes and further frames, as a stream's thread has them
//	transactions/s                  = min(S(sessions)/time, processors of a host / its cores a transaction, line)
//
// a and b are those of streams; c is waking up, which sessions share.
type transactions struct{ *knowledge.Costs }

// tenSessions is the number that the published cycles of waking up are of.
const tenSessions = 10

// limitSessions holds what limits where line and processors do not.
const limitSessions = "the sessions, which wait for answers"

func (c transactions) prior(seen int) []param {
	factor, relation := spread(c.Costs, seen)
	scaling, coherency := lawSpread(c.Costs, seen)
	return []param{factor, relation, relation, {math.Log(c.Session.Contention), scaling}, {math.Log(c.Session.Coherency), coherency},
		{math.Log(c.Spreads.Blunt), c.Spreads.Blunting}}
}

func (c transactions) hostPrior(_ Node, measured int) []param {
	factor, relation := spread(c.Costs, measured)
	waking := param{0, c.Spreads.Sessions}
	if measured > 0 {
		waking.sd = c.Spreads.AsMeasured
	}
	return []param{factor, relation, relation, waking, {c.Session.Sharing, c.Spreads.Sharing}}
}

func (c transactions) sharp(theta []float64) float64 { return math.Exp(theta[5]) }

func (c transactions) awake([]float64) float64 { return 0 }

func (c transactions) spent(theta []float64, n Node, s *Setup) float64 {
	h := c.Hosts[string(n.Role)]
	cycles := h.Byte*math.Exp(theta[1])*s.bytes() + h.Frame*math.Exp(theta[2])*s.frames() +
		c.Session.Waking*math.Exp(theta[3])*math.Pow(float64(s.Sessions)/tenSessions, theta[4])
	return math.Exp(theta[0]) * cycles / hertz(c.Costs, n.ClockMHz)
}

// bounds of sessions are what waiting for answers allows; of a measurement also what its hosts
// may spend.
func (c transactions) bounds(theta []float64, o Observation) (bounds, limits []float64, names []string) {
	s, x := o.Setup, c.Stream
	further := s.bytes()*x.Byte + (s.frames()-2)*(x.SentFrame+x.ReceivedFrame) // a request and a response are a frame each at least
	alone := math.Exp(theta[0]) * (c.Session.Time/1000*math.Exp(theta[1]) + further/hertz(c.Costs, s.clock())*math.Exp(theta[2]))
	if s.Trip > alone*longTrip {
		alone += s.Trip
	}
	bounds = []float64{scaled(float64(s.Sessions), math.Exp(theta[3]), math.Exp(theta[4])) / alone, lineTPS(s)}
	limits = slices.Clone(bounds)
	for _, n := range s.Nodes {
		if used := o.Cores[n.Host]; n.Most != nil && used > 0 {
			bounds = append(bounds, *n.Most/used*o.TPS)
		}
	}
	return bounds, limits, []string{limitSessions, limitLine}
}

// lineTPS returns what the line carries of one direction's messages; 0: there is no line.
func lineTPS(s *Setup) float64 {
	wire := 0.0
	for _, n := range []int{s.Request, s.Response} {
		wire = max(wire, float64(n)+framesOf(n, s.Segment)*(headers+timestamps+onWire))
	}
	return s.Rate / 8 / wire
}

func (s *Setup) bytes() float64 { return float64(s.Request + s.Response) }

func (s *Setup) frames() float64 {
	return framesOf(s.Request, s.Segment) + framesOf(s.Response, s.Segment)
}

func framesOf(message int, segment float64) float64 { return math.Ceil(float64(message) / segment) }

// percentiles are the median latency of transactions and their 99th percentile, as multiples of the mean:
//
//	log(p99/mean) = a + b·log(sessions) + c·log(bytes of a transaction)
//
// Nothing published gives them, so they come from measured cells alone.
type percentiles struct{ p50, p99 *posterior }

// leastCells is how many measured cells a line through them needs at least.
const leastCells = 4

// Priors: a mean, of exponential times the median is 0.7 of it and p99 4.6 times; the slopes are small.
var (
	priorP50 = []param{{math.Log(0.85), 0.5}, {0, 0.2}, {0, 0.2}}
	priorP99 = []param{{math.Log(3), 1}, {0, 0.4}, {0, 0.3}}
)

// newPercentiles fits them to what was measured; why says what is missing where they cannot be given for a setup.
func newPercentiles(s *Setup, seen []Observation) (p *percentiles, why string, err error) {
	var cells []Observation
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{}
	for _, o := range seen {
		if o.P50 <= 0 || o.P99 <= 0 {
			continue
		}
		cells = append(cells, o)
		for i, x := range [2]float64{float64(o.Setup.Sessions), o.Setup.bytes()} {
			low[i], high[i] = min(low[i], x), max(high[i], x)
		}
	}
	if len(cells) < leastCells {
		return nil, fmt.Sprintf("no figures are published, and %d of at least %d cells are measured "+
			"(bench run --sessions 1,4,16,64, then --results)", len(cells), leastCells), nil
	}
	for i, x := range [2]float64{float64(s.Sessions), s.bytes()} {
		if x < low[i] || x > high[i] {
			what := "sessions"
			if i == 1 {
				what = "bytes a transaction"
			}
			return nil, fmt.Sprintf("%.0f %s, and measured are %.0f to %.0f", x, what, low[i], high[i]), nil
		}
	}
	fit := func(prior []param, of func(Observation) float64) (*posterior, error) {
		y := make([]float64, len(cells))
		for i, o := range cells {
			y[i] = math.Log(of(o))
		}
		return regress(prior, noise, y, func(theta []float64, i int) float64 { return multiple(theta, cells[i].Setup) })
	}
	p = &percentiles{}
	if p.p50, err = fit(priorP50, func(o Observation) float64 { return o.P50 }); err != nil {
		return nil, "", fmt.Errorf("median latency: %w", err)
	}
	if p.p99, err = fit(priorP99, func(o Observation) float64 { return o.P99 }); err != nil {
		return nil, "", fmt.Errorf("99th percentile of latency: %w", err)
	}
	return p, "", nil
}

// multiple is the logarithm of a percentile divided by the mean.
func multiple(theta []float64, s *Setup) float64 {
	const kilobyte = 1000
	return theta[0] + theta[1]*math.Log(float64(s.Sessions)) + theta[2]*math.Log(s.bytes()/kilobyte)
}

// estimate are both percentiles in µs, from draws of the mean.
func (p *percentiles) estimate(random *rand.Rand, all []outcome, s *Setup) (p50, p99 *Estimate) {
	times := func(fit *posterior) *Estimate {
		x := make([]float64, len(all))
		for i, theta := range fit.sample(random, len(all)) {
			mean := float64(s.Sessions) / all[i].rate * 1e6
			x[i] = mean * math.Exp(multiple(theta, s)+fit.deviation(random, random.NormFloat64()))
		}
		return quantiles(x)
	}
	return times(p.p50), times(p.p99)
}

func quantiles(x []float64) *Estimate {
	slices.Sort(x)
	at := func(q float64) float64 { return x[int(q*float64(len(x)-1))] }
	return &Estimate{Median: at(0.5), Low: at(0.025), High: at(0.975)}
}
