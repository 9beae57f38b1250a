package audit

import (
	"fmt"
	"strings"
)

// recipe is the most a field recipe gives each pool (S003:L202-211). The
// ceiling itself differs by level, so more is only asked for where the host
// says that it allows it.
var recipe = map[string]int{"tiny": 4096, "small": 4096, "medium": 512, "large": 128, "huge": 128}

// starved says whether a pool ran out: it grew to its maximum, or, where the
// driver takes the maximum from the start, its registered buffers once fell
// below a twentieth of it.
func (s *session) starved(e *element, name string) (bool, error) {
	p, err := s.pool(e, name)
	if err != nil {
		return false, err
	}
	most, err := s.poolValue(p, "Max Buffers", p.is.Max)
	if err != nil {
		return false, err
	}
	least, err := s.poolValue(p, "Min Buffers", p.is.Min)
	if err != nil {
		return false, err
	}
	if least < most {
		high, err := s.poolValue(p, "Max Allocated", p.is.MaxAllocated)
		return high >= most, err
	}
	low, err := s.poolValue(p, "Lowest Registered", p.is.LowestRegistered)
	return low*20 < most, err
}

// grown says whether a pool had to allocate more than its minimum.
func (s *session) grown(e *element, name string) (bool, error) {
	p, err := s.pool(e, name)
	if err != nil {
		return false, err
	}
	least, err := s.poolValue(p, "Min Buffers", p.is.Min)
	if err != nil {
		return false, err
	}
	high, err := s.poolValue(p, "Max Allocated", p.is.MaxAllocated)
	return high > least, err
}

// roomier gives a larger maximum for a pool: twice as much, within what the
// host allows or, if it did not say, within the recipe.
func (s *session) roomier(e *element, name string) (int, error) {
	attr := "max_buf_" + name
	now, err := s.num(e, attr)
	if err != nil {
		return 0, err
	}
	ceiling, err := s.allowed(e, attr)
	if err != nil {
		ceiling = recipe[name]
	}
	return max(now, min(2*now, ceiling)), nil
}

// topped says whether a pool is as large as the host allows; where the host did
// not say, whether it is as large as the recipe makes it.
func (s *session) topped(e *element, name string) (bool, error) {
	attr := "max_buf_" + name
	now, err := s.num(e, attr)
	if err != nil {
		return false, err
	}
	ceiling, err := s.allowed(e, attr)
	if err != nil && now >= recipe[name] {
		return true, nil
	}
	return now >= ceiling, err
}

func (s *session) pool(e *element, name string) (*pool, error) {
	for _, b := range e.is.Buffers {
		if strings.EqualFold(b.Pool, name) {
			return &pool{Name: name, of: e, is: b}, nil
		}
	}
	return nil, missing(describe(e, name+" receive buffers", "entstat -d "+e.Name))
}

// poolValue reads one figure of a receive pool.
func (s *session) poolValue(p *pool, what string, v *uint64) (int, error) {
	if v == nil {
		return 0, missing(describe(p.of, p.Name+" buffers, "+what, "entstat -d "+p.of.Name))
	}
	s.seen.add(Evidence{Host: p.of.Host, Command: "entstat -d " + p.of.Name,
		Text: fmt.Sprintf("%s %s buffers, %s: %d", p.of.Name, p.Name, what, *v)})
	return int(min(*v, 1<<62)), nil
}

func (s *session) pools(e *element) ([]*pool, error) {
	if len(e.is.Buffers) == 0 {
		return nil, missing(describe(e, "receive buffers", "entstat -d "+e.Name))
	}
	var out []*pool
	for _, b := range e.is.Buffers {
		if b.Pool != "Control" {
			out = append(out, &pool{Name: strings.ToLower(b.Pool), of: e, is: b})
		}
	}
	return out, nil
}
