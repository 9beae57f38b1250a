package detect

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// Hint holds what is known of a text apart from its content.
type Hint struct {
	Command string // the command line before it: from a prompt or a heading
	File    string // the file's name
}

// Found holds what a text turned out to be.
type Found struct {
	Kind      string // as one types it: "netstat -in"
	ID        string // of the registry's entry, as in collect.Record
	Family    registry.Family
	Command   string // the command line: the hint's, else the kind's with its device
	Element   string // the device it is about; empty if none or not known
	Attribute string // lsattr -R: the attribute asked for
	Host      string // a host's name that the text gives
	HostFrom  string // where in the text: "node name of lparstat -i"
	Namespace string // the network namespace of the host that it is of; empty: the host's own
	Known     bool   // a codec reads it; else only its kind is known
	Report    parse.Report
}

// Understood is how many lines the codec knows.
func (f *Found) Understood() int {
	if !f.Known {
		return 0
	}
	return f.Report.Lines - len(f.Report.Unknown)
}

// maxMarked bounds how much of a long text is searched for marks: they are
// at the head of an output, or on most of its lines.
const maxMarked = 64 << 10

// trailing holds what marks at the end of a line must not see.
var trailing = parse.Lazy(`[ \t]*\r?\n|[ \t]+\z`)

// Text says what a text is. False if no entry fits it.
func Text(text []byte, hint Hint) (*Found, bool) { return remembered.text(text, hint) }

// find finds out what a text is; nil if no entry fits it.
func find(text []byte, hint Hint) *Found {
	if len(bytes.TrimSpace(text)) == 0 || len(text) > parse.MaxText || Binary(text) {
		return nil
	}
	plain := text[:min(len(text), maxMarked)]
	if bytes.IndexByte(plain, 0x1b) >= 0 {
		plain = []byte(parse.StripEscapes(string(plain)))
	}
	plain = trailing.Regexp().ReplaceAll(plain, []byte("\n"))
	asked, named := ParseCommand(hint.Command), fromName(hint.File)
	if f := ofForeignSystem(text, plain, hint.Command); f != nil {
		return f
	}
	var best *Found
	bestScore := 0.0
	for _, wanted := range []bool{true, false} { // what the command line asks for; then all others
		for _, e := range registry.Entries() {
			if (bonus(e, asked, named) == askedBonus) != wanted {
				continue
			}
			f, share := try(e, text, plain, hint.Command, asked, named)
			if f == nil {
				continue
			}
			if score := share + bonus(e, asked, named); score >= cmp.Or(e.Least, 0.5) && score > bestScore {
				best, bestScore = f, score
			}
		}
		if bestScore > 1+namedBonus { // no other can have more
			break
		}
	}
	if best == nil {
		best = refusal(text, asked)
	}
	if best == nil || hint.Command == "" && (best.holdsAnother() || best.mixes(plain)) {
		return nil
	}
	if asked.File != "" {
		if other := best.ofAnotherFile(asked.File); other != nil {
			return other
		}
	}
	best.complete(asked, named, hint.Command)
	best.Namespace = asked.Namespace
	return best
}

// mostStarts bounds the lines not understood that are looked at for the beginning of another output.
const mostStarts = 50

// holdsAnother reports whether another output begins with lines that were not understood, two at least: the text is then more
// than one output, however few lines that one has. What stands before the first line that is understood is no output's end.
func (f *Found) holdsAnother() bool {
	unknown := f.Report.Unknown[:min(len(f.Report.Unknown), mostStarts)]
	for i, l := range unknown {
		follows := i+1 < len(unknown) && unknown[i+1].Number <= l.Number+2 // a blank line may stand between
		if l.Number > i+1 && follows && f.isStartOfAnother(strings.TrimSpace(l.Text)) {
			return true
		}
	}
	return false
}

// mixes reports whether a text about a device has titles of other outputs that the same codec reads: the rings of a device
// below its settings. Each is an output.
func (f *Found) mixes(plain []byte) bool {
	own := registry.Find(f.ID)
	return own.Device && own.Codec != "" && slices.ContainsFunc(registry.Entries(), func(e *registry.Entry) bool {
		return e.ID != own.ID && e.Codec == own.Codec && e.Again && e.Start != nil && e.Start.Match(plain)
	})
}

func (f *Found) isStartOfAnother(line string) bool {
	return slices.ContainsFunc(registry.Entries(), func(e *registry.Entry) bool {
		return e.ID != f.ID && e.Start != nil && !slices.Contains(e.Within, f.ID) && e.Start.MatchString(line)
	})
}

// ofForeignSystem gives a reading of what only a system prints that is not read, though it may look like an output of one that
// is; nil if nothing in the text is that.
func ofForeignSystem(text, plain []byte, command string) *Found {
	for _, e := range registry.Entries() {
		if e.Family.Title() == "" {
			continue
		}
		f, share := try(e, text, plain, command, Call{}, Call{})
		if f == nil || share < e.Least {
			continue
		}
		f.Command = cmp.Or(command, e.Command)
		return f
	}
	return nil
}

// ofAnotherFile gives a reading of what is kept and not evaluated where the text looks like that of a file and was
// printed from another one beside it: ndisc_cache looks like arp_cache. Nil if it is the file.
func (f *Found) ofAnotherFile(file string) *Found {
	e := registry.Find(f.ID)
	own, isFile := strings.CutPrefix(e.Command, "cat ")
	if !isFile || e.Device || own == file || path.Dir(own) != path.Dir(file) {
		return nil
	}
	other := &Found{Kind: "cat " + file, ID: "other", Family: f.Family, Element: path.Base(file), Command: "cat " + file}
	other.Report.Lines = f.Report.Lines
	return other
}

// What a command line and a file name add to the share of a text that is understood.
const (
	askedBonus = 0.6
	namedBonus = 0.1
)

// bonus returns what a command line or a file name adds to a reading that the
// content allows.
func bonus(e *registry.Entry, asked, named Call) float64 {
	switch {
	case same(e.ID, asked.ID) || strings.HasPrefix(e.ID, asked.ID+"-") && asked.ID != "":
		return askedBonus
	case same(e.ID, named.ID) || strings.HasPrefix(e.ID, named.ID+"-") && named.ID != "":
		return namedBonus
	}
	return 0
}

// same reports whether outputs of one entry look like those of the other.
func same(id, asked string) bool {
	if asked == "" {
		return false
	}
	e := registry.Find(asked)
	return id == asked || e != nil && e.Like == id
}

// try reads a text as one entry, and says which share of it was understood; nil
// if it cannot be that.
func try(e *registry.Entry, text, plain []byte, command string, asked, named Call) (*Found, float64) {
	askedFor := func(id string) bool { return id != "" && (e.ID == id || strings.HasPrefix(e.ID, id+"-")) }
	allArgs := e.Args == nil || e.ID == asked.ID || e.ID == named.ID // ethtool -K is no answer to ethtool
	unmarked := e.Unmarked != nil && allArgs && (askedFor(asked.ID) || askedFor(named.ID)) && e.Unmarked(command, text)
	if e.Head != nil && !e.Head.Match(plain) { // most stand at the beginning: that costs little
		return nil, 0
	}
	if !unmarked && (e.Mark == nil || !e.Mark.Match(plain)) || e.Not != nil && e.Not.Match(plain) {
		return nil, 0
	}
	f := &Found{Kind: e.Command, ID: e.ID, Family: e.Family, Known: e.Parse != nil, Command: command}
	wanted := askedFor(asked.ID) || askedFor(named.ID)
	if e.Free && !wanted && (asked.ID != "" || asked.File != "" || !eachMarked(e.Mark, plain)) {
		return nil, 0
	}
	if e.Shared && !wanted && Other(command) != "" {
		return nil, 0
	}
	if e.Names != nil && !wanted && !halfNamed(e.Names, plain) {
		return nil, 0
	}
	for system, sign := range e.PrintedBy {
		if sign.Match(plain) {
			f.Family = system
		}
	}
	marked, full := 0, 0
	for l := range bytes.Lines(text) {
		f.Report.Lines++
		if len(bytes.TrimSpace(l)) > 0 && !elided.Match(l) {
			full++
		}
	}
	if e.Parse == nil {
		for l := range bytes.Lines(plain) {
			if len(bytes.TrimSpace(l)) > 0 && (unmarked || e.Mark.Match(l)) {
				marked++
			}
		}
	} else {
		v, err := e.Parse(text, command)
		if err != nil || e.Fits != nil && !e.Fits(v) {
			return nil, 0
		}
		f.Report, marked = *v.Reading(), full
		for _, l := range f.Report.Unknown {
			if strings.TrimSpace(l.Text) != "" && !elided.MatchString(l.Text) {
				marked--
			}
		}
	}
	f.say(e, plain)
	return f, float64(marked) / float64(max(full, 1))
}

// elided is a line that people put in place of those that they leave out.
var elided = parse.Lazy(`^[ \t]*[\[(<]?(?:\.{2,}|…|(?i:snip|cut|omitted|truncated))[\])>]?[ \t\r]*$`)

// eachMarked reports whether all lines of a text have a mark.
func eachMarked(mark *parse.Pattern, text []byte) bool {
	for l := range bytes.Lines(text) {
		if len(bytes.TrimSpace(l)) > 0 && !mark.Match(bytes.TrimRight(l, "\n")) {
			return false
		}
	}
	return true
}

// halfNamed reports whether half of the lines of a text have a name.
func halfNamed(names *parse.Pattern, text []byte) bool {
	named := 0
	for l := range bytes.Lines(text) {
		if names.Match(l) {
			named++
		}
	}
	return named > 0 && named*2 >= filledLines(text)
}

// filledLines counts the lines of a text that are not blank.
func filledLines(text []byte) (n int) {
	for l := range bytes.Lines(text) {
		if len(bytes.TrimSpace(l)) > 0 {
			n++
		}
	}
	return n
}

// say takes what the text itself says of its device and its host.
func (f *Found) say(e *registry.Entry, plain []byte) {
	first := func(p *parse.Pattern) string {
		if p != nil {
			if m := p.Regexp().FindSubmatch(plain); m != nil {
				return string(m[1])
			}
		}
		return ""
	}
	f.Element, f.Host = first(e.Element), strings.TrimSuffix(first(e.Host), ".")
	for device, sign := range e.About {
		if sign.Match(plain) {
			f.Element = device
		}
	}
	// entstat of an interface is about its adapter.
	if n, ok := strings.CutPrefix(f.Element, "en"); ok && e.ID == "entstat-d" && strings.Trim(n, "0123456789") == "" {
		f.Report.Warn(0, fmt.Sprintf("the statistics are headed %s: they are those of ent%s", f.Element, n))
		f.Element = "ent" + n
	}
	if f.Host != "" && hostShape.MatchString(f.Host) {
		f.HostFrom = e.HostFrom
	} else {
		f.Host = ""
	}
}

// complete fills in what only the command line or the file name shows.
func (f *Found) complete(asked, named Call, line string) {
	for _, c := range []Call{asked, named} {
		if !same(f.ID, c.ID) {
			continue
		}
		if e := registry.Find(c.ID); c.ID != f.ID && e != nil {
			f.ID, f.Kind = c.ID, e.Command
		}
		f.Element, f.Attribute = cmp.Or(f.Element, c.Element), cmp.Or(f.Attribute, c.Attribute)
		break
	}
	ofProgram := strings.HasPrefix(f.Kind, asked.Program+" ")
	leftOf := ofProgram && (!f.Known || PerDevice(f.ID)) // lines that grep left of a device's output
	if f.Element == "" && leftOf {
		f.Element = asked.Element
	}
	if f.Element == "" && PerDevice(f.ID) {
		// A name alone, without the command: "lpar1-en0.txt".
		f.Element = named.Element
	}
	if e := registry.Find(asked.ID); e != nil && e.Family == registry.VIOS && f.Family == registry.AIX { // only its shell has that form
		f.Family = registry.VIOS
	}
	f.Command = line
	sibling := f.Family == registry.Linux && ofProgram // ip -s link looks like ip addr
	if line == "" || asked.ID != "" && !same(f.ID, asked.ID) && !strings.HasPrefix(f.ID, asked.ID+"-") && !sibling && !leftOf {
		f.Command = strings.TrimSpace(f.Kind + " " + f.Element)
		if f.Attribute != "" {
			f.Command += " -a " + f.Attribute
		}
	}
}

var hostShape = parse.Lazy(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$`)

// PerDevice reports whether an entry's output is about one device.
func PerDevice(id string) bool {
	e := registry.Find(id)
	return e != nil && e.Device
}

// Repeats reports whether several outputs about the same, or about what the text
// does not say, are parts of one reading and not readings at two times.
func Repeats(id string) bool {
	e := registry.Find(id)
	return e != nil && e.Repeats
}

// Binary reports whether a text holds what no text holds.
func Binary(text []byte) bool {
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
