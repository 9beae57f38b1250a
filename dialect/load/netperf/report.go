package netperf

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/load/layout"
)

// Test is what was measured.
type Test string

const (
	Stream          Test = "TCP STREAM"
	RequestResponse Test = "TCP REQUEST/RESPONSE"
)

// Output is the text of one netperf run.
type Output struct {
	dialect.Report
	Test    Test
	Unit    string // of a stream's throughput, from its heading: 10^6bits/sec; empty: not said
	Rows    []Line
	CRLF    bool
	NoFinal bool
}

// Line is one line: exactly one of the pointers is set, or Text holds a
// heading or a line that was not understood.
type Line struct {
	Banner *Banner
	Stream *StreamRow
	RR     *RRRow
	Remote *RemoteRow
	Text   string
}

// Banner is the first line.
type Banner struct {
	Migrated bool // netperf 2.5 and newer run the old tests by the new engine
	Test     Test
	Rest     string // " from 0.0.0.0 (0.0.0.0) port 0 AF_INET to lpar2 () port 0 AF_INET"

	gaps layout.Gaps
}

// StreamRow is the result of TCP_STREAM. Sizes are in bytes, as getsockopt
// told them when the test began: on AIX before the interface's own values
// came into force.
type StreamRow struct {
	ReceiveSocket, SendSocket, Message int
	Seconds, Throughput                layout.Number
	Rest                               string // CPU columns of -c and -C

	gaps layout.Gaps
}

// RRRow is the result of TCP_RR with the local end's socket sizes.
type RRRow struct {
	SendSocket, ReceiveSocket, Request, Response int
	Seconds, Rate                                layout.Number // transactions/s
	Rest                                         string

	gaps layout.Gaps
}

// RemoteRow holds the socket sizes of the other end, below the RRRow.
type RemoteRow struct {
	SendSocket, ReceiveSocket int

	gaps layout.Gaps
}

// BitsPerSecond is a stream's throughput in bit/s; false without a result or
// with a unit that is not known.
func (o *Output) BitsPerSecond() (float64, bool) {
	row := o.stream()
	scale, ok := units[strings.ReplaceAll(strings.ToLower(o.Unit), " ", "")]
	if row == nil || !ok {
		return 0, false
	}
	return row.Throughput.Value * scale, true
}

// Transactions is a request/response test's rate per second.
func (o *Output) Transactions() (float64, bool) {
	for _, l := range o.Rows {
		if l.RR != nil {
			return l.RR.Rate.Value, true
		}
	}
	return 0, false
}

func (o *Output) stream() *StreamRow {
	for _, l := range o.Rows {
		if l.Stream != nil {
			return l.Stream
		}
	}
	return nil
}

// units of a stream's throughput in bit/s. netperf's K, M and G of bytes are
// powers of 1024.
var units = map[string]float64{
	"10^3bits/sec": 1e3, "10^6bits/sec": 1e6, "10^9bits/sec": 1e9, "10^12bits/sec": 1e12,
	"kbytes/sec": 8 << 10, "mbytes/sec": 8 << 20, "gbytes/sec": 8 << 30,
}

var unitInHeading = dialect.Lazy(`^\s*bytes\s+bytes\s+bytes\s+secs\.\s+(10\^\d+bits/sec|[KMG]Bytes ?/sec)`)
