package ethtool

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var (
	title    = dialect.Lazy(`^(Settings|Features|Channel parameters|Ring parameters|Coalesce parameters|Pause parameters) for (\S+):$`)
	complain = dialect.Lazy(`^(Cannot get |netlink error|No data available|Operation not |ethtool: )`)
	note     = dialect.Lazy(`^(on|off) \[([^\[\]]+)\]$`)
	pair     = dialect.Lazy(`^([A-Z][A-Za-z ]*) (RX: +)(\S+)( +)(TX)(: +)(\S+)$`)
)

// Parse reads ethtool output. Errors: dialect.ErrNotRecognised if no title and
// no driver line is found.
func Parse(text []byte) (*Output, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	o := &Output{}
	r := layout.NewReader(text, &o.Report)
	p := parser{o: o, r: r}
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		lead, body, tail := layout.Trim(line)
		switch {
		case body == "":
			r.Keep()
		case complain.MatchString(body):
			r.Warn("a message among the values: " + body)
			r.Unread()
		case p.title(lead, body, tail):
		case p.section(lead, body, tail):
		case p.pair(lead, body, tail):
		case p.item(lead, body, tail):
		case p.more(lead, body, tail):
		default:
			r.Unread()
		}
	}
	o.Layout = r.Sheet()
	if o.Blocks == nil {
		return nil, dialect.ErrNotRecognised
	}
	return o, nil
}

type parser struct {
	o     *Output
	r     *layout.Reader
	block *Block
	sect  *Section
	last  *Item // that a continued list would belong to
}

func (p *parser) title(lead, body, tail string) bool {
	b := &Block{}
	if m := title.FindStringSubmatch(body); m != nil {
		b.Kind, b.Device = Kind(m[1]), m[2]
	} else if body == string(Statistics)+":" {
		b.Kind = Statistics
	} else {
		return false
	}
	b.Layout = Layout{old: true, Before: p.r.Held(), Lead: lead, Tail: tail}
	p.open(b)
	return true
}

func (p *parser) open(b *Block) {
	p.o.Blocks = append(p.o.Blocks, b)
	p.sect = &Section{}
	b.Sections = append(b.Sections, p.sect)
	p.block, p.last = b, nil
}

// section knows the titles by having no value, in the reports that have any.
func (p *parser) section(lead, body, tail string) bool {
	name, found := strings.CutSuffix(body, ":")
	if !found || p.block == nil || (p.block.Kind != Channels && p.block.Kind != Rings) ||
		(name != Maximums && name != Current) {
		return false
	}
	p.sect = &Section{Name: name, Layout: Layout{old: true, Before: p.r.Held(), Lead: lead, Tail: tail}}
	p.block.Sections = append(p.block.Sections, p.sect)
	p.last = nil
	return true
}

func (p *parser) pair(lead, body, tail string) bool {
	m := pair.FindStringSubmatch(body)
	if m == nil || p.block == nil {
		return false
	}
	rx := newItem(m[1]+" RX", m[3])
	rx.Layout = Layout{old: true, Before: p.r.Held(), Lead: lead, sep: m[2][2:]}
	tx := newItem(m[1]+" TX", m[7])
	tx.Layout = Layout{old: true, Lead: m[4], sep: m[6], Tail: tail, joined: true}
	p.sect.Items = append(p.sect.Items, rx, tx)
	p.last = nil
	return true
}

func (p *parser) item(lead, body, tail string) bool {
	at := strings.IndexByte(body, ':')
	if p.block != nil && p.block.Kind == Statistics {
		at = strings.LastIndexByte(body, ':') // names may hold colons, values never
	}
	if at <= 0 || (at+1 < len(body) && body[at+1] != ' ' && body[at+1] != '\t') {
		return false
	}
	name, value := body[:at], strings.TrimLeft(body[at+1:], " \t")
	if p.block == nil {
		if name != "driver" {
			return false
		}
		p.open(&Block{Kind: Driver, Layout: Layout{old: true}})
	}
	i := newItem(name, value)
	if p.block.Kind == Statistics && i.Count == nil {
		return false
	}
	i.Layout = Layout{old: true, Before: p.r.Held(), Lead: lead, sep: body[at : len(body)-len(value)], Tail: tail}
	p.sect.Items = append(p.sect.Items, i)
	p.last = i
	return true
}

// more takes the further lines of a list, such as supported link modes.
func (p *parser) more(lead, body, tail string) bool {
	if p.last == nil || p.block.Kind != Settings || len(lead) < 2 || p.r.Holding() {
		return false
	}
	p.last.More = append(p.last.More, body)
	p.last.Layout.moreLead = append(p.last.Layout.moreLead, lead)
	p.last.Layout.moreTail = append(p.last.Layout.moreTail, tail)
	return true
}

func newItem(name, value string) *Item {
	i := &Item{Name: name}
	if m := note.FindStringSubmatch(value); m != nil {
		value, i.Note = m[1], m[2]
	}
	switch n, ok := layout.Count(value); {
	case ok:
		i.Count = &n
	case value == "on" || value == "off":
		on := value == "on"
		i.On = &on
	default:
		i.Text = value
	}
	return i
}
