// Package netperf reads the text reports of netperf 2: TCP_STREAM
// and TCP_RR, of the old tests and of those run by the new engine.
package netperf

import (
	"strings"

	"seaworthy/internal/parse"
)

// Test holds what was measured.
type Test string

const (
	Stream          Test = "TCP STREAM"
	RequestResponse Test = "TCP REQUEST/RESPONSE"
)

// Output is the text of one netperf run.
type Output struct {
	parse.Report
	Test   Test
	Rest   string // of the banner: " from 0.0.0.0 (0.0.0.0) port 0 AF_INET to lpar2 () port 0 AF_INET"
	Unit   string // of a stream's throughput, from its heading: 10^6bits/sec; empty: not said
	Result *Result
}

// Result is the row of numbers. Socket sizes are in bytes, as getsockopt gave
// them when the test began: on AIX before the interface's own values came into
// force.
type Result struct {
	Local, Remote     Sockets // of a stream: its sending and its receiving side alone
	Message           int     // stream: bytes a send
	Request, Response int     // bytes
	Seconds           float64
	Rate              float64 // a stream's throughput in Unit, or transactions/s
}

// Sockets are the buffers of one end in bytes, 0 where they are not printed.
type Sockets struct{ Send, Receive int }

// units of a stream's throughput in bit/s. netperf's K, M and G of bytes are
// powers of 1024.
var units = map[string]float64{
	"10^3bits/sec": 1e3, "10^6bits/sec": 1e6, "10^9bits/sec": 1e9, "10^12bits/sec": 1e12,
	"kbytes/sec": 8 << 10, "mbytes/sec": 8 << 20, "gbytes/sec": 8 << 30,
}

// Numbers of a row: whole ones, and what may follow the last.
const (
	whole  = `([0-9]+)\s+`
	number = `([0-9]+(?:\.[0-9]+)?)`
	more   = `(?:\s+[0-9]+(?:\.[0-9]+)?)*\s*$`
)

var (
	banner  = parse.Lazy(`^(?:MIGRATED )?(TCP STREAM|TCP REQUEST/RESPONSE) TEST(.*)$`)
	heading = parse.Lazy(`^(?:Recv   Send|Socket Socket|Size   Size|Local /Remote|Socket Size|Send   Recv|bytes  [bB]ytes)`)
	inUnit  = parse.Lazy(`^\s*bytes\s+bytes\s+bytes\s+secs\.\s+(10\^\d+bits/sec|[KMG]Bytes ?/sec)`)

	pair     = parse.Lazy(`^\s*([0-9]+)\s+([0-9]+)\s*$`)
	stream   = parse.Lazy(`^\s*` + whole + whole + whole + number + `\s+` + number + more)
	exchange = parse.Lazy(`^\s*` + whole + whole + whole + whole + number + `\s+` + number + more)
)

// Parse reads the text of one run. It returns parse.ErrNotRecognised without
// the banner of one of the two tests.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	o.Read(text, func(l parse.Line) bool {
		u := inUnit.FindStringSubmatch(l.Text)
		switch {
		case o.Test == "" && banner.MatchString(l.Text):
			m := banner.FindStringSubmatch(l.Text)
			o.Test, o.Rest = Test(m[1]), m[2]
		case u != nil:
			o.Unit = strings.ReplaceAll(u[1], " ", "")
		default:
			return heading.MatchString(l.Text) || o.row(l.Text)
		}
		return true
	})
	return parse.Recognised(o, o.Test != "")
}

// row takes a row of numbers: the result, or the other end's sockets below that
// of a request/response test. CPU columns of -c and -C may follow a result.
func (o *Output) row(line string) bool {
	r, ok := &Result{}, false
	switch {
	case o.Test == RequestResponse && o.Result != nil && o.Result.Remote == Sockets{}:
		return pair.Scan(line, &o.Result.Remote.Send, &o.Result.Remote.Receive)
	case o.Result != nil:
	case o.Test == Stream:
		ok = stream.Scan(line, &r.Remote.Receive, &r.Local.Send, &r.Message, &r.Seconds, &r.Rate)
	case o.Test == RequestResponse:
		ok = exchange.Scan(line, &r.Local.Send, &r.Local.Receive, &r.Request, &r.Response, &r.Seconds, &r.Rate)
	}
	if ok {
		o.Result = r
	}
	return ok
}

// BitsPerSecond is a stream's throughput in bit/s; false without a result or
// with a unit that is not known.
func (o *Output) BitsPerSecond() (float64, bool) {
	scale, ok := units[strings.ToLower(o.Unit)]
	if o.Test != Stream || o.Result == nil || !ok {
		return 0, false
	}
	return o.Result.Rate * scale, true
}

// Transactions is a request/response test's rate per second.
func (o *Output) Transactions() (float64, bool) {
	if o.Test != RequestResponse || o.Result == nil {
		return 0, false
	}
	return o.Result.Rate, true
}
