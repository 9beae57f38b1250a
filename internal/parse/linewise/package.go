package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// PackageLevel is what rpm -q or dpkg-query -W prints of powerpc-utils, which sets up hybrid networks.
type PackageLevel struct {
	parse.Report
	Version string `json:"version,omitempty"` // 1.3.11; empty: it is not installed
}

// packageForm is name-version-release of RPM, or name, blank and version of Debian.
var packageForm = parse.Lazy(`^powerpc-utils[-\t ](\d+(?:\.\d+){1,3})(?:[-+~]\S+)?$`)

var packageOutput = &output[PackageLevel]{
	name: "package-level",
	rows: []line[PackageLevel]{func(p *PackageLevel, l parse.Line) bool {
		text := strings.TrimSpace(l.Text)
		if text == "package powerpc-utils is not installed" {
			return true
		}
		var version string
		if p.Version != "" || !packageForm.Scan(text, &version) {
			return false
		}
		p.Version = version
		return true
	}},
}

// ParsePackageLevel reads the level of powerpc-utils; parse.ErrNotRecognised if there is none in the text.
func ParsePackageLevel(text []byte) (*PackageLevel, error) { return packageOutput.parse(text) }
