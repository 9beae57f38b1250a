package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// Options widen or narrow an audit.
type Options struct {
	Paths    []inventory.Path   // paths of interest: they tell who is whose peer
	Before   *inventory.Fleet   // earlier snapshots: counters are judged by their growth
	Measured map[string]float64 // "lpar1:en0 rtt_ms": figures no snapshot holds
	Disable  []string           // rule ids to leave out
	All      bool               // also give NOT_APPLICABLE
	Passed   *int               // count PASS here instead of giving each
}

// Run judges a fleet by rules and gives one finding per rule and element it
// applies to, those of greatest impact first. What the inventory does not hold
// makes NOT_ASSESSED findings, never an error; the error is of rules that do
// not compile, or the context's.
func Run(ctx context.Context, fleet *inventory.Fleet, rules []catalog.Rule, opts Options) ([]Finding, error) {
	set, err := Compile(rules)
	if err != nil {
		return nil, err
	}
	return set.Run(ctx, fleet, opts)
}

// Run is audit.Run with rules already compiled.
func (set *Set) Run(ctx context.Context, fleet *inventory.Fleet, opts Options) ([]Finding, error) {
	cat, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	out, err := set.all(ctx, fleet, cat, opts)
	if err != nil {
		return nil, err
	}
	out = set.fold(out)
	// No two findings are of the same rule and element: there are no ties.
	slices.SortFunc(out, byImpact)
	return out, nil
}

// all judges the hosts, several at a time: first by the rules about what is
// set, then by those about what the first have not named.
func (set *Set) all(ctx context.Context, fleet *inventory.Fleet, cat *catalog.Catalog, opts Options) ([]Finding, error) {
	links := link(fleet)
	links.earlier = byName(opts.Before)
	sessions := make([]*session, max(1, min(runtime.GOMAXPROCS(0), len(fleet.Hosts)/hostsPerSession)))
	for i := range sessions {
		sessions[i] = set.session(links, cat, opts)
	}
	var out []Finding
	for _, rest := range []bool{false, true} {
		for from := 0; from < len(fleet.Hosts); from += hostsAtOnce {
			hosts := fleet.Hosts[from:min(from+hostsAtOnce, len(fleet.Hosts))]
			for _, f := range set.together(ctx, sessions, hosts, rest) {
				out = append(out, f...)
			}
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("audit of %d hosts: %w", len(fleet.Hosts), err)
			}
			if from == 0 && !rest { // others have about as many
				out = slices.Grow(out, len(out)*(len(fleet.Hosts)-len(hosts))/len(hosts)*9/8)
			}
		}
		for _, s := range sessions[1:] {
			maps.Copy(sessions[0].claimed, s.claimed)
		}
		for _, s := range sessions[1:] {
			s.claimed = maps.Clone(sessions[0].claimed)
		}
	}
	for _, s := range sessions {
		if opts.Passed != nil {
			*opts.Passed += s.passed
		}
	}
	return out, nil
}

// together judges hosts, one a session at a time, and gives what was found on
// each.
func (set *Set) together(ctx context.Context, sessions []*session, hosts []*inventory.Host, rest bool) [][]Finding {
	found := make([][]Finding, len(hosts))
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, s := range sessions {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(hosts) {
					return
				}
				found[i] = set.host(s, hosts[i], rest)
			}
		})
	}
	wait.Wait()
	return found
}

// hostsAtOnce bounds how many hosts' findings are there twice: for themselves
// and in the list of all.
const hostsAtOnce = 256

// hostsPerSession is how many hosts make another session worth its start.
const hostsPerSession = 4

// host judges everything of one host, by the rules that come first or by those
// about what they left.
func (set *Set) host(s *session, h *inventory.Host, rest bool) []Finding {
	subjects := slices.Clone(s.joins.byHost[h.Name])
	whole := &element{Kind: kindHost, Name: "host", Host: h.Name, Platform: string(h.Platform), of: h, join: s.joins,
		is: &inventory.Element{Name: "host"}}
	subjects = append(subjects, whole, s.tunables(whole))
	var out []Finding
	for i := range set.rules {
		c := &set.rules[i]
		if c.rule.Rest != rest || slices.Contains(s.opts.Disable, c.rule.ID) {
			continue
		}
		for _, e := range subjects {
			f, ok := c.judge(s, e)
			switch {
			case !ok, f.Verdict == NotApplicable && !s.opts.All:
			case f.Verdict == Pass && s.opts.Passed != nil:
				s.passed++
			default:
				f.ID = c.rule.ID + "/" + e.ref().String()
				out = append(out, f)
			}
		}
	}
	return out
}

// judge holds a rule against an element; false if it asks nothing of its kind.
func (c *compiled) judge(s *session, e *element) (Finding, bool) {
	s.parts = s.parts[:0]
	for i := range c.checks {
		if slices.Contains(c.checks[i].Kind, e.Kind) {
			s.parts = append(s.parts, c.checks[i].judge(s, e, &c.rule))
		}
	}
	switch len(s.parts) {
	case 0:
		return Finding{}, false
	case 1:
		return s.parts[0], true
	}
	return combine(s.parts), true
}

// weight orders verdicts: what decides when several checks of a rule speak.
var weight = map[Verdict]int{Found: 0, NotAssessed: 1, Pass: 2, NotApplicable: 3}

// combine makes one finding of a rule's checks on one element.
func combine(parts []Finding) Finding {
	slices.SortStableFunc(parts, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(weight[a.Verdict], weight[b.Verdict]), cmp.Compare(rank(a.Severity), rank(b.Severity)))
	})
	f := parts[0]
	for _, p := range parts[1:] {
		if p.Verdict != f.Verdict {
			continue
		}
		if p.Title != f.Title {
			f.Title += "; " + p.Title
		}
		f.Missing = merge(f.Missing, p.Missing)
		f.Advice = merge(f.Advice, p.Advice)
		f.Cautions = merge(f.Cautions, p.Cautions)
		for _, x := range p.Evidence {
			if !slices.Contains(f.Evidence, x) {
				f.Evidence = append(f.Evidence, x)
			}
		}
		for _, x := range p.Remedy {
			if !slices.ContainsFunc(f.Remedy, func(y Setting) bool { return y.Ref == x.Ref && y.Attr == x.Attr }) {
				f.Remedy = append(f.Remedy, x)
			}
		}
		for _, x := range p.Affects {
			if !slices.Contains(f.Affects, x) {
				f.Affects = append(f.Affects, x)
			}
		}
	}
	return f
}

// byImpact puts findings before what passed, the severe first, of those the
// ones that more elements suffer from; then by rule and element.
func byImpact(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(weight[a.Verdict], weight[b.Verdict]),
		cmp.Compare(rank(a.Severity), rank(b.Severity)),
		cmp.Compare(len(b.Affects), len(a.Affects)),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Element.Host, b.Element.Host),
		inventory.Natural(a.Element.Element, b.Element.Element),
	)
}
