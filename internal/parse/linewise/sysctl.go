package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// SysctlSettings is the output of sysctl -a or sysctl NAME of Linux.
type SysctlSettings struct {
	parse.Report
	Settings []*SysctlSetting `json:"settings"`
}

// SysctlSetting is one kernel setting.
type SysctlSetting struct {
	Name  string `json:"name" from:"name"`   // net.ipv4.tcp_rmem
	Value string `json:"value" from:"value"` // as printed; TABs between the numbers of a vector
}

var sysctlOutput = &output[SysctlSettings]{
	name: "sysctl",
	rows: []line[SysctlSettings]{
		func(s *SysctlSettings, l parse.Line) bool {
			if !strings.HasPrefix(l.Text, "sysctl: ") {
				return false
			}
			s.Warn(l.Number, "an error message: "+l.Text)
			return true
		},
		row(parse.Lazy(`^\s*(?P<name>[A-Za-z0-9_./:@*-]+)\s*=\s?(?P<value>.*?)\s*$`),
			func(s *SysctlSettings) *[]*SysctlSetting { return &s.Settings },
			func(s *SysctlSetting) bool { return strings.ContainsAny(s.Name, "./") }),
	},
	ended:      true,
	recognised: func(s *SysctlSettings) bool { return s.Settings != nil },
}

// ParseSysctl reads "name = value" lines; parse.ErrNotRecognised if no line is a setting.
func ParseSysctl(text []byte) (*SysctlSettings, error) { return sysctlOutput.parse(text) }
