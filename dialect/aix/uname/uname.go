// Package uname reads and prints uname of AIX and VIOS. In uname -a the
// release stands before the version ("AIX lpar1 2 7 00C8D2E44C00" is AIX 7.2):
// the order of Linux would swap them.
package uname

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
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

	place  []placing
	layout printout.Layout
}

type placing struct {
	gaps  []string // before each word, and after the last
	paint printout.Paint
}

// Serial is the managed system's serial number out of SystemID: IBM,02 and
// then seven characters.
func (n *Names) Serial() string {
	if m := systemShape.FindStringSubmatch(n.SystemID); m != nil {
		return m[1]
	}
	return ""
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

// fits tells whether a line can be what a flag prints.
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
	s, err := printout.Open("uname", text, &n.Report)
	if err != nil {
		return nil, err
	}
	n.layout = s.Layout()
	for i, line := range s.Lines {
		body := strings.TrimSpace(line)
		f := flag
		if f == 0 {
			f = flagOf(body)
		}
		if s.Message[i] || n.Flag != "" || f == 0 || !fits(f, body) {
			s.Keep(&n.layout, i)
			continue
		}
		n.Flag = string(f)
		var p placing
		rest := line
		for _, w := range strings.Fields(line) {
			at := strings.Index(rest, w)
			p.gaps = append(p.gaps, rest[:at])
			rest = rest[at+len(w):]
		}
		p.gaps, p.paint = append(p.gaps, rest), s.Paint[i]
		n.set(f, strings.Fields(body))
		n.place = append(n.place, p)
		n.layout.Row()
	}
	if n.Flag == "" && s.Messages == 0 {
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

// words are what the flag prints.
func (n *Names) words() []string {
	flag := []rune(n.Flag + " ")[0]
	switch {
	case n.Flag == "":
		return nil
	case flag == All:
		return []string{n.System, n.Node, n.Release, n.Version, n.Machine}
	case flag == LPAR:
		number := "-1" // what uname prints where there is no partition
		if n.LPARNumber != nil {
			number = strconv.Itoa(*n.LPARNumber)
		}
		return []string{number, n.LPARName}
	}
	return []string{*n.single(flag)}
}

// Format prints names as the call with Flag does.
func Format(n *Names) []byte {
	rows := 1
	if n.Flag == "" {
		rows = 0
	}
	return n.layout.Print(rows, func(int) string {
		words := n.words()
		if len(n.place) == 0 || len(n.place[0].gaps) != len(words)+1 {
			return strings.Join(words, " ")
		}
		p := n.place[0]
		var b strings.Builder
		for i, w := range words {
			b.WriteString(p.gaps[i] + w)
		}
		return p.paint.On(b.String() + p.gaps[len(words)])
	})
}
