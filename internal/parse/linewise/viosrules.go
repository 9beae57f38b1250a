package linewise

import "seaworthy/internal/parse"

// RuleDiff is the output of rules -o diff of a VIOS: each setting that differs, with the two values it has. The rows
// are those of AIX's runtime expert, on which the command rests.
type RuleDiff struct {
	parse.Report
	Differences []*RuleDifference `json:"differences,omitempty"`
}

// RuleDifference is one row.
type RuleDifference struct {
	Name string `json:"name" from:"name"` // component and setting, as printed
	// Target holds what else is printed before the values: device=adapter/vdevice/IBM,l-lan.
	Target string `json:"target,omitempty" from:"target"`
	Left   string `json:"left" from:"left"` // values in the order printed
	Right  string `json:"right" from:"right"`
	Line   int    `json:"-" from:"#"` // 1-based
}

var rulesOutput = &output[RuleDiff]{
	name: "rules",
	// A row is "name [target] left | right". A name is component and setting in one, with a colon or slash in it, so
	// that no heading or sentence is taken for one.
	rows: []line[RuleDiff]{row(
		parse.Lazy(`^\s*(?P<name>[A-Za-z][A-Za-z0-9_,-]*[.:/][A-Za-z0-9_.,:/=-]*[A-Za-z0-9_])`+
			`(?:\s+(?P<target>[^\s|]+))?\s+(?P<left>[^\s|]+)[ \t]+\|[ \t]+(?P<right>[^\s|]+)\s*$`),
		func(d *RuleDiff) *[]*RuleDifference { return &d.Differences }, nil)},
	message: true,
	blank:   true,
}

// ParseRulesDiff reads rules -o diff. An empty text is a comparison that found nothing; parse.ErrNotRecognised if a
// text holds neither a difference nor a message.
func ParseRulesDiff(text []byte) (*RuleDiff, error) { return rulesOutput.parse(text) }
