package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// VIOSLevel is the output of ioslevel: 3.1.4.10, on old levels with the name of a fix pack behind it
// (1.5.2.1-FP-11.1).
type VIOSLevel struct {
	parse.Report
	Parts []int  `json:"parts,omitempty"` // 3, 1, 4, 10; none if the text does not say
	Fix   string `json:"fix,omitempty"`   // FP-11.1
}

var ioslevelForm = parse.Lazy(`^(\d{1,2})\.(\d{1,2})\.(\d{1,2})\.(\d{1,2})(?:-([\w.-]+))?$`)

var ioslevelOutput = &output[VIOSLevel]{
	name: "ioslevel",
	rows: []line[VIOSLevel]{func(v *VIOSLevel, l parse.Line) bool {
		parts := make([]int, 4)
		if v.Parts != nil || !ioslevelForm.Scan(strings.TrimSpace(l.Text), &parts[0], &parts[1], &parts[2], &parts[3], &v.Fix) {
			return false
		}
		v.Parts = parts
		return true
	}},
	message: true,
}

// ParseIoslevel reads what ioslevel prints; parse.ErrNotRecognised if there is no level and no message in it.
func ParseIoslevel(text []byte) (*VIOSLevel, error) { return ioslevelOutput.parse(text) }
