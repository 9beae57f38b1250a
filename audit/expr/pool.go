package expr

import (
	"slices"
	"strings"

	"seaworthy/audit/graph"
	"seaworthy/inventory"
)

// recipe is the most a field recipe gives each pool (S003:L202-211). The
// ceiling itself differs by level, so more is only asked for where the host
// says that it allows it.
var recipe = map[string]int{"tiny": 4096, "small": 4096, "medium": 512, "large": 128, "huge": 128}

// pool is one receive pool of a virtual adapter.
type pool struct {
	Name string // tiny, small, medium, large or huge
	of   *graph.Element
	is   inventory.Buffer
	s    *Session
}

func (p *pool) min() (int, error)     { return p.value("Min Buffers", p.is.Min) }
func (p *pool) max() (int, error)     { return p.value("Max Buffers", p.is.Max) }
func (p *pool) highest() (int, error) { return p.value("Max Allocated", p.is.MaxAllocated) }
func (p *pool) lowest() (int, error)  { return p.value("Lowest Registered", p.is.LowestRegistered) }

// value reads one figure of a pool.
func (p *pool) value(what string, v *uint64) (int, error) {
	if v == nil {
		return 0, p.of.Missing(p.Name+" buffers, "+what, entstat(p.of))
	}
	p.s.saw(p.of, entstat(p.of), "%s %s buffers, %s: %d", p.of.Name, p.Name, what, *v)
	return int(min(*v, 1<<62)), nil
}

// exhausted says whether a pool ran out: it grew to its maximum, or, where the
// driver takes the maximum from the start, its registered buffers once fell
// below a twentieth of it.
func (p *pool) exhausted() (bool, error) {
	most, err := p.max()
	if err != nil {
		return false, err
	}
	least, err := p.min()
	if err != nil {
		return false, err
	}
	if least < most {
		high, err := p.highest()
		return high >= most, err
	}
	low, err := p.lowest()
	return low*20 < most, err
}

// raisedMax gives a larger maximum: twice as much, within what the host allows
// or, if it did not say, within the recipe.
func (p *pool) raisedMax() (int, error) {
	now, err := p.s.num(p.of, "max_buf_"+p.Name)
	if err != nil {
		return 0, err
	}
	ceiling, err := p.s.allowed(p.of, "max_buf_"+p.Name)
	if err != nil {
		ceiling = recipe[p.Name]
	}
	return max(now, min(2*now, ceiling)), nil
}

// atMax says whether a pool is as large as the host allows; where the host did
// not say, whether it is as large as the recipe makes it.
func (p *pool) atMax() (bool, error) {
	now, err := p.s.num(p.of, "max_buf_"+p.Name)
	if err != nil {
		return false, err
	}
	ceiling, err := p.s.allowed(p.of, "max_buf_"+p.Name)
	if err != nil && now >= recipe[p.Name] {
		return true, nil
	}
	return now >= ceiling, err
}

// pool gives one receive pool of an adapter.
func (s *Session) pool(e *graph.Element, name string) (*pool, error) {
	for _, b := range e.Is.Buffers {
		if strings.EqualFold(b.Pool, name) {
			return &pool{Name: name, of: e, is: b, s: s}, nil
		}
	}
	return nil, e.Missing(name+" receive buffers", entstat(e))
}

// hasControlPool says whether an adapter has receive buffers for the control
// packets of SEAs that have no control channel.
func (s *Session) hasControlPool(e *graph.Element) (bool, error) {
	if len(e.Is.Buffers) == 0 {
		return false, e.Missing("receive buffers", entstat(e))
	}
	has := slices.ContainsFunc(e.Is.Buffers, func(b inventory.Buffer) bool { return b.Pool == controlPool })
	s.saw(e, entstat(e), "%s %s", e.Name, either("has Control buffers", "has no Control buffers")(has))
	return has, nil
}

// controlPool is not for frames.
const controlPool = "Control"

// pools gives the receive pools of an adapter.
func (s *Session) pools(e *graph.Element) ([]*pool, error) {
	if len(e.Is.Buffers) == 0 {
		return nil, e.Missing("receive buffers", entstat(e))
	}
	var out []*pool
	for _, b := range e.Is.Buffers {
		if b.Pool != controlPool {
			out = append(out, &pool{Name: strings.ToLower(b.Pool), of: e, is: b, s: s})
		}
	}
	return out, nil
}
