package interfaces

import (
	"net/netip"
	"slices"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

var name = dialect.Lazy(`^[A-Za-z]+[0-9]+\*?$`)

// Parse reads a table. Errors: dialect.ErrNotRecognised without a heading.
func Parse(text []byte) (*Table, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := &Table{}
	r := layout.NewReader(text, &t.Report)
	var heading []layout.Word
	for {
		if _, more := r.Next(); !more {
			break
		}
		words, tail, ok := r.Words()
		switch {
		case ok && len(words) == 0:
			r.Keep()
		case ok && heading == nil && isHeading(words):
			heading = slices.Clone(words)
			for _, w := range words {
				t.Columns = append(t.Columns, w.Text)
			}
			t.Layout.Before = r.Held()
			t.Layout.Heading = r.Line(words, tail, func(i int) bool { return i >= fixed })
		case ok && heading != nil && readRow(t, r, heading, words, tail):
		case ok && len(t.Rows) > 0 && readMulticast(t, r, words, tail):
		default:
			r.Unread()
		}
	}
	t.Layout.Sheet = r.Sheet()
	if heading == nil {
		return nil, dialect.ErrNotRecognised
	}
	return t, nil
}

// isHeading knows the heading in any language: the words Mtu and Ipkts stay.
func isHeading(words []layout.Word) bool {
	if len(words) <= fixed || !strings.EqualFold(words[1].Text, "mtu") {
		return false
	}
	for _, w := range words[fixed:] {
		if strings.EqualFold(w.Text, "ipkts") {
			return true
		}
	}
	return false
}

// isZone tells whether the last word before the counters is the zone of an
// IPv6 address: most rows of a table with that column have none.
func isZone(heading, words []layout.Word, counters int) bool {
	at := len(words) - counters - 1
	return at == 4 || at > 1 && at < 4 && words[at].At >= heading[fixed].At-2
}

func readRow(t *Table, r *layout.Reader, heading, words []layout.Word, tail string) bool {
	lead := t.lead()
	counters := len(t.Columns) - lead
	zone := lead > fixed && len(words) > counters+2 && isZone(heading, words, counters)
	first := len(words) - counters
	middle := first - 2 // Network, Address
	if zone {
		middle--
	}
	if middle < 0 || middle > 2 || !name.MatchString(words[0].Text) {
		return false
	}
	mtu, ok := layout.Count(words[1].Text)
	if !ok {
		return false
	}
	row := &Row{MTU: mtu}
	row.Name, row.Down = strings.CutSuffix(words[0].Text, "*")
	cells := r.Line(words, tail, func(i int) bool { return i >= first || zone && i == first-1 })
	line := &layout.Line{Tail: tail, Cells: make([]layout.Cell, lead, lead+counters)}
	copy(line.Cells, cells.Cells[:2])
	switch middle {
	case 2:
		row.Network, row.Address = words[2].Text, words[3].Text
		copy(line.Cells[2:], cells.Cells[2:4])
	case 1:
		if words[2].At >= heading[3].At && words[2].At > words[1].End()+1 {
			row.Address, line.Cells[3] = words[2].Text, cells.Cells[2]
		} else {
			row.Network, line.Cells[2] = words[2].Text, cells.Cells[2]
		}
	}
	if zone {
		row.Zone, line.Cells[fixed] = words[first-1].Text, cells.Cells[first-1]
	}
	for _, w := range words[first:] {
		n, ok := layout.Count(w.Text)
		switch {
		case ok:
			row.Counters = append(row.Counters, &n)
		case w.Text == "-":
			row.Counters = append(row.Counters, nil)
		default:
			return false
		}
	}
	if r.Cut() && words[len(words)-1].End() < heading[len(heading)-1].End() && aligned(t, heading) {
		r.Warn(row.Name + ": the row ends before its column does: cut off")
		return false
	}
	line.Cells = append(line.Cells, cells.Cells[first:]...)
	row.Layout = RowLayout{Before: r.Held(), Line: line}
	t.Rows = append(t.Rows, row)
	return true
}

// aligned tells whether the rows so far end at least where the heading ends.
func aligned(t *Table, heading []layout.Word) bool {
	for _, row := range t.Rows {
		end := 0
		for _, c := range row.Layout.Line.Cells {
			end += len(c.Gap) + int(c.Width)
		}
		if end < heading[len(heading)-1].End() {
			return false
		}
	}
	return len(t.Rows) > 0
}

// readMulticast reads the lines of netstat -ia that hold only an address.
func readMulticast(t *Table, r *layout.Reader, words []layout.Word, tail string) bool {
	if len(words) != 1 {
		return false
	}
	text, _, _ := strings.Cut(words[0].Text, "%")
	if _, err := netip.ParseAddr(text); err != nil && !isMAC(text) {
		return false
	}
	row := t.Rows[len(t.Rows)-1]
	row.Multicast = append(row.Multicast, &Multicast{
		Address: words[0].Text,
		Layout:  RowLayout{Before: r.Held(), Line: r.Line(words, tail, nil)},
	})
	return true
}

func isMAC(text string) bool {
	return (&Row{Network: "link#", Address: strings.ReplaceAll(text, ":", ".")}).MAC() != ""
}
