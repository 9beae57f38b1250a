package importer

import (
	"time"

	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/parse"
)

// Schema names the format of Result.
const Schema = "seaworthy.import/1"

// Result says what became of every file.
type Result struct {
	Schema       string            `json:"schema"`
	Output       string            `json:"output"`
	Hosts        []Host            `json:"hosts"`
	Files        []File            `json:"files"`
	Unrecognised []string          `json:"unrecognised"` // files in which nothing was recognised
	Aside        []Aside           `json:"left_aside"`   // of the folders of support tools
	Problems     []archive.Problem `json:"problems"`     // what was not read, or not as its name wants it
	Counts
}

// Counts are numbers of lines.
type Counts struct {
	Lines      int `json:"lines"`          // all: the sum of understood, kept, not used and not understood
	Understood int `json:"understood"`     // read, and of an output that is evaluated
	Kept       int `json:"kept"`           // of outputs that are known for what they are, and not evaluated
	Notes      int `json:"notes"`          // of those kept: words of people around outputs
	Unused     int `json:"not_used"`       // left out: there is a later reading of the same, or nothing says whose they are
	Unknown    int `json:"not_understood"` // all others, also of what was not recognised
}

// Plus is the sum of two.
func (c Counts) Plus(x Counts) Counts {
	return Counts{Lines: c.Lines + x.Lines, Understood: c.Understood + x.Understood, Kept: c.Kept + x.Kept, Notes: c.Notes + x.Notes,
		Unused: c.Unused + x.Unused, Unknown: c.Unknown + x.Unknown}
}

func (c *Counts) add(x Counts) { *c = c.Plus(x) }

// Host is one snapshot that was written.
type Host struct {
	Host     string    `json:"host"`
	Platform string    `json:"platform"`
	Found    string    `json:"found"` // how its name was found
	Dir      string    `json:"dir"`
	Taken    time.Time `json:"taken"` // as headings, file names or manifests say, else the newest file's
	Outputs  int       `json:"outputs"`
	Warnings []string  `json:"warnings,omitempty"`
	// Decision holds the names that its outputs gave and the platforms for which they voted.
	Decision []Candidate `json:"decision"`
}

// File is one text that was read.
type File struct {
	File string `json:"file"`
	Kind string `json:"kind"` // the command, "session of several commands", or "unrecognised"
	Counts
	Coverage *float64 `json:"coverage"` // understood among all lines, 0 to 1; null if no codec reads any
	Host     string   `json:"host,omitempty"`
	HostFrom string   `json:"host_from,omitempty"`
	CutOff   bool     `json:"cut_off,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Parts    []Part   `json:"parts"`
}

// Part is one output in a file.
type Part struct {
	Kind       string       `json:"kind"` // "unrecognised" if it is none
	ID         string       `json:"id,omitempty"`
	Command    string       `json:"command,omitempty"` // as the file has it, else as it would be typed
	Element    string       `json:"element,omitempty"`
	Line       int          `json:"line"` // where it begins in the file
	Lines      int          `json:"lines"`
	Read       int          `json:"read"`       // lines that a codec knows, whether they are evaluated or not
	Understood int          `json:"understood"` // those of them that are evaluated
	Coverage   *float64     `json:"coverage"`   // null if no codec reads this kind
	Host       string       `json:"host,omitempty"`
	HostFrom   string       `json:"host_from,omitempty"`
	Claims     []Claim      `json:"host_claims,omitempty"` // all that name a host for it
	Stored     bool         `json:"stored"`
	Unknown    []parse.Line `json:"unknown,omitempty"` // the first lines not understood
	Warnings   []string     `json:"warnings,omitempty"`
}

// Unrecognised is the kind of a text that no kind fits.
const Unrecognised = "unrecognised"

// NotRead begins a warning that says why an output was refused or not
// recognised.
const NotRead = "not read: "

// share is understood of lines; nil without lines.
func share(understood, lines int) *float64 {
	if lines == 0 {
		return nil
	}
	s := float64(understood) / float64(lines)
	return &s
}
