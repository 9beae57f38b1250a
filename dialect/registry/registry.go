package registry

import (
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/dialect"
)

// Family is the kind of system that prints an output.
type Family string

const (
	AIX   Family = "aix"
	VIOS  Family = "vios" // commands that only a VIOS has
	Linux Family = "linux"
	HMC   Family = "hmc"
	Any   Family = ""
)

// Entry is one kind of output.
type Entry struct {
	ID      string // in manifests: "lsattr-El"
	Command string // as one types it, without a device: "lsattr -El"
	Family  Family
	Parse   Parser // nil: the output is recognised, but not read

	// How a command line is known to be this entry's.
	Call *Call
	// Asks are the command lines with which collect asks for the output.
	Asks []Ask

	// An output is recognised by a line that Mark matches, if Head, where given,
	// matches too and Not does not. An entry without a Mark is known only by its
	// command line or file name.
	Mark, Head, Not *dialect.Pattern
	// Fits decides by the values, for entries whose texts look alike.
	Fits func(dialect.Value) bool
	// Least is the share of non-blank lines that must be understood for the
	// content alone to decide; 0: 0.5. Without a codec, of lines with the mark.
	Least float64
	// Unmarked, if given, says that a text is this output although no mark is in
	// it, because this command line asked for it.
	Unmarked func(command string, text []byte) bool
	// Like names the entry whose outputs look the same: only a command line or
	// a file name shows which of the two it is.
	Like string

	// What the text itself says. The first group is the name.
	Element  *dialect.Pattern            // the device it is about
	About    map[string]*dialect.Pattern // the devices sys0 and inet0, by what only they have
	Host     *dialect.Pattern            // the host it comes from
	HostFrom string                      // where that is: "node name of uname -a"
	OnVIOS   *dialect.Pattern            // what only a VIOS prints

	// Start is a line with which an output begins where several follow each
	// other without a heading; Again says that each such line begins another.
	Start *dialect.Pattern
	Again bool
	// Within are entries whose outputs may hold lines that look like this Start.
	Within []string

	Device   bool // one output is about one device
	Table    bool // columns, which show empty cells: never tabs
	Repeats  bool // several outputs are parts of one reading
	Blank    bool // nothing printed is an answer
	Counters bool // holds counters, which are read again and again
	Settings bool // holds attributes and tunables, by which a change is verified
}

// Call is the form of a command line.
type Call struct {
	Programs []string
	Args     *dialect.Pattern // of the words behind the program, each with a blank before it; nil: any
}

// call is the form of a command line: a program, or several parted by "|",
// and an expression for its arguments.
func call(programs string, args ...string) *Call {
	c := &Call{Programs: strings.Split(programs, "|")}
	if len(args) > 0 {
		c.Args = dialect.Lazy(args[0])
	}
	return c
}

// Scope is what one Ask is repeated for.
type Scope int

const (
	OfHost      Scope = iota // once
	OfDevice                 // each adapter and interface: attributes
	OfStatistic              // each adapter whose statistics are asked
	OfDefault                // each adapter and interface: defaults
	OfSlot                   // each adapter that has a location
	OfVirtual                // the first virtual adapter
	OfServer                 // each vNIC server
	IfServers                // once, if there are vNIC servers
	OfAccounted              // each SEA that counts its clients
	OfNetdev                 // each network device of Linux
	OnPower                  // once, on Linux on Power
	Instead                  // once, where another command is not there
)

// On is a set of ways to log in.
type On int

const (
	OnAIX    On = 1 << iota // AIX, as any user
	OnVIOS                  // VIOS as root, or as padmin with oem_setup_env
	OnPadmin                // VIOS as padmin in the restricted shell
	OnLinux
)

// Ask is one way to ask a host for an output.
type Ask struct {
	On        On
	Of        Scope
	Line      string // {} is the device; {fixes} the fixes that rules ask about
	Element   string // the device in Line, if it is always the same
	Attribute string
	Root      bool // on a VIOS, padmin needs oem_setup_env for it
	Limit     time.Duration
	Partial   bool // fails if one of several things asked for is missing; what it printed counts
}

// Limits by how long a command may take on a large host.
const (
	Quick  = 20 * time.Second
	Normal = 45 * time.Second
	Slow   = 90 * time.Second // entstat of an SEA with many members
)

// Entries are all kinds of output. They must not be changed.
var Entries = sync.OnceValue(func() []*Entry {
	return slices.Concat(statistics(), aix(), vios(), hmc(), linux(), recognised())
})

var byID = sync.OnceValue(func() map[string]*Entry {
	m := map[string]*Entry{}
	for _, e := range Entries() {
		if m[e.ID] == nil {
			m[e.ID] = e
		}
	}
	return m
})

// Find gives an entry by its id; nil if there is none.
func Find(id string) *Entry { return byID()[id] }

// Asked is an Ask with the id of its entry.
type Asked struct {
	ID string
	Ask
}

// Asks are the command lines for a way to log in and a scope.
func Asks(on On, of Scope) []Asked {
	var out []Asked
	for _, e := range Entries() {
		for _, a := range e.Asks {
			if a.On&on != 0 && a.Of == of {
				out = append(out, Asked{e.ID, a})
			}
		}
	}
	return out
}
