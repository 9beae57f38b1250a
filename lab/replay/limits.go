package replay

import (
	"fmt"
	"strings"
)

// fullCPU is the share from which on processors are the limit.
const fullCPU = 0.90

// limits are the shares from which on something is said to hold a case back.
var limits = []struct {
	figure string
	full   float64
	text   string // with the share in %
}{
	{LineShare, 0.95, "the line was %.0f %% full"},
	{cpuShare, fullCPU, "the machine's processors were %.0f %% busy"},
	{toolShare, 0.90, "the sender had one processor, the most it can use, for %.0f %% of the time"},
	{windowShare, 0.30, "the receiver's window held the sender back for %.0f %% of the time"},
	{bufferShare, 0.30, "the send buffer held it back for %.0f %% of the time"},
	{resentShare, 0.001, "%.1f %% of the segments were sent again"},
}

// heldBack says what held a case back, each with its figure; if nothing did,
// how far from each limit it was.
func (s *samples) heldBack(name string) []string {
	var out, free []string
	for _, l := range limits {
		if sum := s.summary(name, l.figure); sum == nil {
			continue
		} else if text := fmt.Sprintf(l.text, 100*sum.Median); sum.Median >= l.full {
			out = append(out, text)
		} else {
			free = append(free, text)
		}
	}
	if len(out) == 0 && len(free) > 0 {
		out = []string{"nothing measured was at its limit: " + strings.Join(free, ", ")}
	}
	return out
}

// full says whether a case's trials kept all processors busy.
func (s *samples) full(name string) bool {
	sum := s.summary(name, cpuShare)
	return sum != nil && sum.Median >= fullCPU
}
