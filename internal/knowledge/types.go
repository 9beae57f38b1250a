package knowledge

import "cmp"

// Class is the outage class of a change.
type Class string

const (
	O0 Class = "O0" // none: dynamic, traffic continues
	O1 Class = "O1" // none for existing connections, only new ones benefit
	O2 Class = "O2" // the interface is bounced: seconds
	O3 Class = "O3" // the adapter must be unconfigured, or -P and a reboot
	O4 Class = "O4" // the partition is rebooted
	O5 Class = "O5" // failover or switch sensitive: ordered steps on both VIOSes
	O6 Class = "O6" // coordinated end to end: switch and every host of the VLAN
)

// Valid says whether c is one of the seven classes.
func (c Class) Valid() bool { return len(c) == 2 && c[0] == 'O' && c[1] >= '0' && c[1] <= '6' }

// Outage says in words what traffic feels; empty for what is not a class.
func (c Class) Outage() string { return outages[c] }

// Classes are all outage classes, mildest first.
func Classes() []Class { return []Class{O0, O1, O2, O3, O4, O5, O6} }

// Meaning says in words what a class stands for, whether its step interrupts now or later;
// empty for what is not a class.
func (c Class) Meaning() string { return meanings[c] }

var meanings = map[Class]string{
	O0: "no outage",
	O1: "no outage; only new connections benefit",
	O2: "the interface goes down for seconds",
	O3: "adapter down during the change, or active after a reboot",
	O4: "the partition is rebooted",
	O5: "SEA failover, or a step on both VIOSes in order",
	O6: "coordinated with the switch and every host of the VLAN",
}

var outages = map[Class]string{
	O0: "none (traffic continues)",
	O1: "none (only new connections use it)",
	O2: "the interface is down for some seconds",
	O3: "the adapter is unconfigured for some seconds",
	O4: "reboot of the partition",
	O5: "failover or a switch renegotiation, up to 30 s",
	O6: "must be the same on the switch and on every host of the VLAN",
}

// Attribute is one tunable of one kind of element.
//
// Read and Set are command lines in which {name} stands for the element and
// {value} for the wanted value.
type Attribute struct {
	Name      string    `yaml:"name"`
	Layer     string    `yaml:"layer,omitempty"` // an inventory.Kind, or "no", "linux", "hypervisor", "vios"; given once per file
	Role      Role      `yaml:"role,omitempty"`  // what it is to the program; empty: nothing but an attribute
	Label     string    `yaml:"label"`           // the description lsattr prints in the lab
	Type      string    `yaml:"type"`            // int, bool, enum, string, list, device, address, mac
	Defaults  []Default `yaml:"defaults"`
	Implied   []Default `yaml:"implied,omitempty"` // what is in force where the attribute is left empty
	Allowed   string    `yaml:"allowed"`           // in words
	Values    []string  `yaml:"values,omitempty"`  // enumerated: what lsattr -R prints one a line
	Min       *int64    `yaml:"min,omitempty"`
	Max       *int64    `yaml:"max,omitempty"`
	Step      *int64    `yaml:"step,omitempty"`
	Unit      string    `yaml:"unit,omitempty"`
	Read      []string  `yaml:"read"`
	Set       []string  `yaml:"set"`
	Effective string    `yaml:"effective"` // when a change takes effect
	Class     Class     `yaml:"class"`
	// Classes are those of drivers for which it is another one.
	Classes map[string]Class `yaml:"classes,omitempty"`
	Tuning  *Tuning          `yaml:"tuning,omitempty"` // nil: not varied by tune
	Needs   []string         `yaml:"needs,omitempty"`  // interactions
	// Switched on, packets larger than a frame pass the element; and the rule that
	// says which clients can take them: a planner knows nothing of unread ones.
	LargePackets bool   `yaml:"large_packets,omitempty"`
	ClientsRule  string `yaml:"clients_rule,omitempty"`

	Linux       string   `yaml:"linux,omitempty"`      // Linux equivalent
	AIX         string   `yaml:"aix,omitempty"`        // AIX equivalent, for the linux layer
	Since       string   `yaml:"since,omitempty"`      // level from which the attribute exists; empty: all levels
	Drivers     []string `yaml:"drivers,omitempty"`    // only these drivers have it; empty: all of the layer
	Restricted  bool     `yaml:"restricted,omitempty"` // no(1) hides it without -F, and asks before -p and -r
	ReadOnly    bool     `yaml:"read_only,omitempty"`
	Recommended []string `yaml:"recommended,omitempty"`
	Sources     []string `yaml:"sources"`
	Confidence  string   `yaml:"confidence"` // high, medium, low
}

// ClassOf is the outage class of a change of a device with that driver.
func (a *Attribute) ClassOf(driver string) Class {
	return cmp.Or(a.Classes[driver], a.Class)
}

// Tuning says how tune varies an attribute.
type Tuning struct {
	Levels  []string `yaml:"levels"`            // values worth a trial, the likeliest best first
	Latency []string `yaml:"latency,omitempty"` // further ones for latency and transactions, which give up throughput for them
	Side    string   `yaml:"side,omitempty"`    // sender, receiver or ends (both); empty: every element of the path
	Factor  string   `yaml:"factor,omitempty"`  // attributes of one factor change together all along the path
	Goals   []string `yaml:"goals,omitempty"`   // that it can serve; empty: all
}

// Default is a default value and where it holds. From and Below are levels in
// the form oslevel -s or ioslevel print ("7200-05", "3.1.1"); From is
// included, Below is not.
type Default struct {
	Value string `yaml:"value"`
	When  string `yaml:"when,omitempty"`
	From  string `yaml:"from,omitempty"`
	Below string `yaml:"below,omitempty"`
}

// Source is a document that a fact was taken from. Facts cite it by key, a
// some with lines: "S000:L58", "S001:L26-33,L293".
type Source struct {
	Key   string `yaml:"key"`
	Title string `yaml:"title"`
	Where string `yaml:"where,omitempty"` // address, or where it was published
	Lines bool   `yaml:"lines,omitempty"` // cited with line numbers
	Note  string `yaml:"note,omitempty"`
}
