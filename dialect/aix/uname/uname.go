// Package uname reads uname of AIX and VIOS. In uname -a the
// release comes before the version ("AIX lpar1 2 7 00C8D2E44C00" is AIX 7.2):
// the order of Linux would swap them.
package uname

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
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
	dialect.Report
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

var (
	machineShape = dialect.Lazy(`^[0-9A-F]{12}$`)
	modelShape   = dialect.Lazy(`^IBM,[0-9A-Z]{4}-[0-9A-Z]{3}$`)
	systemShape  = dialect.Lazy(`^IBM,\d{2}([0-9A-Z]{7})$`)
	numberShape  = dialect.Lazy(`^\d{1,3}$`)
	lparShape    = dialect.Lazy(`^(-1|0|[1-9]\d{0,8}) [^\s\v\pZ\x{85}]+$`) // what strings.Fields takes for one word
	nodeShape    = dialect.Lazy(`^[A-Za-z0-9][\w.-]*$`)
)

// flagOf finds what a line is by its shape; 0 if it could be several things.
func flagOf(body string) rune {
	words := strings.Fields(body)
	switch {
	case len(words) == 5 && words[0] == "AIX" && fits(All, body):
		return All
	case body == "AIX":
		return System
	case body == "powerpc":
		return Processor
	case modelShape.MatchString(body):
		return Model
	case systemShape.MatchString(body):
		return SystemID
	case machineShape.MatchString(body):
		return Machine
	case lparShape.MatchString(body):
		return LPAR
	}
	return 0
}

// fits reports whether a line can be what a flag prints.
func fits(flag rune, body string) bool {
	words := strings.Fields(body)
	switch flag {
	case All:
		return len(words) == 5 && nodeShape.MatchString(words[1]) && numberShape.MatchString(words[2]) &&
			numberShape.MatchString(words[3]) && machineShape.MatchString(words[4])
	case System, Processor:
		return len(words) == 1 && nodeShape.MatchString(body)
	case Node:
		return nodeShape.MatchString(body)
	case Release, Version:
		return numberShape.MatchString(body)
	case Machine:
		return machineShape.MatchString(body)
	case Model:
		return modelShape.MatchString(body)
	case SystemID:
		return systemShape.MatchString(body)
	case LPAR:
		return lparShape.MatchString(body)
	}
	return false
}

// Parse reads an output whose flag shows from the text. A bare word or number
// could be several things: ParseFlag takes the flag.
func Parse(text []byte) (*Names, error) { return parse(text, 0) }

// ParseFlag reads the output of uname with one flag.
func ParseFlag(text []byte, flag rune) (*Names, error) { return parse(text, flag) }

func parse(text []byte, flag rune) (*Names, error) {
	n := &Names{}
	for _, l := range dialect.Lines(text, &n.Report) {
		body := strings.TrimSpace(l.Text)
		f := flag
		if f == 0 {
			f = flagOf(body)
		}
		if n.Flag != "" || f == 0 || !fits(f, body) {
			n.NotUnderstood(l)
			continue
		}
		n.Flag = string(f)
		n.set(f, strings.Fields(body))
	}
	if n.Flag == "" && n.Messages == 0 {
		return nil, fmt.Errorf("uname: %w", dialect.ErrNotRecognised)
	}
	return n, nil
}

func (n *Names) set(flag rune, words []string) {
	switch flag {
	case All:
		n.System, n.Node, n.Release, n.Version, n.Machine = words[0], words[1], words[2], words[3], words[4]
	case LPAR:
		k, _ := strconv.Atoi(words[0]) // its shape was checked
		n.LPARNumber, n.LPARName = &k, words[1]
	default:
		*n.single(flag) = words[0]
	}
}

func (n *Names) single(flag rune) *string {
	switch flag {
	case System:
		return &n.System
	case Release:
		return &n.Release
	case Version:
		return &n.Version
	case Machine:
		return &n.Machine
	case Processor:
		return &n.Processor
	case Model:
		return &n.Model
	case SystemID:
		return &n.SystemID
	}
	return &n.Node
}
