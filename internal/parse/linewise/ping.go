package linewise

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// PingReplies is the output of one ping, of AIX or of Linux, or of another program that prints a round trip as it does:
// "time=0.243 ms".
type PingReplies struct {
	parse.Report
	To       string    `json:"to,omitempty"`
	Address  string    `json:"address,omitempty"`  // that To stands for, where it is printed
	Data     *int      `json:"data,omitempty"`     // bytes of each packet without the headers of IP and ICMP
	Times    []float64 `json:"times"`              // ms, in the order of the replies
	Whole    bool      `json:"whole"`              // times were printed as whole milliseconds
	Sent     *int      `json:"sent,omitempty"`     // packets
	Received *int      `json:"received,omitempty"` // packets
	Twice    *int      `json:"twice,omitempty"`    // answers that came again; nil: none
	Least    *float64  `json:"least,omitempty"`    // ms: the shortest round trip, as the last line has it
	// TooLarge is the MTU, in bytes, by which a router, or the sender itself, refused packets that must not be cut.
	TooLarge *int   `json:"too_large,omitempty"`
	Refused  string `json:"refused,omitempty"` // the router; empty: the sender
	// Unrouted is the line, 1-based, that says that the host has no route to the address; 0: none does.
	Unrouted int `json:"-"`

	fractions bool // a time has decimal places
}

var (
	pingStamp = parse.Lazy(`^\[\d+\.\d+\] `) // with -D: seconds since 1970
	pingHead  = parse.Lazy(`^PING (\S+?):? `)
	// PING b (192.0.2.27) 8972(9000) bytes of data. PING b (192.0.2.27): 8972 data bytes
	pingTarget  = parse.Lazy(`^PING \S+ \(([0-9a-fA-F.:]+)(?:%\w+)?\)`)
	pingSize    = parse.Lazy(`^PING .*?(?: |: )(\d{1,5})(?:\(\d+\))? (?:data )?bytes`)
	pingFrag    = parse.Lazy(`^From (\S+?)(?: \(\S+\))?:? icmp_seq=\d+ (?:Frag needed and DF set|Packet too big)[ :(]+mtu ?= ?(\d{2,5})`)
	pingLong    = parse.Lazy(`^(?:ping: )?(?:local error|sendmsg): Message too long,? mtu ?[=:] ?(\d{2,5})`)
	pingReply   = parse.Lazy(`^(?:\d+ bytes from .*[ :])?time[=<](\d+)(\.\d+)? ?ms(?: \(DUP!\))?$`)
	pingNoRoute = parse.Lazy(`^(?:0821-069 )?(?:ping: )?(?:sendto|sendmsg|connect): ` +
		`(?:Cannot reach the destination network|A route to the remote host is not available|Network is unreachable|No route to host)\b`)
	pingWrote   = parse.Lazy(`^ping: wrote \S+ \d+ chars, ret=-?\d+$`)
	pingSummary = parse.Lazy(`^(\d+) packets transmitted, (\d+) (?:packets )?received(?:, \+(\d+) duplicates)?`)
	pingTrips   = parse.Lazy(`^(?:round-trip|rtt) min/avg/max\S* = (\d+(?:\.\d+)?)/.* ms`)
	pingOther   = parse.Lazy(`^(?:--- .* ping statistics ---|pipe \d+|` +
		`(?:round-trip|rtt) min/avg/max\S* = .* ms.*|From \S+ icmp_seq=\d+ .*|` +
		`(?:ping: )?local error: .*|[Rr]equest timeout.*|` +
		`no answer yet for icmp_seq=\d+|PATTERN: 0x[0-9a-f]+|WARNING: pinging broadcast address|---+.*PING Statistics---+)$`)
)

var pingOutput = &output[PingReplies]{
	name: "ping",
	rows: []line[PingReplies]{
		(*PingReplies).readTime,
		(*PingReplies).readHead,
		(*PingReplies).readNoRoute,
		func(r *PingReplies, l parse.Line) bool {
			s := pingText(l)
			return pingFrag.Scan(s, &r.Refused, &r.TooLarge) || pingLong.Scan(s, &r.TooLarge)
		},
		func(r *PingReplies, l parse.Line) bool {
			s := pingText(l)
			return pingSummary.Scan(s, &r.Sent, &r.Received, &r.Twice) || pingTrips.Scan(s, &r.Least) ||
				pingOther.MatchString(s) || pingWrote.MatchString(s)
		},
	},
	finish: func(r *PingReplies) {
		r.Whole = r.Times != nil && !r.fractions
		for _, w := range r.Warnings { // AIX gives the message a number, as it does to all
			text, ok := w.Message()
			if ok {
				r.readNoRoute(parse.Line{Text: text, Number: w.Number})
			}
		}
	},
	// One that was cut off before its first answer, or that nothing answers, has its first line alone.
	recognised: func(r *PingReplies) bool {
		return r.Times != nil || r.Sent != nil || r.Unrouted > 0 || r.Address != "" && r.Data != nil
	},
}

// ParsePing reads an output; parse.ErrNotRecognised if it holds neither a first line, a reply nor a
// summary, nor says that there is no route.
func ParsePing(text []byte) (*PingReplies, error) { return pingOutput.parse(text) }

// pingText is a line without the time that -D puts before it.
func pingText(l parse.Line) string {
	text := strings.TrimSpace(l.Text)
	return text[len(pingStamp.Regexp().FindString(text)):]
}

// readHead reads the first line.
func (r *PingReplies) readHead(l parse.Line) bool {
	s := pingText(l)
	if r.To != "" || !pingHead.Scan(s, &r.To) {
		return false
	}
	pingTarget.Scan(s, &r.Address)
	pingSize.Scan(s, &r.Data)
	return true
}

// readNoRoute reads what ping says where the host has no route.
func (r *PingReplies) readNoRoute(l parse.Line) bool {
	if !pingNoRoute.MatchString(pingText(l)) {
		return false
	}
	if r.Unrouted == 0 {
		r.Unrouted = l.Number
	}
	return true
}

// readTime reads the line of a reply.
func (r *PingReplies) readTime(l parse.Line) bool {
	m := pingReply.FindStringSubmatch(pingText(l))
	if m == nil {
		return false
	}
	ms, err := strconv.ParseFloat(m[1]+m[2], 64)
	if err != nil {
		return false
	}
	r.Times = append(r.Times, ms)
	if m[2] != "" {
		r.fractions = true
	}
	return true
}

// RoundTrip is the median time in ms. It is false without replies, and where
// whole milliseconds are too coarse: AIX prints 0 and 1 for all that a local
// network takes.
func (r *PingReplies) RoundTrip() (ms float64, ok bool) {
	if len(r.Times) == 0 {
		return 0, false
	}
	list := slices.Sorted(slices.Values(r.Times))
	ms = (list[(len(list)-1)/2] + list[len(list)/2]) / 2
	return ms, ms > 0 && (!r.Whole || ms >= 5)
}
