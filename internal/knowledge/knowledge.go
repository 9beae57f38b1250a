package knowledge

import (
	"slices"
)

// Costs hold what traffic costs hosts of one kind: the priors of package predict.
type Costs struct {
	Profile    string              `yaml:"profile"` // power; lab: this program's own lab
	Title      string              `yaml:"title"`
	ClockMHz   float64             `yaml:"clock_mhz"`
	Hosts      map[string]HostCost `yaml:"hosts"` // by role: sender, bridge, receiver
	Stream     StreamCost          `yaml:"stream"`
	Session    SessionCost         `yaml:"session"`
	Batching   float64             `yaml:"batching"`      // cores a byte go with streams to this power
	Contention float64             `yaml:"contention"`    // σ of the Universal Scalability Law
	Coherency  float64             `yaml:"coherency"`     // its κ
	RoundTrip  float64             `yaml:"round_trip_ms"` // without the work of hosts
	Factor     float64             `yaml:"factor"`        // that the figures may be off by in 95 % of cases
	Span       CostSpan            `yaml:"span"`
	Sources    []string            `yaml:"sources"`

	Spreads *Spreads `yaml:"-"` // of all profiles
}

// Spreads are how far a machine may be from the costs: standard deviations of logarithms,
// but for what says otherwise.
type Spreads struct {
	Measured    string  `yaml:"measured"` // what they rest on
	AnyMachine  float64 `yaml:"any_machine"`
	AsPublished float64 `yaml:"as_published"`
	AsMeasured  float64 `yaml:"as_measured"`
	RoundTrip   float64 `yaml:"round_trip"`
	Contention  float64 `yaml:"contention"`
	Coherency   float64 `yaml:"coherency"`
	Batching    float64 `yaml:"batching"` // of the power itself
	Misses      float64 `yaml:"misses"`   // a power
	Missing     float64 `yaml:"missing"`  // spread of that power
	Waking      float64 `yaml:"waking"`
	Blunt       float64 `yaml:"blunt"` // exponent of the smooth minimum
	Blunting    float64 `yaml:"blunting"`
	Sharing     float64 `yaml:"sharing"`
	Sessions    float64 `yaml:"sessions"`
}

// HostCost holds what a host spends: cycles, and cores on waking up as long as there is traffic.
type HostCost struct {
	Byte   float64 `yaml:"byte"`
	Frame  float64 `yaml:"frame"`
	Window float64 `yaml:"window"`
	Waking float64 `yaml:"waking_cores"`
}

// StreamCost holds what the busiest thread of a stream spends, in cycles.
type StreamCost struct {
	Byte          float64 `yaml:"byte"`
	SentFrame     float64 `yaml:"sent_frame"`
	ReceivedFrame float64 `yaml:"received_frame"`
}

// SessionCost holds what a transaction of one session takes beside its bytes and frames.
type SessionCost struct {
	Time       float64 `yaml:"ms"`         // alone on the path, with messages of one frame
	Contention float64 `yaml:"contention"` // σ of the Universal Scalability Law over sessions
	Coherency  float64 `yaml:"coherency"`  // its κ
	Waking     float64 `yaml:"waking"`     // cycles that a host spends on waking up, of ten sessions
	Sharing    float64 `yaml:"sharing"`    // these go with sessions to this power: woken once, a host finds work of several
}

// CostSpan is where the figures hold, from and to.
type CostSpan struct {
	Frame   [2]float64 `yaml:"frame"`  // bytes
	Window  [2]float64 `yaml:"window"` // bytes
	Streams [2]float64 `yaml:"streams"`
	Line    [2]float64 `yaml:"line_gbps"`

	Sessions [2]float64 `yaml:"sessions"`
	Message  [2]float64 `yaml:"message"` // bytes of a request or response
}

// Costs gives a profile's costs, or false.
func (c *Catalog) Costs(profile string) (*Costs, bool) {
	x, ok := c.costs[profile]
	return x, ok
}

// Fact is a number that rules ask for and that no configuration holds.
type Fact struct {
	Name    string `yaml:"name" json:"name"`
	Of      string `yaml:"of" json:"of"` // host, interface, adapter: what it is given for
	Unit    string `yaml:"unit,omitempty" json:"unit,omitempty"`
	Meaning string `yaml:"meaning" json:"meaning"`
	From    string `yaml:"from,omitempty" json:"from,omitempty"` // the command whose output gives it; empty: only --fact does
}

// expressions holds what expressions.yaml holds.
type expressions struct {
	Definitions map[string]string `yaml:"definitions"` // name of a property → CEL
	Facts       []Fact            `yaml:"facts"`
	OldWords    map[string]string `yaml:"old_words"`
}

// Facts lists what the built-in rules ask for, in the order of names.
func (c *Catalog) Facts() []Fact { return slices.Clone(c.expressions.Facts) }

// Fact gives a fact by name; one that is not known has a name only.
func (c *Catalog) Fact(name string) Fact {
	if i := slices.IndexFunc(c.expressions.Facts, func(f Fact) bool { return f.Name == name }); i >= 0 {
		return c.expressions.Facts[i]
	}
	return Fact{Name: name}
}

// Definitions gives the properties that are written in CEL: expressions by name.
func (c *Catalog) Definitions() map[string]string { return c.expressions.Definitions }

// OldWord gives what replaced a word of the language that expressions were once written in; empty for another word.
func (c *Catalog) OldWord(word string) string { return c.expressions.OldWords[word] }
