package netperf

import (
	"fmt"
	"strconv"

	"seaworthy/dialect"
)

// StreamHeading stands above the result of TCP_STREAM; unit is one of netperf's.
func StreamHeading(unit string) []Line {
	return text(
		"Recv   Send    Send                          ",
		"Socket Socket  Message  Elapsed              ",
		"Size   Size    Size     Time     Throughput  ",
		"bytes  bytes   bytes    secs.    "+unit+"  ",
		"")
}

// RRHeading stands above the result of TCP_RR.
func RRHeading() []Line {
	return text(
		"Local /Remote",
		"Socket Size   Request  Resp.   Elapsed  Trans.",
		"Send   Recv   Size     Size    Time     Rate         ",
		"bytes  Bytes  bytes    bytes   secs.    per sec   ",
		"")
}

func text(lines ...string) []Line {
	var all []Line
	for _, l := range lines {
		all = append(all, Line{Text: l})
	}
	return all
}

// Format prints an output. Lines that Parse made come out as they were, others
// in netperf's own layout.
func Format(o *Output) []byte {
	t := dialect.Text{CRLF: o.CRLF, NoFinal: o.NoFinal}
	for _, l := range o.Rows {
		t.Lines = append(t.Lines, formatLine(l))
	}
	if len(t.Lines) == 0 {
		return nil
	}
	return t.Join()
}

func formatLine(l Line) string {
	switch {
	case l.Banner != nil:
		return l.Banner.String()
	case l.Stream != nil:
		return l.Stream.String()
	case l.RR != nil:
		return l.RR.String()
	case l.Remote != nil:
		return l.Remote.String()
	}
	return l.Text
}

func (b *Banner) String() string {
	migrated := ""
	if b.Migrated {
		migrated = "MIGRATED "
	}
	if b.gaps != nil {
		return b.gaps.Join(migrated, string(b.Test), b.Rest)
	}
	return migrated + string(b.Test) + " TEST" + b.Rest
}

func (r *StreamRow) String() string {
	if r.gaps != nil {
		return r.gaps.Join(strconv.Itoa(r.ReceiveSocket), strconv.Itoa(r.SendSocket), strconv.Itoa(r.Message), r.Seconds.String(), r.Throughput.String(), r.Rest)
	}
	return fmt.Sprintf("%6d %6d %6d    %-6s   %7s   %s", r.ReceiveSocket, r.SendSocket, r.Message, r.Seconds, r.Throughput, r.Rest)
}

func (r *RRRow) String() string {
	if r.gaps != nil {
		return r.gaps.Join(strconv.Itoa(r.SendSocket), strconv.Itoa(r.ReceiveSocket), strconv.Itoa(r.Request), strconv.Itoa(r.Response), r.Seconds.String(), r.Rate.String(), r.Rest)
	}
	return fmt.Sprintf("%-6d %-6d %-6d   %-6d  %-6s   %7s   %s", r.SendSocket, r.ReceiveSocket, r.Request, r.Response, r.Seconds, r.Rate, r.Rest)
}

func (r *RemoteRow) String() string {
	if r.gaps != nil {
		return r.gaps.Join(strconv.Itoa(r.SendSocket), strconv.Itoa(r.ReceiveSocket))
	}
	return fmt.Sprintf("%-6d %-6d", r.SendSocket, r.ReceiveSocket)
}
