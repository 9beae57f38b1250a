package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// ErrorEntry is one error.
type ErrorEntry struct {
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

// ErrorReport is the output of errpt: the short form, one line an error, newest first; or the blocks of errpt -a, whose
// further lines are kept as text. A report without errors is an empty text.
type ErrorReport struct {
	parse.Report
	Entries []*ErrorEntry `json:"entries,omitempty"`
	headed  bool
}

var (
	errptHeadShape  = parse.Lazy(`^\s*IDENTIFIER\s+TIMESTAMP\s+T\s+C\s+RESOURCE_NAME\s+DESCRIPTION\s*$`)
	errptRowShape   = parse.Lazy(`^\s*([0-9A-F]{8})\s+(\d{10})\s+([A-Z])\s+([A-Z])\s+(\S+)(?:\s+(\S.*?))?\s*$`)
	errptFieldShape = parse.Lazy(`^\s*(LABEL|IDENTIFIER|Date/Time|Class|Type|Resource Name):\s*(.*?)\s*$`)
	errptRuler      = parse.Lazy(`^\s*-{20,}\s*$`)
)

var errptOutput = &output[ErrorReport]{
	name:       "errpt",
	reader:     readErrpt,
	finish:     (*ErrorReport).warnOfUnnamed,
	recognised: func(r *ErrorReport) bool { return r.headed || len(r.Entries) > 0 },
	message:    true,
	blank:      true,
}

// readErrpt reads one line after the other: blocks of -a go on until a ruler or another entry.
func readErrpt(*ErrorReport) line[ErrorReport] {
	var block *ErrorEntry // of -a
	describes := false    // the line above is the label of the description
	return func(r *ErrorReport, l parse.Line) bool {
		row := &ErrorEntry{Line: l.Number}
		field := errptFieldShape.FindStringSubmatch(l.Text)
		switch {
		case errptHeadShape.MatchString(l.Text):
			block = nil
			r.headed = true
		case errptRuler.MatchString(l.Text):
			block = nil
		case errptRowShape.Scan(l.Text, &row.ID, &row.Stamp, &row.Type, &row.Class, &row.Resource, &row.Description):
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
	}
}

// ParseErrpt reads what errpt prints. An empty text is a report without errors; parse.ErrNotRecognised is for a text
// without entry, heading and message.
func ParseErrpt(text []byte) (*ErrorReport, error) { return errptOutput.parse(text) }

func (r *ErrorReport) warnOfUnnamed() {
	for _, e := range r.Entries {
		if e.ID == "" {
			r.Warn(e.Line, e.Label+": the block has no identifier")
		}
	}
}

// field is where the value of a label belongs.
func (e *ErrorEntry) field(label string) *string {
	switch label {
	case "IDENTIFIER":
		return &e.ID
	case "Date/Time":
		return &e.Stamp
	case "Class":
		return &e.Class
	case "Type":
		return &e.Type
	case "Resource Name":
		return &e.Resource
	}
	return nil
}
