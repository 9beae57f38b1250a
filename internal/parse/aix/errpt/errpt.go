// Package errpt reads the error report of AIX: the short form, one
// line an error, newest first; and the blocks of errpt -a, whose further lines
// are kept as text.
//
// A report without errors is an empty text, so that is an answer here.
package errpt

import (
	"strings"

	"seaworthy/internal/parse"
)

// Entry is one error.
type Entry struct {
	ID          string   `json:"id"`                    // 8650BE3F
	Stamp       string   `json:"stamp,omitempty"`       // MMDDhhmmYY of the short form, or Date/Time of -a
	Type        string   `json:"type,omitempty"`        // P, T, I, U; a word with -a
	Class       string   `json:"class,omitempty"`       // H, S, O, U
	Resource    string   `json:"resource,omitempty"`    // ent2; the short form cuts long names
	Description string   `json:"description,omitempty"` // one line
	Label       string   `json:"label,omitempty"`       // ECH_CHAN_FAIL, -a
	Details     []string `json:"details,omitempty"`     // lines of an -a block that hold none of the above
	Line        int      `json:"-"`                     // 1-based, 0 if not read from a text
}

// Report is one output.
type Report struct {
	parse.Report
	Entries []*Entry `json:"entries,omitempty"`
}

var (
	headShape  = parse.Lazy(`^\s*IDENTIFIER\s+TIMESTAMP\s+T\s+C\s+RESOURCE_NAME\s+DESCRIPTION\s*$`)
	rowShape   = parse.Lazy(`^\s*([0-9A-F]{8})\s+(\d{10})\s+([A-Z])\s+([A-Z])\s+(\S+)(?:\s+(\S.*?))?\s*$`)
	fieldShape = parse.Lazy(`^\s*(LABEL|IDENTIFIER|Date/Time|Class|Type|Resource Name):\s*(.*?)\s*$`)
	ruler      = parse.Lazy(`^\s*-{20,}\s*$`)
)

// Parse reads what errpt prints. An empty text is a report without errors;
// parse.ErrNotRecognised is for a text without entry, heading and message.
func Parse(text []byte) (*Report, error) {
	r := &Report{}
	var block *Entry // of -a
	describes, headed := false, false
	known := r.Read(text, func(l parse.Line) bool {
		row, field := &Entry{Line: l.Number}, fieldShape.FindStringSubmatch(l.Text)
		switch {
		case headShape.MatchString(l.Text):
			block, headed = nil, true
		case ruler.MatchString(l.Text):
			block = nil
		case rowShape.Scan(l.Text, &row.ID, &row.Stamp, &row.Type, &row.Class, &row.Resource, &row.Description):
			block = nil
			r.Entries = append(r.Entries, row)
		case field != nil && field[1] == "LABEL":
			block = row
			block.Label = field[2]
			r.Entries = append(r.Entries, block)
		case block == nil:
			return false
		case field != nil && *block.field(field[1]) == "":
			*block.field(field[1]) = field[2]
		case describes:
			block.Description = strings.TrimSpace(l.Text)
		default:
			block.Details = append(block.Details, l.Text)
		}
		describes = block != nil && strings.TrimSpace(l.Text) == "Description"
		return true
	})
	for _, e := range r.Entries {
		if e.ID == "" {
			r.Warn(e.Line, e.Label+": the block has no identifier")
		}
	}
	return parse.Recognised(r, headed || len(r.Entries)+r.Messages > 0 || known+len(r.Unknown) == 0)
}

func (e *Entry) field(label string) *string {
	return map[string]*string{"IDENTIFIER": &e.ID, "Date/Time": &e.Stamp, "Class": &e.Class, "Type": &e.Type,
		"Resource Name": &e.Resource}[label]
}
