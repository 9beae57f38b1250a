package knowledge

import "slices"

// Cause holds what can make a path slow, in symptoms.yaml: how it shows, and what to do about it.
type Cause struct {
	ID        string   `yaml:"id"`
	Title     string   `yaml:"title"`
	Symptoms  []string `yaml:"symptoms"`             // slow, stalls, drops, latency
	Witnesses []string `yaml:"witnesses,omitempty"`  // rules whose findings show it
	Certainty string   `yaml:"certainty,omitempty"`  // of findings that have none of their own: proved, likely, possible
	Needed    bool     `yaml:"needed,omitempty"`     // while it could not be looked at, a path is not called healthy
	Standby   bool     `yaml:"standby,omitempty"`    // counts on the other VIOS of a pair too
	Beside    bool     `yaml:"beside,omitempty"`     // no fault of the network: a program keeps it waiting
	ByLoad    bool     `yaml:"by_load,omitempty"`    // streams that diagnose sends can bring it about
	Silences  bool     `yaml:"silences,omitempty"`   // nothing passes where it holds: possible only on a path whose pings are answered
	Path      bool     `yaml:"path,omitempty"`       // one of the whole path, though both its ends show it
	Hides     []string `yaml:"hides,omitempty"`      // causes that follow from it, wherever on the path
	HidesHere []string `yaml:"hides_here,omitempty"` // those that follow at the same element
	Measured  []string `yaml:"measured,omitempty"`   // measurements without which it can be neither found nor ruled out
	Cures     []string `yaml:"cures,omitempty"`      // rules whose findings on the path carry the settings that cure it
	Limits    []string `yaml:"limits,omitempty"`     // witnesses of settings that limit throughput for certain
	Shown     string   `yaml:"shown,omitempty"`      // by what else than rules and checks: ShownUnread, ShownSilent
	Located   string   `yaml:"located,omitempty"`    // by what its element is found: LocatedByMTU, LocatedByTrip
	Unlocated bool     `yaml:"unlocated,omitempty"`  // says that something happens, and not where
	Oversized []string `yaml:"oversized,omitempty"`  // counters that packets above the path MTU raise, those of diagnose too
	Do        []string `yaml:"do"`
	Verify    []string `yaml:"verify"`           // how to see that it is gone
	Checks    []Check  `yaml:"checks,omitempty"` // of its own, as a rule has them
	Cases     []Case   `yaml:"cases,omitempty"`
}

// How a cause is shown that has neither witnesses nor checks, and how an element is blamed.
const (
	ShownUnread   = "unread-host" // a host of the path that could not be read
	ShownSilent   = "silent-end"  // an end that answers no ping
	LocatedByMTU  = "path-mtu"    // what stops large packets
	LocatedByTrip = "round-trip"  // what makes the round trip long
)

// Ranking is how causes are put in order and from where on a figure counts. None of it is
// shown to users.
type Ranking struct {
	Certainties map[string]float64 `yaml:"certainties"`  // weight of proved, likely, possible
	Severities  map[string]float64 `yaml:"severities"`   // harm of findings that do not say what they cost, 0 to 1
	StandBy     float64            `yaml:"stand_by"`     // share of the harm on the VIOS that stands by
	NoSign      float64            `yaml:"no_sign"`      // share of the harm of a known defect that left no sign
	Unread      float64            `yaml:"unread"`       // harm of a host beside the ends that cannot be read
	Silent      float64            `yaml:"silent"`       // harm of an end that answers no ping
	FullShare   float64            `yaml:"full_share"`   // of the line: a stream that moves less is slow
	SlowShare   float64            `yaml:"slow_share"`   // of the line: a stream that moves less has a fault
	Explained   float64            `yaml:"explained"`    // of a prediction's low end: what moves less has another cause
	LongTripMS  float64            `yaml:"long_trip_ms"` // a round trip that is long enough to ask where
	IdleShare   float64            `yaml:"idle_share"`   // of the line: a path that carries less is idle
	Delivered   Delivered          `yaml:"delivered"`    // TCP's own counters that show that nothing is lost
	Reason      string             `yaml:"reason"`       // what the figures rest on
}

// Delivered says how many data packets TCP has to have sent, and how few of them again, to
// show that none are lost.
type Delivered struct {
	Packets  uint64  `yaml:"packets"`   // at least
	AgainPPM float64 `yaml:"again_ppm"` // at most, in millionths
}

// Part is a part of what makes a path work, in clean.yaml. It is clean once its causes are ruled out.
type Part struct {
	ID     string   `yaml:"id"`
	Title  string   `yaml:"title"`
	Causes []string `yaml:"causes"` // what can be wrong with it; each cause of the network has one part
}

// Elsewhere is where to look when the network is not the cause, in clean.yaml.
type Elsewhere struct {
	ID     string   `yaml:"id"`
	Title  string   `yaml:"title"`
	Causes []string `yaml:"causes"` // causes beside the network that point there
	AIX    []string `yaml:"aix"`    // commands that show it, on a host with AIX or VIOS
	Linux  []string `yaml:"linux"`  // the same on Linux
	Sign   string   `yaml:"sign"`   // what the ends showed that points there: SignReadyThreads and so on; empty: nothing does
}

// What an end can show, while it is watched, that points beside the network.
const (
	SignReadyThreads = "ready-threads" // more threads are ready to run than there are processors
	SignDiskWaits    = "disk-waits"    // processors wait for disks
	SignEmptyQueues  = "empty-queues"  // nothing waits in the queues of the connections
)

// Reading would decide a diagnosis that is open, in clean.yaml.
type Reading struct {
	Lacks string `yaml:"lacks"` // what has to be missing: LacksHosts and so on
	Title string `yaml:"title"`
	How   string `yaml:"how"` // command to paste; A B are the ends, HOSTS what was read
}

// What a diagnosis can lack.
const (
	LacksHosts   = "hosts"   // something between the ends was not read
	LacksPings   = "pings"   // no measurement of the path
	LacksOutputs = "outputs" // an output of a host that was read
	LacksEarlier = "earlier" // a second reading, to see what grows
	LacksLoad    = "load"    // a stream of its own
	LacksProgram = "program" // what the programs at both ends do
)

// Unexplained is a rule that explains no symptom, in symptoms.yaml.
type Unexplained struct {
	Rule   string `yaml:"rule"`
	Reason string `yaml:"reason"`
}

// Innocence holds what shows that the network is not the cause, in clean.yaml; each list in the order of the file.
type Innocence struct {
	Parts     []Part      `yaml:"parts"`
	Elsewhere []Elsewhere `yaml:"elsewhere"`
	Readings  []Reading   `yaml:"readings"` // first what decides most
}

// Innocence gives what shows that the network is not the cause.
func (c *Catalog) Innocence() Innocence { return c.innocence }

// Unexplained lists the rules that explain no symptom.
func (c *Catalog) Unexplained() []Unexplained { return slices.Clone(c.unexplained) }

// Ranking gives the ranking of causes.
func (c *Catalog) Ranking() Ranking { return c.ranking }

// Measurement holds what diagnose measures of a path, in symptoms.yaml.
type Measurement struct {
	Name  string `yaml:"name"`  // the fact that checks ask for: path_rtt_ms
	Title string `yaml:"title"` // what is missing without it
	How   string `yaml:"how"`   // command that measures it; A B are the ends
}

// Measurements lists what diagnose measures, in the order of the file.
func (c *Catalog) Measurements() []Measurement { return slices.Clone(c.measurements) }

// Symptoms that a user can name.
var Symptoms = []string{"slow", "stalls", "drops", "latency"}

// Rule gives the cause's own checks as a rule of its id.
func (c Cause) Rule() Rule {
	return Rule{ID: c.ID, Title: c.Title, Severity: "high", Class: O6, Confidence: "high", Why: c.Title, Checks: c.Checks, Cases: c.Cases,
		File: "symptoms.yaml", BuiltIn: true}
}

// Causes lists what can make a path slow, in the order of the file.
func (c *Catalog) Causes() []Cause { return slices.Clone(c.causes) }
