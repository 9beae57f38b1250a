package linewise

import "seaworthy/internal/parse"

// EnvFile is a Linux file of KEY=value lines: /etc/os-release, whose values may be quoted, /proc/ppc64/lparcfg and the
// uevent files of sysfs.
type EnvFile struct {
	parse.Report
	Items []*EnvItem `json:"items"`
}

// EnvItem is one assignment.
type EnvItem struct {
	Name   string `json:"name" from:"name"`
	Value  string `json:"value" from:"value"` // without quotes
	Number int    `json:"-" from:"#"`         // 1-based line
}

var envOutput = &output[EnvFile]{
	name:    "envfile",
	ignored: parse.Lazy(`^\s*#|^lparcfg [0-9.]+\s*$`), // comments, and the first line of lparcfg
	rows: []line[EnvFile]{row(
		parse.Lazy(`^\s*(?P<name>[A-Za-z_][A-Za-z0-9_]*)=(?P<value>.*?)\s*$`),
		func(f *EnvFile) *[]*EnvItem { return &f.Items }, (*EnvItem).unquote)},
	ended:      true,
	recognised: func(f *EnvFile) bool { return f.Items != nil },
}

// ParseEnvFile reads KEY=value lines; parse.ErrNotRecognised if no line is an assignment. A value without its closing
// quote is not understood.
func ParseEnvFile(text []byte) (*EnvFile, error) { return envOutput.parse(text) }

// unquote takes the quotes off the value; false if one of the two is missing.
func (i *EnvItem) unquote() bool {
	s := i.Value
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return true
	}
	if len(s) < 2 || s[len(s)-1] != s[0] {
		return false
	}
	i.Value = s[1 : len(s)-1]
	return true
}

// Find is the last assignment of a key, which is the one in force, or nil.
func (f *EnvFile) Find(key string) *EnvItem {
	for i := len(f.Items) - 1; i >= 0; i-- {
		if f.Items[i].Name == key {
			return f.Items[i]
		}
	}
	return nil
}
