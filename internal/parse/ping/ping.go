// Package ping reads what ping prints, of AIX and of Linux, and lines of other
// programs that print a round trip as it does: "time=0.243 ms".
package ping

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Replies is the output of one ping.
type Replies struct {
	parse.Report
	To       string    `json:"to,omitempty"`
	Times    []float64 `json:"times"`              // ms, in the order of the replies
	Whole    bool      `json:"whole"`              // times were printed as whole milliseconds
	Sent     *int      `json:"sent,omitempty"`     // packets
	Received *int      `json:"received,omitempty"` // packets
	Least    *float64  `json:"least,omitempty"`    // ms: the shortest round trip, as the last line has it
}

var (
	head    = parse.Lazy(`^PING (\S+?):? `)
	reply   = parse.Lazy(`^(?:\d+ bytes from .*[ :])?time[=<](\d+)(\.\d+)? ?ms(?: \(DUP!\))?$`)
	summary = parse.Lazy(`^(\d+) packets transmitted, (\d+) (?:packets )?received`)
	trips   = parse.Lazy(`^(?:round-trip|rtt) min/avg/max\S* = (\d+(?:\.\d+)?)/.* ms`)
	other   = parse.Lazy(`^(?:--- .* ping statistics ---|` +
		`(?:round-trip|rtt) min/avg/max\S* = .* ms.*|From \S+ icmp_seq=\d+ .*|` +
		`(?:ping: )?local error: .*|[Rr]equest timeout.*|` +
		`no answer yet for icmp_seq=\d+|PATTERN: 0x[0-9a-f]+|WARNING: pinging broadcast address|---+.*PING Statistics---+)$`)
)

// Parse reads an output. Errors: parse.ErrNotRecognised if it holds neither a
// reply nor a summary.
func Parse(text []byte) (*Replies, error) {
	r := &Replies{Whole: true}
	r.Read(text, func(l parse.Line) bool {
		s := strings.TrimSpace(l.Text)
		if m := reply.FindStringSubmatch(s); m != nil {
			ms, err := strconv.ParseFloat(m[1]+m[2], 64)
			if err == nil {
				r.Times, r.Whole = append(r.Times, ms), r.Whole && m[2] == ""
			}
			return err == nil
		}
		return r.To == "" && head.Scan(s, &r.To) || summary.Scan(s, &r.Sent, &r.Received) || trips.Scan(s, &r.Least) || other.MatchString(s)
	})
	return parse.Recognised(r, r.Times != nil || r.Sent != nil)
}

// RoundTrip is the median time in ms. It is false without replies, and where
// whole milliseconds are too coarse: AIX prints 0 and 1 for all that a local
// network takes.
func (r *Replies) RoundTrip() (ms float64, ok bool) {
	if len(r.Times) == 0 {
		return 0, false
	}
	list := slices.Sorted(slices.Values(r.Times))
	ms = (list[(len(list)-1)/2] + list[len(list)/2]) / 2
	return ms, ms > 0 && (!r.Whole || ms >= 5)
}
