package vnicstat

import (
	"strconv"
	"strings"

	"seaworthy/dialect/layout"
)

const column = 40 // where the right column starts

var dashes = strings.Repeat("-", 80)

// Format prints an Output as Parse read it. New servers, parts and items are
// printed as VIOS 3.1 does; of new items in a part of two directions, an rx
// item that follows a tx item shares its line.
func Format(o *Output) []byte {
	var lines []string
	for _, s := range o.Servers {
		if l := s.Layout; l.old {
			lines = append(append(lines, l.before...), l.pairs.Place(s.Name, ""))
		} else {
			lines = append(lines, dashes, "VNIC Server Statistics: "+s.Name, dashes)
		}
		for _, p := range s.Parts {
			lines = p.heading(lines)
			for k := 0; k < len(p.Items); k++ {
				beside := p.beside(k)
				lines = p.Items[k].line(lines, beside)
				if beside != nil {
					k++
				}
			}
		}
	}
	return o.Layout.Join(lines)
}

// beside is the item that shares the line of the kth, or nil.
func (p *Part) beside(k int) *Item {
	if k+1 == len(p.Items) {
		return nil
	}
	i, next := p.Items[k], p.Items[k+1]
	if next.Row.joined || !i.Row.old && !next.Row.old && i.Side == Tx && next.Side == Rx {
		return next
	}
	return nil
}

func (p *Part) heading(lines []string) []string {
	l := p.Layout
	switch {
	case l.old && l.pairs.Left == "": // the backing device
		return append(append(lines, l.before...), l.lead+p.Name+l.tail)
	case l.old:
		l.pairs.Left, l.pairs.Right = p.Name, p.Right
		return append(append(lines, l.before...), l.pairs.Place("", ""))
	case p.Right == "":
		return append(lines, p.Name+":", pad(strings.Repeat("-", len(p.Name)+1)))
	}
	return append(lines, layout.NewPairs(p.Name, p.Right, column).Heading(),
		pad(strings.Repeat("-", len(p.Name)+1))+pad(strings.Repeat("-", len(p.Right)+1)))
}

func pad(s string) string { return s + strings.Repeat(" ", max(0, column-len(s))) }

func (i *Item) line(lines []string, beside *Item) []string {
	right := ""
	if beside != nil {
		right = beside.value()
	}
	l := i.Row
	if l.old && l.pairs == nil {
		return append(append(lines, l.before...), l.lead+i.Text+l.tail)
	}
	if l.old {
		place := *l.pairs
		lines = append(lines, l.before...)
		if place.Left == "" {
			place.Right = i.Name
			return append(lines, place.Place("", i.value()))
		}
		place.Left = i.Name
		if beside != nil {
			place.Right = beside.Name
		}
		return append(lines, place.Place(i.value(), right))
	}
	switch {
	case beside != nil:
		return append(lines, layout.NewPairs(i.Name, beside.Name, column).Place(i.value(), right))
	case i.Side == Rx:
		return append(lines, layout.NewPairs("", i.Name, column).Place("", i.value()))
	case i.Name == "":
		return append(lines, "\t"+i.Text)
	case i.Under != "":
		return append(lines, "\t"+i.Name+": "+i.value())
	}
	return append(lines, strings.TrimRight(i.Name+": "+i.value(), " "))
}

func (i *Item) value() string {
	if i.Count != nil {
		return strconv.FormatUint(*i.Count, 10)
	}
	return i.Text
}
