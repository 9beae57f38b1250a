package measure

import (
	"fmt"
	"time"

	"seaworthy/internal/measure/stats"
)

// Decision is how the comparison of a workload ended that went on until it was decided.
type Decision struct {
	Decided bool    `json:"decided"` // improved, worse, or no difference beyond the margin
	Blocks  int     `json:"blocks"`
	Most    int     `json:"most_blocks"` // at most so many were planned
	Look    int     `json:"look"`        // which one the interval is of; 0: none was reached
	Looks   int     `json:"looks"`       // planned
	Bound   float64 `json:"bound"`       // of Student's |t| at that look
}

// leastLook is how many blocks there are before the first look: with fewer, Student's t is
// so wide that only what leaps to the eye would be decided.
const leastLook = 3

// planLooks plans when a comparison is judged, once its first block shows how many fit
// into the budget, as if one workload were left. It looks after every block: what that
// costs is in the bounds.
func (s *session) planLooks(block time.Duration) error {
	if s.looks != nil {
		return nil
	}
	most := s.Repetitions
	if s.Budget > 0 && block > 0 {
		most = min(most, max(leastLook, int(float64(s.Budget)/float64(block)*float64(len(s.Workloads)))))
	}
	var at []int
	for n := min(leastLook, most); n <= most; n++ {
		if n >= 2 {
			at = append(at, n)
		}
	}
	if len(at) == 0 {
		return nil // one block, which decides nothing
	}
	var err error
	if s.looks, err = stats.PlanLooks(at, stats.Margin); err != nil {
		return fmt.Errorf("%d blocks at most: %w", most, err)
	}
	s.Repetitions, s.result.Options.Looks = most, at
	return nil
}

// open are the workloads that are still to be decided.
func (s *session) open(all []Workload, a, b string) []Workload {
	var out []Workload
	for _, w := range all {
		for _, k := range mains {
			ratios, control := pairs(s.result.Trials, w.Name, a, b, k)
			if l := s.look(ratios, control, k); len(ratios) > 0 && (l == nil || !l.Decided) {
				out = append(out, w)
			}
		}
	}
	return out
}

// look judges a figure's blocks while the comparison runs; nil where no look is planned.
func (s *session) look(ratios, control []float64, k kind) *stats.Look {
	if s.looks == nil {
		return nil
	}
	c, _ := stats.Paired(control) // none without complete pairs
	l, err := s.looks.At(ratios, k.better, c)
	if err != nil {
		return nil // a block in which nothing moved
	}
	return l
}

// last judges a figure's blocks at the end. A workload that ran out of time or of blocks
// spends there what is left of its 5 %; one that was decided, or broken off by a person, who
// may have seen how it goes, is judged by the last look that was planned. nil: there was none.
func (s *session) last(workload string, ratios, control []float64, k kind) *stats.Look {
	if s.looks != nil && s.ranOut[workload] {
		n := len(ratios)
		if s.ends[n] == nil {
			s.ends[n] = s.looks.EndAt(n)
		}
		c, _ := stats.Paired(control)
		l, _ := s.ends[n].At(ratios, k.better, c)
		return l
	}
	for n := len(ratios); n >= 2; n-- {
		if l := s.look(ratios[:n], control, k); l != nil {
			return l
		}
	}
	return nil
}

// runOut keeps which workloads were still open when no time or no block was left.
func (s *session) runOut() {
	for _, w := range s.Workloads {
		s.ranOut[w.Name] = true
	}
}

// decision says how a workload's comparison ended.
func (s *session) decision(blocks int, l *stats.Look) *Decision {
	d := &Decision{Blocks: blocks, Most: s.Repetitions}
	if s.looks != nil {
		d.Looks = len(s.looks.Blocks())
	}
	if l != nil {
		d.Decided, d.Look, d.Bound = l.Decided, l.Number, l.Bound
	}
	return d
}
