package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// Flags of uname, one for each value it prints alone.
const (
	UnameAll       = 'a'
	UnameSystem    = 's'
	UnameNode      = 'n'
	UnameRelease   = 'r'
	UnameVersion   = 'v'
	UnameMachine   = 'm'
	UnameProcessor = 'p'
	UnameModel     = 'M'
	UnameSystemID  = 'u'
	UnameLPAR      = 'L'
)

// Uname holds what one call of uname of AIX or VIOS said; the rest is empty. In uname -a the release comes before the
// version ("AIX lpar1 2 7 00C8D2E44C00" is AIX 7.2): the order of Linux would swap them.
type Uname struct {
	parse.Report
	Flag       string `json:"flag"`                                 // of the call, or found from the text
	System     string `json:"system,omitempty" from:"system"`       // AIX
	Node       string `json:"node,omitempty" from:"node"`           // host name
	Release    string `json:"release,omitempty" from:"release"`     // 2
	Version    string `json:"version,omitempty" from:"version"`     // 7
	Machine    string `json:"machine,omitempty" from:"machine"`     // 00C8D2E44C00
	Processor  string `json:"processor,omitempty" from:"processor"` // powerpc
	Model      string `json:"model,omitempty" from:"model"`         // IBM,9009-22A
	SystemID   string `json:"system_id,omitempty" from:"system_id"` // IBM,0212345AB
	LPARNumber *int   `json:"lpar_number,omitempty" from:"lpar_number"`
	LPARName   string `json:"lpar_name,omitempty" from:"lpar_name"`
}

// unameNode is the form of a host's name.
const unameNode = `[A-Za-z0-9][\w.-]*`

// unameShapes are the lines of each flag. Where the flag is not said, the first shape that fits shows it, without those
// that could be several things.
var unameShapes = []struct {
	flag      rune
	form      *parse.Pattern
	ambiguous bool
}{
	{UnameAll, parse.Lazy(`^(?P<system>AIX)\s+(?P<node>` + unameNode + `)\s+(?P<release>\d{1,3})\s+(?P<version>\d{1,3})\s+` +
		`(?P<machine>[0-9A-F]{12})$`), false},
	{UnameSystem, parse.Lazy(`^(?P<system>AIX)$`), false},
	{UnameProcessor, parse.Lazy(`^(?P<processor>powerpc)$`), false},
	{UnameModel, parse.Lazy(`^(?P<model>IBM,[0-9A-Z]{4}-[0-9A-Z]{3})$`), false},
	{UnameSystemID, parse.Lazy(`^(?P<system_id>IBM,\d{2}[0-9A-Z]{7})$`), false},
	{UnameMachine, parse.Lazy(`^(?P<machine>[0-9A-F]{12})$`), false},
	// The name is what strings.Fields takes for one word.
	{UnameLPAR, parse.Lazy(`^(?P<lpar_number>-1|0|[1-9]\d{0,8}) (?P<lpar_name>[^\s\v\pZ\x{85}]+)$`), false},
	{UnameSystem, parse.Lazy(`^(?P<system>` + unameNode + `)$`), true},
	{UnameProcessor, parse.Lazy(`^(?P<processor>` + unameNode + `)$`), true},
	{UnameNode, parse.Lazy(`^(?P<node>` + unameNode + `)$`), true},
	{UnameRelease, parse.Lazy(`^(?P<release>\d{1,3})$`), true},
	{UnameVersion, parse.Lazy(`^(?P<version>\d{1,3})$`), true},
}

var unameOutput, hostnameOutput = newUname("uname", 0), newUname("hostname", UnameNode)

// newUname is uname with one flag; 0: the flag shows from the text.
func newUname(name string, flag rune) *output[Uname] {
	return &output[Uname]{
		name: name,
		rows: []line[Uname]{func(n *Uname, l parse.Line) bool {
			for _, s := range unameShapes {
				possible := flag == s.flag || flag == 0 && !s.ambiguous
				if possible && n.Flag == "" && s.form.Fill(strings.TrimSpace(l.Text), n) {
					n.Flag = string(s.flag)
					return true
				}
			}
			return false
		}},
		message: true,
	}
}

// ParseUname reads an output whose flag shows from the text. A bare word or number could be several things:
// ParseUnameFlag takes the flag.
func ParseUname(text []byte) (*Uname, error) { return unameOutput.parse(text) }

// ParseUnameFlag reads the output of uname with one flag.
func ParseUnameFlag(text []byte, flag rune) (*Uname, error) {
	return newUname("uname", flag).parse(text)
}
