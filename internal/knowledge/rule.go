package knowledge

// Rule is a piece of knowledge that can be held against an inventory: what is
// wrong, why, what it costs and what to set.
type Rule struct {
	ID       string `yaml:"id"` // R001; a site's own rules take any other prefix
	Title    string `yaml:"title"`
	Severity string `yaml:"severity"` // critical, high, medium, low, info
	Class    Class  `yaml:"class"`    // outage class of the remedy
	// What the planner uses. Findings of a rule that breaks traffic mean that
	// packets are lost, not that they are slow: no plan may bring one about. What
	// every change for the next boot brings about until then is transient. A
	// defect is one of the installed software, not of a setting.
	BreaksTraffic bool `yaml:"breaks_traffic,omitempty"`
	Transient     bool `yaml:"transient,omitempty"`
	Defect        bool `yaml:"defect,omitempty"`

	Confidence  string   `yaml:"confidence"`
	Why         string   `yaml:"why"`
	Effect      string   `yaml:"effect,omitempty"` // expected, with the figures measured
	Cautions    []string `yaml:"cautions,omitempty"`
	Corrections []string `yaml:"corrections,omitempty"` // where a source is wrong, and what is right
	Sources     []string `yaml:"sources"`
	Checks      []Check  `yaml:"checks"`
	Cases       []Case   `yaml:"cases"`
	Explains    []string `yaml:"explains,omitempty"` // rules whose findings, on what this one affects, are its consequences
	Rest        bool     `yaml:"rest,omitempty"`     // judged last, about what no other finding has named

	File    string `yaml:"-"` // where it was read, for messages
	BuiltIn bool   `yaml:"-"` // part of the program, not of a site's folder

	Known   *Defect `yaml:"-"` // what it was made from, where it is a known defect
	ByLevel bool    `yaml:"-"` // of a known defect: it does not hold where the level has it not
}

// Check is one question a rule asks of one kind of element.
//
// When and Condition are boolean expressions of CEL (package audit/expr). Where When is false the rule does not apply; where
// Condition is true there is a finding. What is not known makes neither true.
type Check struct {
	Kind      []string        `yaml:"kind"` // inventory kinds, or "host", "tunables"
	When      string          `yaml:"when,omitempty"`
	Condition string          `yaml:"condition"`
	Says      string          `yaml:"says,omitempty"`     // what is wrong here, instead of the rule's title
	Severity  string          `yaml:"severity,omitempty"` // instead of the rule's
	Grades    []Grade         `yaml:"grades,omitempty"`   // first that holds decides the severity
	Totals    string          `yaml:"totals,omitempty"`   // severity while counters are totals since boot
	Rare      string          `yaml:"rare,omitempty"`     // condition: such totals are too few to be felt, and no cause
	Remedy    []Remedy        `yaml:"remedy,omitempty"`
	Advice    []ConditionText `yaml:"advice,omitempty"`
	Evidence  []string        `yaml:"evidence,omitempty"`  // expressions of a finding whose values are shown, whatever they are
	Affects   string          `yaml:"affects,omitempty"`   // expression: list of elements that suffer
	Harm      string          `yaml:"harm,omitempty"`      // expression: the share of a stream's throughput that it costs, 0 to 1
	Certainty string          `yaml:"certainty,omitempty"` // proved, likely or possible; empty: as its counters show

	Sign         string `yaml:"-"` // condition: one of the signs of a known defect shows it
	SpecificSign string `yaml:"-"` // condition: one that other causes do not leave
}

// Grade is a severity that holds under a condition.
type Grade struct {
	When     string `yaml:"when"`
	Severity string `yaml:"severity"`
}

// Remedy is one wanted setting. Of names the element by an expression; empty
// is the judged one. It may give several elements, each gets the setting.
type Remedy struct {
	Of    string `yaml:"of,omitempty"`
	Attr  string `yaml:"attr"`
	Value string `yaml:"value"` // a literal, or "=" and an expression
	When  string `yaml:"when,omitempty"`
	// Larger values serve too: of rules that ask for different ones the largest is advised.
	AtLeast bool `yaml:"at_least,omitempty"`
}

// ConditionText is a line of advice, given always or under a condition.
type ConditionText struct {
	Text string `yaml:"text"`
	When string `yaml:"when,omitempty"`
}

// Case is a test of a rule: a fleet, what differs from it, and the verdicts
// expected. With is keyed by "host" or "host:element"; a null removes.
type Case struct {
	Name     string             `yaml:"name"`
	Fleet    string             `yaml:"fleet"`
	With     map[string]any     `yaml:"with,omitempty"`
	Before   map[string]any     `yaml:"before,omitempty"`   // an earlier snapshot: what differed from With then
	Measured map[string]float64 `yaml:"measured,omitempty"` // "lpar1:en0 rtt_ms": 0.243
	Paths    []string           `yaml:"paths,omitempty"`    // "lpar1:en0 lpar2:en0"
	Expect   []Expectation      `yaml:"expect"`
}

// Expectation is a verdict on an element. Every FINDING of the rule in the
// case's fleet must be expected.
type Expectation struct {
	At       string   `yaml:"at"` // host:element
	Verdict  string   `yaml:"verdict"`
	Severity string   `yaml:"severity,omitempty"`
	Missing  string   `yaml:"missing,omitempty"` // part of what is said to be missing
	Affects  []string `yaml:"affects,omitempty"`
	Remedy   []string `yaml:"remedy,omitempty"` // "vios1:ent5 largesend=1"
}
