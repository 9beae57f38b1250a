package entstat

import (
	"bytes"
	"fmt"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Parse reads the statistics of any number of devices. Members of an SEA or an
// EtherChannel are in Members. Sections of devices that are not Ethernet are not
// read and are not counted as unknown. The error is parse.ErrNotRecognised for
// a text without statistics.
func Parse(text []byte) (*Listing, error) {
	if !bytes.Contains(text, []byte("ETHERNET STATISTICS")) && !bytes.Contains(text, []byte("Device Type")) &&
		!bytes.Contains(text, []byte("STATISTICS REPORT")) {
		text = text[:min(len(text), 4096)] // a message at most
	}
	p := &parser{}
	p.read = labels.NewReader(text, &p.Report)
	p.enter(&Statistics{}, 0)
	for i := range p.read.Lines {
		p.line(i)
	}
	switch {
	case !p.recognised && p.Messages > 0:
		message, _ := p.Warnings[0].Message()
		return nil, fmt.Errorf("no statistics, but the message %q: %w", message, parse.ErrNotRecognised)
	case !p.recognised:
		return nil, parse.ErrNotRecognised
	}
	for _, a := range p.Adapters() {
		a.Walk(p.checkPools)
	}
	return &p.Listing, nil
}

// parser reads line by line. It holds the adapter whose lines these are, with
// the adapters it is a member of.
type parser struct {
	Listing
	read *labels.Reader

	path       []*device // outermost first; the last is the current one
	recognised bool
	fresh      bool     // the current adapter is there, but nothing of it was read
	foreign    *Foreign // the lines are of this device
	ended      bool     // the lines are another command's
}

// device is an adapter while it is read.
type device struct {
	*Statistics
	typed     bool   // its Device Type was printed
	bridge    bool   // its text says that it is an SEA
	channel   bool   // its text says that it is an EtherChannel
	announced uint64 // how many members it says it has; 0: it does not say
}

// checkPools marks the rows of the table of receive buffers that have more or
// fewer values than it has columns.
func (p *parser) checkPools(s *Statistics) {
	columns := 0
	for _, f := range s.Fields {
		switch {
		case f.Kind == labels.Columns && labels.Same(f.Label, "Buffer Type"):
			columns = len(f.Items)
		case f.Kind == labels.Row && columns > 1 && len(f.Cells) != columns && new(Pool).valueOf(f.Label) != nil:
			f.Cut = true
			p.Warn(f.Line, fmt.Sprintf("%s: %d values in a table of %d columns: which are missing is not known",
				f.Label, len(f.Cells), columns))
		}
	}
}

// line takes the i-th line.
func (p *parser) line(i int) {
	l := &p.read.Lines[i]
	switch {
	case p.readOther(l), p.readForeign(l), p.readBlock(l):
	case !p.recognised && !labels.HasPrefix(l.Body, "Device Type"):
		if !labels.IsRule(l.Body) {
			p.NotUnderstood(l.Line)
		}
	case p.readDeviceType(l):
	default:
		p.read.Read(i)
		p.learn(l)
	}
}

// readDeviceType reads a type that is on the line below its label.
func (p *parser) readDeviceType(l *labels.Line) bool {
	s := p.current()
	if len(s.Fields) == 0 || l.After || strings.Contains(l.Body, ":") {
		return false
	}
	f := s.Fields[len(s.Fields)-1]
	if !labels.Same(f.Label, "Device Type") || f.Text != "" {
		return false
	}
	f.Text, f.Cut = l.Body, l.Last
	p.learnType(f)
	return true
}

// learn takes from a line what the nesting of adapters depends on.
func (p *parser) learn(l *labels.Line) {
	s := p.current()
	if len(s.Fields) == 0 || s.Fields[len(s.Fields)-1].Line != l.Number {
		return
	}
	f := s.Fields[len(s.Fields)-1]
	switch {
	case f.Kind == labels.Heading:
		s.bridge = s.bridge || labels.HasPrefix(f.Label, sharedHeading+" Shared Ethernet Adapter")
		s.channel = s.channel || labels.HasPrefix(f.Label, channelHeading)
	case labels.Same(f.Label, "Device Type"):
		p.learnType(f)
	case f.Number == nil || !s.channel:
	case labels.Same(f.Label, "Number of adapters"), labels.Same(f.Label, "Number of primary adapters"),
		labels.Same(f.Label, "Number of backup adapters"):
		s.announced += min(*f.Number, 64)
	}
}

func (p *parser) learnType(f *Field) {
	s, kind := p.current(), strings.ToLower(f.Text)
	s.typed = true
	s.bridge = s.bridge || strings.Contains(kind, "shared ethernet")
	s.channel = s.channel || strings.Contains(kind, "etherchannel") || strings.Contains(kind, "link aggregation")
}
