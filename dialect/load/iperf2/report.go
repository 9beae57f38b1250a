package iperf2

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/load/layout"
)

// Output is the text of one iperf run.
type Output struct {
	dialect.Report
	Rows    []Line
	CRLF    bool // line ends were CR LF
	NoFinal bool // the last line had no end
}

// Line is one line: exactly one of the pointers is set, or Text holds a line
// without values (a rule, a heading) or one that was not understood.
type Line struct {
	Setup      *Setup
	Window     *Window
	Connection *Connection
	Interval   *Interval
	Text       string
}

// Setup is the first line of the settings.
type Setup struct {
	Server bool
	Peer   string // client: where it connects to
	Port   int
	Rest   string // what newer levels add, " with pid 1276"

	gaps layout.Gaps
}

// Window is the socket buffer the run started with. With Requested, the
// system gave another size than was asked for.
type Window struct {
	Size      Amount
	Default   bool
	Requested *Amount

	gaps layout.Gaps
}

// Connection is one connection's ends.
type Connection struct {
	ID                    int
	Local, Remote         string
	LocalPort, RemotePort int
	Rest                  string // " (icwnd/mss/irtt=14/1448/50)" of 2.1

	gaps layout.Gaps
}

// Interval is what one connection, or all of them together, carried.
type Interval struct {
	Sum        bool
	ID         int           // of the connection; 0 with Sum
	Start, End layout.Number // seconds
	Transfer   Amount
	Bandwidth  Amount
	Rest       string // columns of the enhanced report

	gaps layout.Gaps
}

// Amount is a number with its unit: "965 KByte", "4.80 Gbits/sec".
type Amount struct {
	layout.Number
	Unit string
}

const (
	kibi = 1024.0
	kilo = 1000.0
)

// scaled gives the amount in the base unit, if the unit ends in one of the
// bases and its prefix is known.
func (a Amount) scaled(step float64, bases ...string) (float64, bool) {
	for _, base := range bases {
		prefix, ok := strings.CutSuffix(a.Unit, base)
		if !ok {
			continue
		}
		v := a.Value
		switch prefix {
		case "T":
			v *= step
			fallthrough
		case "G":
			v *= step
			fallthrough
		case "M":
			v *= step
			fallthrough
		case "K":
			v *= step
			fallthrough
		case "":
			return v, true
		}
	}
	return 0, false
}

// Bytes is a transfer or window size in bytes, within the precision printed.
func (a Amount) Bytes() (float64, bool) { return a.scaled(kibi, "Bytes", "Byte") }

// BitsPerSecond is a bandwidth in bit/s, within the precision printed.
func (a Amount) BitsPerSecond() (float64, bool) {
	if v, ok := a.scaled(kibi, "Bytes/sec"); ok {
		return 8 * v, true
	}
	return a.scaled(kilo, "bits/sec")
}

// Totals are the whole-run lines: of each connection the longest interval
// from the start, in the order of their last line.
func (o *Output) Totals() []*Interval {
	longest := map[int]*Interval{}
	var order []int
	for _, l := range o.Rows {
		i := l.Interval
		if i == nil || i.Sum || i.Start.Value != 0 {
			continue
		}
		best := longest[i.ID]
		if best == nil {
			order = append(order, i.ID)
		}
		if best == nil || i.End.Value >= best.End.Value {
			longest[i.ID] = i
		}
	}
	var all []*Interval
	for _, id := range order {
		all = append(all, longest[id])
	}
	return all
}

// Total is the run's bandwidth in bit/s: that of the longest [SUM] line from
// the start, or else the sum over the connections. false: the text has none.
func (o *Output) Total() (bitsPerSecond float64, ok bool) {
	var sum *Interval
	for _, l := range o.Rows {
		if i := l.Interval; i != nil && i.Sum && i.Start.Value == 0 && (sum == nil || i.End.Value >= sum.End.Value) {
			sum = i
		}
	}
	totals := o.Totals()
	if sum != nil && len(totals) != 1 {
		return sum.Bandwidth.BitsPerSecond()
	}
	for _, i := range totals {
		v, known := i.Bandwidth.BitsPerSecond()
		if !known {
			return 0, false
		}
		bitsPerSecond += v
	}
	return bitsPerSecond, len(totals) > 0
}
