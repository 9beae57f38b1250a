// Package uname reads uname of AIX and VIOS. In uname -a the
// release comes before the version ("AIX lpar1 2 7 00C8D2E44C00" is AIX 7.2):
// the order of Linux would swap them.
package uname

import (
	"strings"

	"seaworthy/internal/parse"
)

// Flags of uname, one for each value it prints alone.
const (
	All       = 'a'
	System    = 's'
	Node      = 'n'
	Release   = 'r'
	Version   = 'v'
	Machine   = 'm'
	Processor = 'p'
	Model     = 'M'
	SystemID  = 'u'
	LPAR      = 'L'
)

// Names is what one call of uname said; the rest is empty.
type Names struct {
	parse.Report
	Flag       string `json:"flag"`                // of the call, or found from the text
	System     string `json:"system,omitempty"`    // AIX
	Node       string `json:"node,omitempty"`      // host name
	Release    string `json:"release,omitempty"`   // 2
	Version    string `json:"version,omitempty"`   // 7
	Machine    string `json:"machine,omitempty"`   // 00C8D2E44C00
	Processor  string `json:"processor,omitempty"` // powerpc
	Model      string `json:"model,omitempty"`     // IBM,9009-22A
	SystemID   string `json:"system_id,omitempty"` // IBM,0212345AB
	LPARNumber *int   `json:"lpar_number,omitempty"`
	LPARName   string `json:"lpar_name,omitempty"`
}

// node is the form of a host's name.
const node = `[A-Za-z0-9][\w.-]*`

// shapes are those of a line by flag: what its groups take, in the order of fields. What a line
// is shows from it if the flag is not said, in this order; those that could be several things are last.
var shapes = []struct {
	flag rune
	form *parse.Pattern
	told bool // only by the flag
}{
	{All, parse.Lazy(`^(AIX)\s+(` + node + `)\s+(\d{1,3})\s+(\d{1,3})\s+([0-9A-F]{12})$`), false},
	{System, parse.Lazy(`^(AIX)$`), false},
	{Processor, parse.Lazy(`^(powerpc)$`), false},
	{Model, parse.Lazy(`^(IBM,[0-9A-Z]{4}-[0-9A-Z]{3})$`), false},
	{SystemID, parse.Lazy(`^(IBM,\d{2}[0-9A-Z]{7})$`), false},
	{Machine, parse.Lazy(`^([0-9A-F]{12})$`), false},
	{LPAR, parse.Lazy(`^(-1|0|[1-9]\d{0,8}) ([^\s\v\pZ\x{85}]+)$`), false}, // what strings.Fields takes for one word
	{System, parse.Lazy(`^(` + node + `)$`), true},
	{Processor, parse.Lazy(`^(` + node + `)$`), true},
	{Node, parse.Lazy(`^(` + node + `)$`), true},
	{Release, parse.Lazy(`^(\d{1,3})$`), true},
	{Version, parse.Lazy(`^(\d{1,3})$`), true},
}

// Parse reads an output whose flag shows from the text. A bare word or number
// could be several things: ParseFlag takes the flag.
func Parse(text []byte) (*Names, error) { return parseFlag(text, 0) }

// ParseFlag reads the output of uname with one flag.
func ParseFlag(text []byte, flag rune) (*Names, error) { return parseFlag(text, flag) }

func parseFlag(text []byte, flag rune) (*Names, error) {
	n := &Names{}
	fields := map[rune][]any{
		All:    {&n.System, &n.Node, &n.Release, &n.Version, &n.Machine},
		System: {&n.System}, Node: {&n.Node}, Release: {&n.Release}, Version: {&n.Version}, Machine: {&n.Machine},
		Processor: {&n.Processor}, Model: {&n.Model}, SystemID: {&n.SystemID}, LPAR: {&n.LPARNumber, &n.LPARName},
	}
	n.Read(text, func(l parse.Line) bool {
		for _, s := range shapes {
			fits := flag == s.flag || flag == 0 && !s.told
			if fits && n.Flag == "" && s.form.Scan(strings.TrimSpace(l.Text), fields[s.flag]...) {
				n.Flag = string(s.flag)
				return true
			}
		}
		return false
	})
	return parse.Recognised(n, n.Flag != "" || n.Messages > 0)
}
