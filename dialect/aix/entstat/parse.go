package entstat

import (
	"bytes"
	"fmt"
	"strings"

	"seaworthy/dialect"
)

// Parse reads the output of entstat for one device. Members of an SEA or an
// EtherChannel stand in Members. It returns an error that is
// dialect.ErrNotRecognised for a text that is no such output, or that is one of
// several devices (see ParseAll).
func Parse(text []byte) (*Statistics, error) {
	p, err := parse(text, false)
	if err != nil {
		return nil, err
	}
	if len(p.parts) != 1 || p.parts[0].Adapter == nil {
		return nil, fmt.Errorf("statistics of devices that are not Ethernet stand in the text, which netstat -v prints, not entstat: %w", dialect.ErrNotRecognised)
	}
	s := p.parts[0].Adapter
	s.Report, s.end = p.report, p.end
	return s, nil
}

// ParseAll reads a text with the statistics of any number of devices, such as
// netstat -v. Sections of devices that are not Ethernet are kept unread and are
// not counted as unknown.
func ParseAll(text []byte) (*Listing, error) {
	p, err := parse(text, true)
	if err != nil {
		return nil, err
	}
	return &Listing{Report: p.report, Parts: p.parts, end: p.end}, nil
}

// parser reads line by line. It holds the adapter whose lines these are, with
// the adapters it is a member of.
type parser struct {
	report dialect.Report
	end    ending
	all    bool // several devices may follow each other
	lines  []string
	skip   []bool // lines of error messages
	noEnd  bool   // the last line has no line end

	parts      []Part
	path       []*Statistics // outermost first; the last is the current one
	recognised bool
	fresh      bool // the current adapter is there, but nothing of it was read
	foreign    *Foreign

	section sections
	open    *Field // the list, or the empty value, that the next line may continue
	columns bool   // between "Transmit Statistics:" and the next heading

	sheet *sheet
	slab  slab
	pools int   // columns of the adapter's table of buffers
	err   error // what makes the text unfit as a whole
}

func parse(text []byte, all bool) (*parser, error) {
	if len(text) > dialect.MaxText {
		return nil, fmt.Errorf("text of %d bytes, the limit is %d: %w", len(text), dialect.MaxText, dialect.ErrNotRecognised)
	}
	if !anchored(text) {
		return nil, refusal(text)
	}
	t := dialect.Split(text)
	p := &parser{all: all, lines: t.Lines, sheet: newSheet(len(t.Lines)), noEnd: t.NoFinal, end: ending{crlf: t.CRLF, noFinal: t.NoFinal}}
	p.report.Lines = len(t.Lines)
	p.skip = messages(t.Lines)
	p.enter(&Statistics{}, 0)
	for i := range p.lines {
		p.read(i)
	}
	if !p.recognised {
		return nil, refusal(text)
	}
	if p.err != nil {
		return nil, p.err
	}
	if n := len(p.lines); p.noEnd && strings.TrimSpace(p.lines[n-1]) != "" {
		p.report.Warn(n, "the text ends without a line end: its last value may be cut off")
	}
	if p.open != nil && p.open.Kind == Value {
		p.report.Warn(len(p.lines), "the text ends where the value of "+p.open.Label+" should stand")
	}
	return p, nil
}

// anchored tells whether the text can be entstat's at all, at little cost.
func anchored(text []byte) bool {
	return bytes.Contains(text, []byte("ETHERNET STATISTICS")) || bytes.Contains(text, []byte("Device Type")) ||
		bytes.Contains(text, []byte("STATISTICS REPORT"))
}

// refusal says why a text is not read; an error message of the command in it
// is the best reason there is.
func refusal(text []byte) error {
	for _, line := range strings.SplitN(string(text[:min(len(text), 4096)]), "\n", 20) {
		if isMessage(line) {
			return fmt.Errorf("no statistics, but the message %q: %w", strings.TrimSpace(line), dialect.ErrNotRecognised)
		}
	}
	return dialect.ErrNotRecognised
}

// current is the adapter whose lines are being read.
func (p *parser) current() *Statistics { return p.path[len(p.path)-1] }

// enter starts an adapter at the given depth: 0 is a device of its own, 1 a
// member of the outermost one.
func (p *parser) enter(s *Statistics, depth int) {
	s.placing = &placing{sheet: p.sheet, from: len(p.sheet.lines), to: len(p.sheet.lines)}
	p.path = append(p.path[:min(depth, len(p.path))], s)
	if len(p.path) == 1 {
		p.parts = append(p.parts, Part{Adapter: s})
	} else {
		up := p.path[len(p.path)-2]
		up.Members = append(up.Members, s)
	}
	p.section = sections{}
	p.open, p.columns, p.fresh, p.pools = nil, false, false, 0
}

// read takes one line.
func (p *parser) read(i int) {
	l := cut(p.lines[i])
	l.number = i + 1
	l.last = p.noEnd && i == len(p.lines)-1
	switch {
	case p.readForeign(i, &l):
	case p.skip[i]:
		p.message(&l)
	case l.text == "":
		p.literal(&l)
		p.section.blank()
		if p.open != nil && p.open.Kind == List {
			p.open = nil
		}
	case isRule(l.text):
		p.literal(&l)
		if p.open != nil && p.open.Kind == List {
			p.open = nil
		}
	case !printable(l.text):
		spoil(p.open)
		p.unread(&l)
	case p.readBlock(&l):
	case !p.recognised && !strings.HasPrefix(l.text, "Device Type"):
		p.unread(&l)
	case p.readOpen(i, &l):
	default:
		open, unknown := p.open, len(p.report.Unknown)
		p.open = nil
		if p.readLine(i, &l); len(p.report.Unknown) > unknown {
			spoil(open)
		}
	}
	p.keepEscapes(&l)
}

// spoil marks a list of which a line may be lost: what it does not show may be
// there.
func spoil(f *Field) {
	if f != nil && f.Kind == List {
		f.cut = true
	}
}

func (p *parser) readLine(i int, l *line) {
	switch {
	case p.readPairs(i, l):
	case p.readRow(l):
	case p.readHeading(i, l):
	default:
		p.unread(l)
	}
}

// next is the next line that is neither blank nor a message, and its indent.
func (p *parser) next(i int) (line, bool) {
	for i++; i < len(p.lines); i++ {
		if p.skip[i] {
			continue
		}
		if l := cut(p.lines[i]); l.text != "" {
			return l, true
		}
	}
	return line{}, false
}

// below is the line right below, messages aside.
func (p *parser) below(i int) string {
	for i++; i < len(p.lines); i++ {
		if !p.skip[i] {
			return cut(p.lines[i]).text
		}
	}
	return ""
}
