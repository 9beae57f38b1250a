package predict

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Schema names the form of a Prediction.
const Schema = "seaworthy.prediction/1"

// SchemaSeveral names the form of Several.
const SchemaSeveral = "seaworthy.predictions/1"

// Several are predictions of one path under several loads.
type Several struct {
	Schema      string        `json:"schema"`
	Predictions []*Prediction `json:"predictions"`
}

// Prediction holds what a path carries now and after a change.
type Prediction struct {
	Schema    string       `json:"schema"`
	From      model.Ref    `json:"from"`
	To        model.Ref    `json:"to"`
	Load      Load         `json:"load"`
	Changes   []string     `json:"changes,omitempty"` // lpar1:en0 mtu_bypass: off → on
	Now       State        `json:"now"`
	After     *State       `json:"after,omitempty"`
	Gain      *Estimate    `json:"throughput_ratio,omitempty"` // after / now
	Cheaper   *Estimate    `json:"cores_per_gbps_ratio,omitempty"`
	MoreTPS   *Estimate    `json:"tps_ratio,omitempty"`
	PerTrans  *Estimate    `json:"core_us_per_trans_ratio,omitempty"`
	Fitted    int          `json:"measurements"`       // of this path that moved the priors
	Carried   []Carried    `json:"carried,omitempty"`  // what hosts carried between two snapshots, which moved them, too
	Priors    string       `json:"priors"`             // the profile of costs
	Sources   []string     `json:"sources"`            // of the priors
	Assumed   []Assumption `json:"assumed"`            // without duplicates, of both states
	Unused    []string     `json:"not_used,omitempty"` // measurements that say nothing about this path, and why
	Elsewhere []string     `json:"changes_off_the_path,omitempty"`
}

// State is a path under certain settings.
type State struct {
	Unknown []string  `json:"unknown,omitempty"`         // why there is no number
	BPS     *Estimate `json:"bps,omitempty"`             // of streams
	TPS     *Estimate `json:"tps,omitempty"`             // of sessions
	Latency *Estimate `json:"latency_mean_us,omitempty"` // of sessions: from a request to its answer
	P50     *Estimate `json:"latency_p50_us,omitempty"`
	P99     *Estimate `json:"latency_p99_us,omitempty"`
	NoP99   string    `json:"latency_p99_unknown,omitempty"` // why neither P50 nor P99 is given
	Cores   *Estimate `json:"cores,omitempty"`               // of all hosts of the path
	Hosts   []HostUse `json:"hosts,omitempty"`
	Limits  []Share   `json:"limits,omitempty"` // what limits it, the likeliest first
	Next    []Share   `json:"next,omitempty"`   // what would once that were gone
	Window  float64   `json:"window_bytes,omitempty"`
}

// HostUse holds what one host spends.
type HostUse struct {
	Host  string   `json:"host"`
	Role  Role     `json:"role"`
	Frame float64  `json:"payload_per_frame_bytes"`
	Cores Estimate `json:"cores"`
}

// Share is how often something came out among the draws.
type Share struct {
	What  string  `json:"what"`
	Share float64 `json:"share"` // 0 to 1
}

// Estimate is a median with its 95 % interval.
type Estimate struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// draws are how many possible truths a prediction looks at.
const draws = 2000

// Question holds what to predict.
type Question struct {
	Fleet   *model.Fleet
	Path    *model.Path
	Load    Load
	Values  Values   // of the change; nil: only the present is asked for
	Changes []Change // the same, in words
	Costs   *knowledge.Costs
	Seen    []Observation
	Carried []Carried // between two snapshots
	Unused  []string
}

// Change is one value that a change sets.
type Change struct {
	Target
	Text string
}

// Answer predicts.
func (q *Question) Answer() (*Prediction, error) {
	now := NewSetup(q.Fleet, q.Path, nil, q.Load)
	var after *Setup
	if q.Values != nil {
		after = NewSetup(q.Fleet, q.Path, q.Values, q.Load)
	}
	var words, elsewhere []string
	for _, c := range q.Changes {
		role := roleOfAttribute(q.Fleet, c.Target)
		words = append(words, c.Text)
		switch {
		case now.node(c.Host) < 0:
			elsewhere = append(elsewhere, c.Text)
		case !modelled(role):
			after.Unknown = append(after.Unknown, fmt.Sprintf("the model does not know what %s of %s does", c.Attr, c.Ref))
		case now.Sessions > 0 && now.frames() > 2 && role != knowledge.FrameSize && len(now.Unknown) == 0:
			after.Unknown = append(after.Unknown,
				fmt.Sprintf("the model does not know what %s of %s does to messages of several frames", c.Attr, c.Ref))
		}
	}
	seen, unused := slices.Clone(q.Seen), slices.Clone(q.Unused)
	var carried []Carried
	for _, c := range q.Carried {
		o, ok := c.observation(now)
		if now.Sessions > 0 {
			unused = append(unused, c.Host+" between the snapshots: traffic shows what bytes and frames cost, not what a transaction does")
		} else if ok {
			seen, carried = append(seen, o), append(carried, c)
			now.Assumed = append(now.Assumed, c.assumed())
		}
	}
	p, err := predict(q.Costs, now, after, seen, draws)
	if err != nil {
		return nil, fmt.Errorf("%s to %s: %w", q.Path.From, q.Path.To, err)
	}
	p.From = q.Path.From
	p.To = q.Path.To
	p.Load = q.Load
	p.Unused = unused
	p.Changes = words
	p.Elsewhere = elsewhere
	p.Carried = carried
	return p, nil
}

// modelled says whether the model takes figures from attributes of a role.
func modelled(role knowledge.Role) bool {
	return role != "" && role != knowledge.BufferCeiling && role != knowledge.ScatterGather
}

// roleOfAttribute is the role of what a change sets; empty: it has none.
func roleOfAttribute(fleet *model.Fleet, t Target) knowledge.Role {
	el := fleet.Element(t.Ref)
	if el == nil {
		return ""
	}
	return knowledge.BuiltIn().RoleOf(string(el.Kind), t.Attr)
}

// predict compares a path as it is with the path after a change; after is nil
// if only the present is asked for.
func predict(costs *knowledge.Costs, now, after *Setup, seen []Observation, draws int) (*Prediction, error) {
	seen = slices.DeleteFunc(slices.Clone(seen), func(o Observation) bool { return (o.Setup.Sessions > 0) != (now.Sessions > 0) })
	measured := slices.DeleteFunc(slices.Clone(seen), func(o Observation) bool { return o.Passing })
	p := &Prediction{Schema: Schema, Load: Load{Streams: now.Streams, Sessions: now.Sessions}, Fitted: len(measured),
		Priors: costs.Title, Sources: costs.Sources, Assumed: []Assumption{}}
	states, out := []*Setup{now}, []*State{&p.Now}
	if after != nil {
		p.After = &State{}
		states, out = append(states, after), append(out, p.After)
	}
	for i, s := range states {
		out[i].Unknown, out[i].Window = s.Unknown, s.Window
		if len(s.Unknown) == 0 {
			out[i].Unknown = outside(costs, s, measured)
		}
		for _, a := range s.Assumed {
			if !slices.Contains(p.Assumed, a) {
				p.Assumed = append(p.Assumed, a)
			}
		}
	}
	p.Assumed = append(p.Assumed, taken(costs, now, len(measured))...)
	if len(p.Now.Unknown) > 0 && (after == nil || len(p.After.Unknown) > 0) {
		return p, nil
	}
	var of law = streams{costs}
	if now.Sessions > 0 {
		of = transactions{costs}
	}
	m, err := newModel(of, now.Nodes, seen)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, uint64(len(seen)))) //nolint:gosec // the same question has the same answer
	all := make([][]outcome, len(states))
	for _, d := range m.draws(random, now.Nodes, draws) {
		for i, s := range states {
			if len(out[i].Unknown) == 0 {
				all[i] = append(all[i], m.run(random, d, s))
			}
		}
	}
	for i, s := range states {
		if len(out[i].Unknown) > 0 {
			continue
		}
		out[i].from(all[i], s)
		if err := out[i].percentiles(random, all[i], s, seen); err != nil {
			return nil, err
		}
		if i > 0 && out[i].P99 != nil {
			p.Assumed = append(p.Assumed, Assumption{"after the change p50 and p99 are as many times the mean as before", "nothing that was read"})
		}
	}
	if after != nil && len(all[0]) == len(all[1]) {
		p.compare(all[0], all[1], now.Sessions > 0)
	}
	return p, nil
}

// compare notes by how much the rate and the cores it takes change, of transactions or of
// streams. Each outcome before the change has one after it under the same draw.
func (p *Prediction) compare(before, after []outcome, transactions bool) {
	more := ratio(after, before, func(o outcome) float64 { return o.rate })
	cost := ratio(after, before, func(o outcome) float64 { return floats.Sum(o.cores) / o.rate })
	if transactions {
		p.MoreTPS, p.PerTrans = more, cost
	} else {
		p.Gain, p.Cheaper = more, cost
	}
}

// taken says what the priors take for granted.
func taken(c *knowledge.Costs, s *Setup, measured int) []Assumption {
	if measured > 0 {
		return nil
	}
	var out []Assumption
	if slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.ClockMHz == 0 }) {
		out = append(out, Assumption{fmt.Sprintf("processors of %.1f GHz", c.ClockMHz/1000), "the profile " + c.Profile})
	}
	alone := fmt.Sprintf("a round trip of %.3f ms without the hosts' work", c.RoundTrip)
	if s.Sessions > 0 {
		alone = fmt.Sprintf("%.3f ms for a transaction of one session alone", c.Session.Time)
	}
	return append(out, Assumption{alone, "the profile " + c.Profile})
}

// outside says where a setup is beyond both the published figures and what was measured.
func outside(c *knowledge.Costs, s *Setup, seen []Observation) []string {
	var out []string
	check := func(what string, span [2]float64, of func(*Setup) float64) {
		v := of(s)
		for _, o := range seen {
			x := of(o.Setup)
			span = [2]float64{min(span[0], x), max(span[1], x)}
		}
		if v < span[0] || v > span[1] {
			out = append(out, fmt.Sprintf("%s is %.0f, and nothing was measured or published beyond %.0f to %.0f: measure it (seaworthy bench)",
				what, v, span[0], span[1]))
		}
	}
	line := func(of func(*Setup) float64) {
		if of(s) > 0 {
			span := [2]float64{c.Span.Line[0] * 0.9, c.Span.Line[1]}
			check("the line in Gbit/s", span, func(s *Setup) float64 { return of(s) / 1e9 })
		}
	}
	if s.Sessions > 0 {
		check("the number of sessions", c.Span.Sessions, func(s *Setup) float64 { return float64(s.Sessions) })
		check("the request in bytes", c.Span.Message, func(s *Setup) float64 { return float64(s.Request) })
		check("the response in bytes", c.Span.Message, func(s *Setup) float64 { return float64(s.Response) })
		line(func(s *Setup) float64 { return s.Rate })
		return out
	}
	check("the payload of a frame sent", c.Span.Frame, func(s *Setup) float64 { return s.Sent })
	check("the payload of a frame received", c.Span.Frame, func(s *Setup) float64 { return s.Received })
	check("the window in bytes", c.Span.Window, func(s *Setup) float64 { return s.Window })
	check("the number of streams", c.Span.Streams, func(s *Setup) float64 { return float64(s.Streams) })
	line(func(s *Setup) float64 { return s.Line })
	return out
}

// from sums the draws up.
func (st *State) from(all []outcome, s *Setup) {
	rate := estimate(all, func(o outcome) float64 { return o.rate })
	if s.Sessions > 0 {
		// Each session has one request under way: by Little's law its answer takes this long.
		st.TPS, st.Latency = rate, estimate(all, func(o outcome) float64 { return float64(s.Sessions) / o.rate * 1e6 })
	} else {
		st.BPS = rate
	}
	st.Cores = estimate(all, func(o outcome) float64 { return floats.Sum(o.cores) })
	for i, n := range s.Nodes {
		st.Hosts = append(st.Hosts, HostUse{n.Host, n.Role, n.Frame, *estimate(all, func(o outcome) float64 { return o.cores[i] })})
	}
	st.Limits = shares(all, func(o outcome) string { return o.now })
	st.Next = shares(all, func(o outcome) string { return o.next })
}

// percentiles gives those of sessions, or why there are none.
func (st *State) percentiles(random *rand.Rand, all []outcome, s *Setup, seen []Observation) error {
	if s.Sessions == 0 {
		return nil
	}
	fit, why, err := newPercentiles(s, seen)
	st.NoP99 = why
	if fit != nil {
		st.P50, st.P99 = fit.estimate(random, all, s)
	}
	return err
}

func estimate(all []outcome, of func(outcome) float64) *Estimate {
	x := make([]float64, len(all))
	for i, o := range all {
		x[i] = of(o)
	}
	return quantiles(x)
}

func ratio(a, b []outcome, of func(outcome) float64) *Estimate {
	x := make([]float64, len(a))
	for i := range a {
		x[i] = of(a[i]) / of(b[i])
	}
	return quantiles(x)
}

// leastShare is the share of the draws below which a limit is not named.
const leastShare = 0.01

func shares(all []outcome, of func(outcome) string) []Share {
	count := map[string]int{}
	for _, o := range all {
		count[of(o)]++
	}
	var out []Share
	for what, n := range count {
		if share := float64(n) / float64(len(all)); what != "" && share >= leastShare {
			out = append(out, Share{what, share})
		}
	}
	slices.SortFunc(out, func(a, b Share) int { return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.What, b.What)) })
	return out
}
