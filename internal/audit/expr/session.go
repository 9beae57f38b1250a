package expr

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"cel.dev/cel-go/common/types"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Context holds what expressions may ask for apart from the graph.
type Context struct {
	Catalog   *knowledge.Catalog
	Paths     []model.Path           // they say who is whose peer
	Before    map[string]*model.Host // earlier snapshots, by host
	Measured  map[string]float64     // "lpar1:en0 rtt_ms": facts no snapshot holds
	Mentioned map[string]bool        // attributes that rules speak about
	Defects   map[string]*knowledge.Defect
}

// Session evaluates expressions over one fleet and records what they looked at.
// It is used by one goroutine.
type Session struct {
	Context
	NextBoot bool          // judge the values of the next boot instead of the running ones
	Claimed  map[Attr]bool // differences to the next boot that a finding has named
	Seen     Trace         // what was looked at since it was last cleared
	Failed   error         // why an expression could not be run, the first one; its answer is not known

	ctx          context.Context // ends nested loops
	longest      time.Duration
	endless      map[*Expression]bool
	graph        *graph.Graph
	nodes        map[*graph.Element]*node
	labels       map[string]string          // printed names of counters as label has them
	portCounters knowledge.PortCounterTable // names of counters by fact
	ordinaries   map[string][]string        // by layer, as ordinary has them
	mtus         map[subnetView]map[int]int
	missing      map[string]*types.Unknown // what the expression that runs lacks
	facts        []string                  // the same, by the number of the unknown
}

// NewSession makes a session over a graph, which several may share. It ends with its
// context.
func NewSession(ctx context.Context, g *graph.Graph, c Context) *Session {
	return &Session{
		ctx: ctx, longest: longest, endless: map[*Expression]bool{},
		Context: c, portCounters: knowledge.PortCounters(c.Catalog), Claimed: map[Attr]bool{}, graph: g, nodes: map[*graph.Element]*node{},
		labels: map[string]string{}, ordinaries: map[string][]string{}, mtus: map[subnetView]map[int]int{},
		missing: map[string]*types.Unknown{},
	}
}

func (s *Session) fail(source string, err error) {
	s.Failed = cmp.Or(s.Failed, fmt.Errorf("%q: %w", source, err))
}

// Attr names an attribute of an element.
type Attr struct {
	model.Ref
	Name string
}

// Trace holds what expressions looked at: the source of evidence.
type Trace struct {
	Evidence []finding.Evidence
	Drifting []Attr // what has another next-boot value
	ODM      bool   // a running value was not visible, the ODM's was taken
	Totals   bool   // a counter was a total since it was reset
	Grew     bool   // a counter gained between two snapshots
}

// Clear forgets all but the room.
func (t *Trace) Clear() { *t = Trace{Evidence: t.Evidence[:0], Drifting: t.Drifting[:0]} }

// evidence records what a command showed about an element.
func (s *Session) evidence(e *graph.Element, command, format string, args ...any) {
	s.record(finding.Evidence{Host: e.Host, Command: command, Text: fmt.Sprintf(format, args...)})
}

// mostEvidence is how many lines a verdict keeps.
const mostEvidence = 1000

// record keeps a line of evidence, once. A rule looks at few.
func (s *Session) record(e finding.Evidence) {
	if len(s.Seen.Evidence) >= mostEvidence {
		return
	}
	for i := range s.Seen.Evidence {
		if h := &s.Seen.Evidence[i]; h.Text == e.Text && h.Command == e.Command && h.Host == e.Host {
			return
		}
	}
	s.Seen.Evidence = append(s.Seen.Evidence, e)
}

// missingIn lists what an unknown result misses, in the order it was asked for.
func (s *Session) missingIn(u *types.Unknown) (all []string) {
	for _, id := range u.IDs() {
		all = append(all, s.facts[id])
	}
	return all
}

// Truth holds what is known of a condition.
type Truth int

const (
	No Truth = iota
	Yes
	Unknown
)

// Answer is a truth and, if it is unknown, what would have decided it.
type Answer struct {
	Truth
	Missing []string
}
