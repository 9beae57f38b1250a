// Package registry lists the outputs that seaworthy knows, one Entry each: the
// command, how collect asks a host for it, how import recognises it, the codec
// that reads it, and what it is good for. What an output becomes in the
// inventory is a table by the same ids in inventory/assemble, which is above
// this package.
//
// The entries are YAML: aix.yaml, vios.yaml and so on. codecs.go and fits.go hold
// the functions that they name.
//
// A new codec touches four files: docs/recipes/codec.md. A command that is only recognised is an entry alone.
//
// The order of entries matters in three places: collect asks in it, a command
// line is the first entry's whose form it has, and of two entries that
// understand a text equally well the first is taken.
package registry

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/parse"
)

// Family is the kind of system that prints an output.
type Family string

const (
	AIX   Family = "aix"
	VIOS  Family = "vios" // commands that only a VIOS has
	Linux Family = "linux"
	HMC   Family = "hmc"

	// Systems whose outputs are told from those of the others, and not read.
	MacOS   Family = "macos"
	BSD     Family = "bsd"
	HPUX    Family = "hp-ux"
	Solaris Family = "solaris"
	Windows Family = "windows"
)

// Foreign are the systems that are not read.
func Foreign() []Family { return []Family{MacOS, BSD, HPUX, Solaris, Windows} }

// Title is the name of a system that is not read, as messages have it; empty for one that is.
func (f Family) Title() string {
	switch f {
	case MacOS:
		return "macOS"
	case BSD:
		return "macOS or a BSD"
	case HPUX:
		return "HP-UX"
	case Solaris:
		return "Solaris"
	case Windows:
		return "Windows"
	}
	return ""
}

// Entry is one kind of output, as the YAML files list it: what everybody knows of it, and in groups what only some use.
type Entry struct {
	ID      string `yaml:"id"`      // in manifests: "lsattr-El"
	Command string `yaml:"command"` // as one types it, without a device: "lsattr -El"
	Family  Family `yaml:"family"`
	Codec   string `yaml:"codec"` // empty: the output is recognised, but not read
	Parse   Parser `yaml:"-"`     // the codec's; nil without one
	Blank   bool   `yaml:"blank"` // nothing printed is an answer

	Collection  `yaml:",inline"`
	CommandLine `yaml:",inline"`
	Recognition `yaml:",inline"`
	Origin      `yaml:",inline"`
	Shape       `yaml:",inline"`
}

// Collection is for collecting and for what rests on it: readings that are taken again, and changes that are verified.
type Collection struct {
	Asks     []Ask `yaml:"asks"`     // the command lines with which collect asks for the output
	Counters bool  `yaml:"counters"` // holds counters, which are read again and again
	Settings bool  `yaml:"settings"` // holds attributes and tunables, by which a change is verified
}

// CommandLine is for importing: a command line is known to be this entry's by its program and by the words behind it,
// each with a blank before it; without Args by the program alone.
type CommandLine struct {
	Programs []string       `yaml:"call"`
	Args     *parse.Pattern `yaml:"args"`
}

// Recognition is for importing an output without a command line. A pattern matches whole lines of a text.
type Recognition struct {
	// An output is recognised by a line that Mark matches, if Head, where given,
	// matches too and Not does not. An entry without a Mark is known only by its
	// command line or file name.
	Mark *parse.Pattern `yaml:"mark"`
	Head *parse.Pattern `yaml:"head"`
	Not  *parse.Pattern `yaml:"not"`
	// Test names what decides by the values, for entries whose texts look alike;
	// an HMC list Has one of some columns and Lacks others; tunables are Unlike
	// those with the marks of other entries.
	Test   string                 `yaml:"fits"`
	Has    []string               `yaml:"has"`
	Lacks  []string               `yaml:"lacks"`
	Unlike []string               `yaml:"unlike"`
	Fits   func(parse.Value) bool `yaml:"-"` // nil: anything
	// Least is the share of non-blank lines that must be understood for the
	// content alone to decide; 0: 0.5. Without a codec, of lines with the mark.
	Least float64 `yaml:"least"`
	// Unmarked, if given, says that a text is this output although no mark is in
	// it, because this command line asked for it.
	Request  string                                 `yaml:"unmarked"`
	Unmarked func(command string, text []byte) bool `yaml:"-"`
	// Free says that the codec takes any words: where neither a command line nor a file name asks for the entry, each
	// line must have the Mark.
	Free bool `yaml:"free"`
	// Names are the names that only this command prints, for a codec that takes lines with any: where neither a command line nor
	// a file name asks for the entry, half of the lines must have one.
	Names *parse.Pattern `yaml:"names"`
	// Shared says that other commands print such lines, too: below the command line of a program that is none of those known, the text
	// is that program's.
	Shared bool `yaml:"shared"`
	// Advised says that people write such lines as advice, too: what somebody should set.
	Advised bool `yaml:"advised"`
	// Headings are those that a filter may have left out: with one of them its lines are an output again.
	Headings []Heading `yaml:"headings"`
	// Like names the entry whose outputs look the same: only a command line or
	// a file name shows which of the two it is.
	Like string `yaml:"like"`
}

// Heading is what a command prints above the lines that a filter picked.
type Heading struct {
	Text string         `yaml:"text"` // {device} stands for the device that the command line names; without one the heading is not used
	When *parse.Pattern `yaml:"when"` // nil: for every command line of the entry's program
}

// Origin is for importing: what the text itself says of where it comes from. The first group of a pattern is the name.
type Origin struct {
	Element  *parse.Pattern            `yaml:"element"`   // the device it is about
	About    map[string]*parse.Pattern `yaml:"about"`     // the devices sys0 and inet0, by what only they have
	Host     *parse.Pattern            `yaml:"host"`      // the host it comes from
	HostFrom string                    `yaml:"host_from"` // where that is: "node name of uname -a"
	// PrintedBy are the lines of an output that only one system prints, where others print the rest of it too.
	PrintedBy map[Family]*parse.Pattern `yaml:"printed_by"`
}

// Shape is for importing: where an output begins and ends among others, and what its parts are.
type Shape struct {
	// Start is a line with which an output begins where several follow each
	// other without a heading; Again says that each such line begins another.
	Start *parse.Pattern `yaml:"start"`
	Again bool           `yaml:"again"`
	// Within are entries whose outputs may hold lines that look like this Start.
	Within []string `yaml:"within"`

	Device  bool `yaml:"device"`  // one output is about one device
	Table   bool `yaml:"table"`   // columns, which show empty cells: never tabs
	Repeats bool `yaml:"repeats"` // several outputs are parts of one reading
}

// Scope holds what one Ask is repeated for.
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
	OfPort                   // each of these that has a driver: no bond, VLAN, cable of a container
	OfPeer                   // each address of another host that is read too
	OfSystem                 // each managed system of an HMC
	OnPower                  // once, on Linux on Power
	Watched                  // once a reading of a host that is watched: see collect.Sampler
	Instead                  // once, where another command is not there
)

// scopes are the names of scopes in the YAML files, in order.
var scopes = []string{"host", "device", "statistic", "default", "slot", "virtual", "server", "if-servers", "accounted", "netdev",
	"port", "peer", "system", "power", "watched", "instead"}

// UnmarshalText reads the name of a scope.
func (s *Scope) UnmarshalText(name []byte) error {
	*s = Scope(slices.Index(scopes, string(name)))
	if *s < 0 {
		return fmt.Errorf("unknown scope %q: one of %s", name, strings.Join(scopes, ", "))
	}
	return nil
}

// On is a set of ways to log in.
type On int

const (
	OnAIX    On = 1 << iota // AIX, as any user
	OnVIOS                  // VIOS as root, or as padmin with oem_setup_env
	OnPadmin                // VIOS as padmin in the restricted shell
	OnLinux
	OnHMC // as hmcviewer or better
)

// logins are the names of ways to log in, in order.
var logins = []string{"aix", "vios", "padmin", "linux", "hmc"}

// UnmarshalYAML reads a list of names.
func (on *On) UnmarshalYAML(decode func(any) error) error {
	var names []string
	if err := decode(&names); err != nil {
		return err
	}
	for _, n := range names {
		i := slices.Index(logins, n)
		if i < 0 {
			return fmt.Errorf("unknown way to log in %q: one of %s", n, strings.Join(logins, ", "))
		}
		*on |= 1 << i
	}
	return nil
}

// Ask is one way to ask a host for an output.
type Ask struct {
	On        On            `yaml:"on"`
	Of        Scope         `yaml:"of"`
	Line      string        `yaml:"line"`    // {} is the device; {fixes} the fixes that rules ask about
	Element   string        `yaml:"element"` // the device in Line, if it is always the same
	Attribute string        `yaml:"attribute"`
	Root      bool          `yaml:"root"`    // on a VIOS, padmin needs oem_setup_env for it
	Refused   bool          `yaml:"refused"` // to an ordinary user of AIX
	Limit     time.Duration `yaml:"limit"`   // if none is given, Quick
	Partial   bool          `yaml:"partial"` // fails if one of several things asked for is missing; what it printed counts
}

// Limits by how long a command may take on a large host.
const (
	Quick = 20 * time.Second
	Slow  = 90 * time.Second // entstat of an SEA with many members
)
