// Package iperf2 reads what a text report of iperf 2 says was carried, client's
// and server's, of the 2.0 and 2.1 lines: one line per interval and connection,
// with its [SUM] lines.
//
// iperf counts transfers in units of 1024 and bandwidth in bits in units of
// 1000; bandwidth in Bytes is in units of 1024 again.
package iperf2

import (
	"strconv"

	"seaworthy/internal/parse"
)

// Output is the text of one iperf run.
type Output struct {
	parse.Report
	Intervals []*Interval
}

// Interval holds what one connection, or all of them together, carried.
type Interval struct {
	Sum        bool
	ID         int     // of the connection; 0 with Sum
	Start, End float64 // seconds
	Transfer   Amount
	Bandwidth  Amount
}

var (
	setup      = parse.Lazy(`^(?:Client connecting to \S+,|Server listening on) (?:TCP|UDP) port \d+`)
	connection = parse.Lazy(`^\[\s*\d+\]\s+local\s+\S+\s+port\s+\d+\s+connected with\s+\S+\s+port\s+\d+`)
	interval   = parse.Lazy(`^\[\s*(\d{1,9}|SUM)\]\s+([\d.]+)-\s*([\d.]+)\s+sec\s+` +
		`([\d.]+)\s+([KMGT]?Bytes?)\s+([\d.]+)\s+([KMGT]?(?:bits|Bytes)/sec)`)
	settings = parse.Lazy(`^(?:-{20,}|\[ ?ID\]\s+Interval\s+Transfer\s+Bandwidth.*|` +
		`(?:TCP|UDP) (?:window|buffer) size:.*|(?:Write|Read) buffer size:.*|` +
		`TOS .*|Sending \d+ byte datagrams.*|\[\s*\w+\] (?:Sent \d+ datagrams|final connect times.*))\s*$`)
	failure = parse.Lazy(`^(?:(?:read|write|connect) failed: |\[\s*\d+\] WARNING: )`)
)

// Parse reads the text of one run. It returns parse.ErrNotRecognised if
// nothing in it is iperf's.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	known := 0
	o.Read(text, func(l parse.Line) bool {
		i, id := &Interval{}, ""
		switch {
		case interval.Scan(l.Text, &id, &i.Start, &i.End, &i.Transfer.Value, &i.Transfer.Unit, &i.Bandwidth.Value, &i.Bandwidth.Unit):
			i.Sum = id == "SUM"
			i.ID, _ = strconv.Atoi(id)
			o.Intervals = append(o.Intervals, i)
			known++
		case setup.MatchString(l.Text), connection.MatchString(l.Text):
			known++
		case failure.MatchString(l.Text):
			o.Warn(l.Number, l.Text)
		default:
			return settings.MatchString(l.Text)
		}
		return true
	})
	return parse.Recognised(o, known > 0)
}

// Totals are the whole-run lines: of each connection the longest interval
// from the start, in the order of their first line.
func (o *Output) Totals() []*Interval {
	var all []*Interval
	at := map[int]int{} // in all, by connection
	for _, i := range o.Intervals {
		n, seen := at[i.ID]
		switch {
		case i.Sum || i.Start != 0:
		case !seen:
			at[i.ID], all = len(all), append(all, i)
		case i.End >= all[n].End:
			all[n] = i
		}
	}
	return all
}

// Steps returns what all connections together carried in each interval that all of
// them report, in bytes, and the interval's end in s: without -i none.
func (o *Output) Steps() (until, carried []float64) {
	totals := o.Totals()
	each := make([][]*Interval, len(totals))
	for n, total := range totals {
		for _, i := range o.Intervals {
			if !i.Sum && i.ID == total.ID && i != total {
				each[n] = append(each[n], i)
			}
		}
	}
	for at := 0; len(each) > 0; at++ {
		end, sum := 0.0, 0.0
		for _, mine := range each {
			if at >= len(mine) {
				return until, carried
			}
			bytes, ok := mine[at].Transfer.Bytes()
			if !ok {
				return nil, nil
			}
			end, sum = max(end, mine[at].End), sum+bytes
		}
		until, carried = append(until, end), append(carried, sum)
	}
	return nil, nil
}

// Total is the run's bandwidth in bit/s: that of the longest [SUM] line from
// the start, or else the sum over the connections. false: the text has none.
func (o *Output) Total() (bitsPerSecond float64, ok bool) {
	var sum *Interval
	for _, i := range o.Intervals {
		if i.Sum && i.Start == 0 && (sum == nil || i.End >= sum.End) {
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
