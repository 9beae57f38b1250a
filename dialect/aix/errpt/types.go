package errpt

import (
	"time"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// Types and classes of the T and C columns.
const (
	Permanent    = "P"
	Temporary    = "T"
	Information  = "I"
	Performance  = "PERF" // -a only; P in the short form
	UnknownType  = "U"
	Hardware     = "H"
	Software     = "S"
	Operator     = "O"
	Undetermined = "U"

	stampLayout   = "0102150406" // month, day, hour, minute, year
	defaultColumn = 14           // width of RESOURCE_NAME
)

// Entry is one error.
type Entry struct {
	ID          string   `json:"id"`                    // 8650BE3F
	Stamp       string   `json:"stamp,omitempty"`       // MMDDhhmmYY of the short form, or Date/Time of -a
	Type        string   `json:"type,omitempty"`        // P, T, I, U; a word with -a
	Class       string   `json:"class,omitempty"`       // H, S, O, U
	Resource    string   `json:"resource,omitempty"`    // ent2; the short form cuts long names
	Description string   `json:"description,omitempty"` // one line, short form
	Label       string   `json:"label,omitempty"`       // ECH_CHAN_FAIL, -a
	Details     []string `json:"details,omitempty"`     // lines of an -a block that hold none of the above
	Line        int      `json:"-"`                     // 1-based, 0 if not read from a text

	gaps  *[7]string
	paint printout.Paint
}

// Report is one output.
type Report struct {
	dialect.Report
	Long    bool     `json:"long,omitempty"` // -a
	Entries []*Entry `json:"entries,omitempty"`

	lines  []line
	layout printout.Layout
}

// New makes a report of the short form to print.
func New(entries ...*Entry) *Report { return &Report{Entries: entries} }

// Time of the entry in the host's own time, which the text does not name;
// false if the stamp is no time.
func (e *Entry) Time() (time.Time, bool) {
	for _, layout := range []string{stampLayout, time.ANSIC} {
		if t, err := time.Parse(layout, e.Stamp); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

var (
	networkResource = dialect.Lazy(`^(?:ent|en|et|lo|sit|lhea|hea|roce|vnic|inet|sea|tr|fddi|mlxent|lncent|ml)\d*$`)
	networkLabel    = dialect.Lazy(`(?:^|_)(?:ENT|ECH|SEAHA|SEA|GOENT|MUSENT|ELXENT|LNCENT|SHIENT|NMENT|MLXENT|VIOENT|VNIC|TCPIP|IFCONFIG|LINK|PLINK)\d*(?:_|$)`)
	networkText     = dialect.Lazy(`(?i)\b(?:ethernet|etherchannel|shared ethernet|vnic|tcp/ip|network interface|802\.3ad)\b`)
)

// Network tells whether the entry is about a network device.
func (e *Entry) Network() bool {
	return networkResource.MatchString(e.Resource) || networkLabel.MatchString(e.Label) || networkText.MatchString(e.Description)
}

// Network lists the entries of network devices, newest first as printed.
func (r *Report) Network() []*Entry {
	var list []*Entry
	for _, e := range r.Entries {
		if e.Network() {
			list = append(list, e)
		}
	}
	return list
}

// line is one printed line of -a that holds a value.
type line struct {
	of     *Entry
	field  string // label, empty for a detail
	detail int
	gaps   [3]string // before the label, between label and value, after
	paint  printout.Paint
}
