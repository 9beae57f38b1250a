package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// InterimFixList is the output of emgr -l.
type InterimFixList struct {
	parse.Report
	Fixes []*InterimFix `json:"fixes,omitempty"`
	None  bool          `json:"none,omitempty"` // it says that there is none
}

// InterimFix is one line.
type InterimFix struct {
	ID       string `json:"id" from:"id"`
	State    string `json:"state" from:"state"` // S stable, Q waits for a reboot, U being removed, ...
	Label    string `json:"label" from:"label"` // IJ45245s5a
	Abstract string `json:"abstract,omitempty" from:"abstract"`
}

var interimFixesOutput = &output[InterimFixList]{
	name:    "emgr-l",
	ignored: parse.Lazy(`^(?:ID +STATE +LABEL +INSTALL TIME +.*|=+(?: +=+)+ *)$`),
	rows: []line[InterimFixList]{
		row(parse.Lazy(`^ *(?P<id>[0-9]+) +(?:\*)?(?P<state>[A-Z])\*? +(?P<label>[A-Za-z0-9][A-Za-z0-9_-]*) +[0-9]{2}/[0-9]{2}/[0-9]{2} +`+
			`[0-9]{2}:[0-9]{2}:[0-9]{2}(?P<abstract>(?: +.*)?)$`),
			func(l *InterimFixList) *[]*InterimFix { return &l.Fixes }, func(f *InterimFix) bool {
				f.Abstract = strings.TrimSpace(f.Abstract)
				return true
			}),
		func(l *InterimFixList, text parse.Line) bool {
			none := strings.TrimSpace(text.Text) == "There is no efix data on this system."
			l.None = l.None || none
			return none
		},
	},
	message: true,
}

// ParseInterimFixes reads emgr -l; parse.ErrNotRecognised if no line is about an interim fix, none says that there is
// none, and none is a message.
func ParseInterimFixes(text []byte) (*InterimFixList, error) { return interimFixesOutput.parse(text) }
