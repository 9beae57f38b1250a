package vnicstat

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var (
	sides = dialect.Lazy(`^(TX|RX)( .*)?$`)
)

// isRuler knows a line of equal signs, or of dashes in pieces.
func isRuler(body string) bool {
	return body != "" && (body[0] == '=' && strings.Trim(body, "=") == "" || body[0] == '-' && strings.Trim(body, "- ") == "")
}

// Parse reads vnicstat output. Errors: dialect.ErrNotRecognised if no server
// is found.
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
		pairs, left, right, isPairs := layout.ReadPairs(line)
		switch {
		case body == "":
			r.Keep()
		case isRuler(body):
			p.ruled = true
			r.Keep()
			continue
		case isPairs && strings.EqualFold(pairs.Left, "VNIC Server Statistics") && pairs.Right == "" && left != "":
			p.server = &Server{Name: left, Layout: Layout{old: true, before: r.Held(), pairs: pairs}}
			o.Servers = append(o.Servers, p.server)
			p.part, p.under, p.backing = nil, "", false
		case p.server == nil:
			r.Unread()
		case !isPairs && width(lead) == 0 && p.ruled && p.rulerFollows():
			// The backing device's name stands between two rulers.
			p.backing = true
			p.add(&Part{Name: body, Layout: Layout{old: true, before: r.Held(), lead: lead, tail: tail}})
		case isPairs && left == "" && right == "" && pairs.Left != "" && p.rulerFollows():
			p.add(&Part{Name: pairs.Left, Right: pairs.Right, Layout: Layout{old: true, before: r.Held(), pairs: pairs}})
		case isPairs && left == "" && right == "" && !p.backing:
			r.Unread() // a heading that has lost its ruler
		case isPairs && p.part != nil:
			p.items(lead, pairs, left, right)
		case p.part != nil && (width(lead) > 0 || p.backing):
			p.part.Items = append(p.part.Items, &Item{Text: body, Under: p.under,
				Row: RowPlace{old: true, before: r.Held(), lead: lead, tail: tail}})
		default:
			r.Unread()
		}
		if body != "" {
			p.ruled = false
		}
	}
	o.Layout = r.Sheet()
	if o.Servers == nil {
		return nil, dialect.ErrNotRecognised
	}
	return o, nil
}

type parser struct {
	o       *Output
	r       *layout.Reader
	server  *Server
	part    *Part
	under   string // label that indented lines belong to
	backing bool
	ruled   bool // a ruler was the last line that was not blank

	room   layout.Room[Item]
	counts layout.Room[uint64]
	pairs  layout.Room[layout.Pairs]
}

func (p *parser) rulerFollows() bool {
	_, body, _ := layout.Trim(p.r.PeekData(1))
	return isRuler(body)
}

func (p *parser) add(part *Part) {
	part.Backing = p.backing
	p.server.Parts = append(p.server.Parts, part)
	p.part, p.under = part, ""
}

func (p *parser) items(lead string, pairs layout.Pairs, left, right string) {
	kept := &p.pairs.Take(1)[0]
	*kept = pairs
	place := RowPlace{old: true, before: p.r.Held(), pairs: kept}
	under := ""
	if width(lead) > 0 && pairs.Left != "" {
		under = p.under
	} else if pairs.Left != "" {
		p.under = pairs.Left
	}
	var txSide, rxSide Side
	if p.part.Right != "" && sides.MatchString(p.part.Name) && sides.MatchString(p.part.Right) {
		txSide, rxSide = Side(strings.ToLower(p.part.Name[:2])), Side(strings.ToLower(p.part.Right[:2]))
	}
	if pairs.Left != "" {
		i := p.newItem(pairs.Left, left)
		i.Side, i.Under, i.Row = txSide, under, place
		p.part.Items = append(p.part.Items, i)
	}
	if pairs.Right != "" {
		i := p.newItem(pairs.Right, right)
		i.Side, i.Under = rxSide, under
		i.Row = RowPlace{old: true, joined: true}
		if pairs.Left == "" {
			i.Row = place
		}
		p.part.Items = append(p.part.Items, i)
	}
}

func (p *parser) newItem(name, value string) *Item {
	i := &p.room.Take(1)[0]
	i.Name = name
	if n, ok := layout.Count(value); ok {
		i.Count = &p.counts.Take(1)[0]
		*i.Count = n
	} else {
		i.Text = value
	}
	return i
}

func width(lead string) int { return len(dialect.StripEscapes(lead)) }
