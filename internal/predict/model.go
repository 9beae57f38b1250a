package predict

import (
	"fmt"
	"math"
	"math/rand/v2"

	"seaworthy/internal/knowledge"
)

// pathModel holds what a path's streams or sessions are fitted to, and the cores of each of
// its hosts.
type pathModel struct {
	law
	load  *posterior
	hosts map[string]*posterior
}

// law holds what streams and sessions differ in. A rate is in bit/s or transactions/s.
type law interface {
	prior(seen int) []param           // of the load
	hostPrior(n Node, at int) []param // of a host, measured so often
	sharp(theta []float64) float64    // the corner of the smooth minimum
	// bounds hold what the load itself and the line, the second, bound the rate to; limits are
	// the same to be named.
	bounds(theta []float64, o Observation) (bounds, limits []float64, names []string)
	spent(theta []float64, n Node, s *Setup) float64 // core-seconds of a host, for a bit or transaction
	awake(theta []float64) float64                   // cores that a host spends as long as there is traffic
}

// newModel fits the model to what was observed of a path and of its hosts.
func newModel(l law, nodes []Node, seen []Observation) (*pathModel, error) {
	m := &pathModel{law: l, hosts: map[string]*posterior{}}
	var at []Observation
	var y, spreads []float64
	for _, o := range seen {
		if o.rate() > 0 && !o.Passing {
			at, y, spreads = append(at, o), append(y, math.Log(o.rate())), append(spreads, o.Spread)
		}
	}
	var err error
	m.load, err = regress(l.prior(len(y)), noiseOf(spreads), y, func(theta []float64, i int) float64 {
		bounds, _, _ := l.bounds(theta, at[i])
		return math.Log(lesser(l.sharp(theta), bounds...))
	})
	if err != nil {
		return nil, fmt.Errorf("the load: %w", err)
	}
	for _, n := range nodes {
		if m.hosts[n.Host], err = m.host(n, seen); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Host, err)
		}
	}
	return m, nil
}

// lawSpread are the priors' spreads of σ and κ.
func lawSpread(c *knowledge.Costs, seen int) (contention, coherency float64) {
	if seen > 0 {
		return c.Spreads.Contention, c.Spreads.Coherency
	}
	return c.Spreads.AsPublished, c.Spreads.AsPublished
}

// spread is the prior of what multiplies every cost, and of what multiplies one of them:
// as published figures differ, or nearly anything once the machine itself was measured.
func spread(c *knowledge.Costs, seen int) (factor, relation param) {
	if seen > 0 {
		return param{0, c.Spreads.AnyMachine}, param{0, c.Spreads.AsMeasured}
	}
	return param{0, math.Log(c.Factor) / 1.96}, param{0, c.Spreads.AsPublished}
}

// host fits what a host spends: to the cores that were measured, and where none were,
// to the fact that streams cannot have cost more than it may spend.
func (m *pathModel) host(n Node, seen []Observation) (*posterior, error) {
	var y, spreads []float64
	var at []Observation
	measured := 0
	for _, o := range seen {
		i := o.Setup.node(n.Host)
		switch used := o.Cores[n.Host]; {
		case i < 0 || o.rate() <= 0:
			continue
		case used > 0:
			y, spreads = append(y, math.Log(used)), append(spreads, o.Spreads[n.Host])
		case o.BPS > 0 && o.Setup.Nodes[i].Most != nil:
			y = append(y, 0)
		default:
			continue
		}
		at = append(at, o)
		if !o.Passing {
			measured++
		}
	}
	return regress(m.hostPrior(n, measured), noiseOf(spreads), y, func(theta []float64, i int) float64 {
		o := at[i]
		node := o.Setup.Nodes[o.Setup.node(n.Host)]
		used := math.Log(m.spent(theta, node, o.Setup)*o.rate() + m.awake(theta))
		if o.Cores[n.Host] > 0 {
			return used
		}
		return max(0, used-math.Log(*node.Most))
	})
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

func (m *pathModel) draws(random *rand.Rand, nodes []Node, n int) []draw {
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

// run predicts a setup under one draw, with the deviations that observations have.
func (m *pathModel) run(random *rand.Rand, d draw, s *Setup) outcome {
	off := math.Exp(m.load.deviation(random, random.NormFloat64()))
	common := random.NormFloat64() // hosts deviate together: by what else there is to do, and by what the model leaves out
	bounds, limits, names := m.bounds(d.load, Observation{Setup: s})
	var spent []float64
	for i, n := range s.Nodes {
		cost := m.spent(d.hosts[i], n, s) * math.Exp(m.hosts[n.Host].deviation(random, common))
		spent = append(spent, cost)
		if n.Most != nil {
			most := max(0, *n.Most-m.awake(d.hosts[i])) / cost
			bounds, limits, names = append(bounds, most), append(limits, most), append(names, n.Limit)
		}
	}
	o := outcome{rate: lesser(m.sharp(d.load), bounds...) * off}
	for i, most := range bounds[1:] {
		if most > 0 && (i == 0 || s.Sessions > 0) {
			o.rate = min(o.rate, most)
		}
	}
	for i, cost := range spent {
		o.cores = append(o.cores, cost*o.rate+m.awake(d.hosts[i]))
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
			then, second = low, first
			low, first = x, names[i]
		case x < then:
			then, second = x, names[i]
		}
	}
	return first, second
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
