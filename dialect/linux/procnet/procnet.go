package procnet

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Tables are the protocols of one file.
type Tables struct {
	dialect.Report
	Tables []*Table     `json:"tables"`
	Layout layout.Sheet `json:"-"`
}

// Table is one protocol's counters, by name in the order printed.
type Table struct {
	Name   string   `json:"name"` // Tcp, TcpExt, Ip
	Names  []string `json:"names"`
	Values []string `json:"values"` // as printed; MaxConn can be -1
	Number int      `json:"-"`      // 1-based line of the values
	Before []string `json:"-"`
	inner  []string // lines between the two: messages
	tails  [2]string
}

var (
	heading = dialect.Lazy(`^([A-Z][A-Za-z0-9]*): ([A-Za-z][A-Za-z0-9_]*(?: [A-Za-z][A-Za-z0-9_]*)*)$`)
	numbers = dialect.Lazy(`^([A-Z][A-Za-z0-9]*): (-?[0-9]+(?: -?[0-9]+)*)$`)
)

// Parse reads pairs of lines. A pair that does not fit together, or whose
// second line was cut off, is kept as not understood. Errors:
// dialect.ErrNotRecognised if no pair fits.
func Parse(text []byte) (*Tables, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := &Tables{}
	r := layout.NewReader(text, &t.Report)
	var pending *Table  // its names stand on the line before
	var before []string // lines in front of the names
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		body := strings.TrimRight(line, " \t")
		tail := line[len(body):]
		open := pending
		pending = nil
		if m := heading.FindStringSubmatch(body); m != nil {
			pending = &Table{Name: m[1], Names: strings.Fields(m[2]), tails: [2]string{tail}}
			before = append(before, r.Held()...)
			r.Keep()
			continue
		}
		m := numbers.FindStringSubmatch(body)
		if m == nil && body == "" {
			r.Keep()
			continue
		}
		if m == nil || open == nil || r.Cut() || m[1] != open.Name || strings.Count(m[2], " ")+1 != len(open.Names) {
			r.Unread()
			continue
		}
		open.Values, open.Number, open.tails[1] = strings.Fields(m[2]), r.Number(), tail
		open.Before, open.inner, before = before, r.Held()[1:], nil
		t.Tables = append(t.Tables, open)
	}
	t.Layout = r.Sheet()
	t.Layout.After = append(before, t.Layout.After...)
	if t.Tables == nil {
		return nil, dialect.ErrNotRecognised
	}
	return t, nil
}

// Format prints Tables as the kernel does.
func Format(t *Tables) []byte {
	var lines []string
	for _, x := range t.Tables {
		lines = append(append(lines, x.Before...), x.Name+": "+strings.Join(x.Names, " ")+x.tails[0])
		lines = append(append(lines, x.inner...), x.Name+": "+strings.Join(x.Values, " ")+x.tails[1])
	}
	return t.Layout.Join(lines)
}

// Counters are the values that can be counters, as "Tcp.RetransSegs". What is
// negative, or too large for 64 bits, is none.
func (t *Tables) Counters() map[string]uint64 {
	out := map[string]uint64{}
	for _, x := range t.Tables {
		for i, name := range x.Names {
			if i >= len(x.Values) {
				break
			}
			if n, ok := layout.Count(x.Values[i]); ok {
				out[x.Name+"."+name] = n
			}
		}
	}
	return out
}
