package recognise

import (
	"bytes"
	"slices"
	"strings"

	"seaworthy/dialect"
)

// Family is what printed a kind of output.
type Family string

const (
	AIX   Family = "aix"
	VIOS  Family = "vios" // a command that only a VIOS has
	Linux Family = "linux"
	HMC   Family = "hmc"
	Any   Family = ""
)

// Hint is what is known of a text besides its content.
type Hint struct {
	Command string // the command line before it: from a prompt or a heading
	File    string // the file's name
}

// Found is what a text turned out to be.
type Found struct {
	Kind      string // as one would type it: "netstat -in"
	ID        string // catalogued name, as in collect.Record
	Family    Family
	Command   string // the command line: the hint's, else the kind's with its device
	Element   string // the device it is about; empty if none or not known
	Attribute string // lsattr -R: the attribute asked for
	Host      string // a host's name that the text gives
	HostFrom  string // where in the text: "node name of lparstat -i"
	Known     bool   // a codec reads it; else only its kind is known
	Report    dialect.Report
	Blank     int // blank lines: neither understood nor not
	// Text is what was read, where it is not what was given: tabs or broken
	// lines were put back.
	Text []byte
}

// Understood is how many lines the codec knows.
func (f *Found) Understood() int {
	if !f.Known {
		return 0
	}
	return f.Report.Lines - len(f.Report.Unknown)
}

// kind is one sort of output.
type kind struct {
	name   string
	id     string
	family Family
	device bool // one output is about one device
	mark   *dialect.Pattern
	head   *dialect.Pattern // must be there too, if given
	// read gives the text to its codec. It may correct what is found: the form
	// of the command, the device, the host. Nil: no codec, the mark must be on
	// most lines.
	read func(text []byte, f *Found) (*dialect.Report, error)
	// least is the share of non-blank lines that must be understood for the
	// content alone to decide; 0: 0.5
	least float64
}

const (
	// maxMarked bounds how much of a long text is searched for marks: they stand
	// at the head of an output, or on most of its lines.
	maxMarked = 64 << 10
)

// Text says what a text is. False if no kind fits it.
func Text(text []byte, hint Hint) (*Found, bool) {
	if len(bytes.TrimSpace(text)) == 0 || len(text) > dialect.MaxText || binary(text) {
		return nil, false
	}
	f, ok := reading(text, hint)
	if ok && f.Known && doubts(f) == 0 && !columns[f.ID] {
		return f, ok
	}
	how := ""
	for _, m := range mended(text) {
		g, fits := reading(m.text, hint)
		if !fits || ok && !m.better(g, f) && (f.Known || !g.Known) {
			continue
		}
		f, ok, how = g, true, m.how
		f.Text = m.text
	}
	if how != "" {
		f.Report.Warn(0, how)
	}
	return f, ok
}

// reading reads a text as it stands.
func reading(text []byte, hint Hint) (*Found, bool) {
	plain := text[:min(len(text), maxMarked)]
	if bytes.IndexByte(plain, 0x1b) >= 0 {
		plain = []byte(dialect.StripEscapes(string(plain)))
	}
	if bytes.IndexByte(plain, '\r') >= 0 {
		plain = bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n"))
	}
	asked := ParseCommand(hint.Command)
	named := fromName(hint.File)
	var best *Found
	bestScore := 0.0
	for _, k := range likely(asked) {
		f, share := k.try(text, plain, hint.Command, k.id == "lsattr-El" && (asked.ID == "lsattr-Rl" || named.ID == "lsattr-Rl") && ofValues(text))
		if f == nil {
			continue
		}
		if asked.ID == f.ID && share == 1 && k.read != nil {
			best = f // what it is said to be, and understood to its last line
			break
		}
		score := share + bonus(k, f, asked, named)
		least := k.least
		if least == 0 {
			least = 0.5
		}
		if score < least || score <= bestScore {
			continue
		}
		best, bestScore = f, score
	}
	if best == nil {
		best = refusal(text, asked)
	}
	if best == nil {
		return nil, false
	}
	best.settle(asked, named, hint.Command)
	return best, true
}

// ofValues says that a text may be a list of values: letters, digits and signs
// of ASCII, a few words a line.
func ofValues(text []byte) bool {
	for l := range bytes.Lines(text) {
		if len(l) > 200 || len(bytes.Fields(l)) > 3 {
			return false
		}
		for _, c := range l {
			if c >= 0x7f || c < ' ' && c != '\t' && c != '\r' && c != '\n' {
				return false
			}
		}
	}
	return true
}

// likely are all kinds, those of the command that was asked for first.
func likely(asked Call) []*kind {
	first, rest := []*kind{}, make([]*kind, 0, len(kinds))
	for i := range kinds {
		if k := &kinds[i]; asked.ID != "" && (k.id == asked.ID || slices.Contains(alike[k.id], asked.ID)) {
			first = append(first, k)
		} else {
			rest = append(rest, k)
		}
	}
	return append(first, rest...)
}

// bonus is what a command line or a file name adds to a reading that the
// content allows.
func bonus(k *kind, f *Found, asked, named Call) float64 {
	switch {
	case asked.ID != "" && (asked.ID == f.ID || asked.ID == k.id || strings.HasPrefix(f.ID, asked.ID+"-")):
		return 0.6
	case named.ID != "" && (named.ID == f.ID || named.ID == k.id):
		return 0.1
	}
	return 0
}

// try reads a text as one kind, and says which share of it was understood; nil
// if it cannot be that kind. A list of values that was asked for needs no mark.
func (k *kind) try(text, plain []byte, command string, unmarked bool) (*Found, float64) {
	if !unmarked && !k.mark.Match(plain) || k.head != nil && !k.head.Match(plain) {
		return nil, 0
	}
	f := &Found{Kind: k.name, ID: k.id, Family: k.family, Known: k.read != nil, Command: command}
	for l := range strings.Lines(string(text)) {
		f.Report.Lines++
		if strings.TrimSpace(l) == "" {
			f.Blank++
		}
	}
	full := f.Report.Lines - f.Blank
	if k.read == nil {
		n := 0
		for l := range bytes.Lines(plain) {
			if k.mark.Match(l) {
				n++
			}
		}
		return f, float64(n) / float64(max(full, 1))
	}
	report, err := k.read(text, f)
	if err != nil {
		return nil, 0
	}
	f.Report = *report
	unknown := 0
	for _, l := range report.Unknown {
		if strings.TrimSpace(l.Text) != "" {
			unknown++
		}
	}
	return f, float64(full-unknown) / float64(max(full, 1))
}

// settle fills in what only the command line or the file name tells.
func (f *Found) settle(asked, named Call, line string) {
	same := func(c Call) bool { return c.ID == f.ID || slices.Contains(alike[f.ID], c.ID) }
	for _, c := range []Call{asked, named} {
		if c.ID == "" || !same(c) {
			continue
		}
		if c.ID != f.ID {
			f.ID, f.Kind = c.ID, c.Kind
		}
		if f.Element == "" {
			f.Element = c.Element
		}
		if f.Attribute == "" {
			f.Attribute = c.Attribute
		}
		break
	}
	if f.Element == "" && PerDevice(f.ID) {
		// A name alone, without the command: "lpar1-en0.txt".
		f.Element = named.Element
	}
	f.Command = line
	kept := asked.ID == "" || same(asked) || strings.HasPrefix(f.ID, asked.ID+"-") // hmc-lshwres and hmc-lshwres-eth
	if line == "" || !kept {
		f.Command = strings.TrimSpace(f.Kind + " " + f.Element)
		if f.Attribute != "" {
			f.Command += " -a " + f.Attribute
		}
	}
	f.Host = strings.TrimSuffix(f.Host, ".")
	if !hostShape.MatchString(f.Host) {
		f.Host, f.HostFrom = "", ""
	}
}

var hostShape = dialect.Lazy(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$`)

// alike are the forms of commands that print the same: which of them it was
// only a command line or a name can tell.
var alike = map[string][]string{
	"lsattr-El":        {"lsattr-Dl", "lsdev-dev-attr", "lsattr-El"}, // a VIOS heads lsdev -dev X -attr as AIX heads lsattr -EHl
	"entstat-d":        {"entstat-all", "netstat-v", "entstat-d"},
	"no-a":             {"no-o", "no-a"},
	"lsdev-Cc-adapter": {"lsdev-Cc-if", "lsdev-Cc-adapter"},
}

// binary says that a text holds what no text holds.
func binary(text []byte) bool {
	head := text[:min(len(text), 8<<10)]
	odd := 0
	for _, c := range head {
		if c == 0 {
			return true
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b && c != '\b' {
			odd++
		}
	}
	return odd*20 > len(head)
}

// Repeats says that several outputs of a kind about the same, or about what the
// text does not say, are parts of one reading and not readings at two times.
func Repeats(id string) bool {
	switch id {
	case "lsmap", "lscfg", "netstat-v", "no-o", "fcstat", "lsmcode", "lparstat", "instfix-ik":
		return true
	}
	return strings.HasPrefix(id, "hmc-") // a list of each managed system
}
