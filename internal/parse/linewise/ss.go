package linewise

import (
	"net/netip"

	"seaworthy/internal/parse"
)

// SocketList is ss -t of Linux: connections of TCP, with -i below each what the kernel knows of it.
type SocketList struct {
	parse.Report
	Sockets []*Socket `json:"sockets"`
}

// Socket is a connection. Its state is empty where ss was asked for those of one state.
type Socket struct {
	State    string         `json:"state"`
	Received uint64         `json:"received"` // bytes that its program has not read
	Sending  uint64         `json:"sending"`  // bytes that the peer has not acknowledged
	Peer     netip.AddrPort `json:"peer,omitzero"`
	LeastRTT *float64       `json:"least_rtt,omitempty"` // ms
	Held     *float64       `json:"held,omitempty"`      // percent of its busy time in which the peer's window held it back
	MSS      *uint64        `json:"mss,omitempty"`       // bytes of data in a segment that it sends
	Line     int            `json:"-"`                   // 1-based
}

var (
	socketHead = parse.Lazy(`^\s*(?:Netid\s+)?(?:State\s+)?Recv-Q\s+Send-Q\s`)
	socketLine = parse.Lazy(`^(?:tcp\s+)?(?:([A-Z][A-Z0-9-]+)\s+)?(\d+)\s+(\d+)\s+\S+\s+(\S+?)(?:\s+\S.*)?\s*$`)
	heldBack   = parse.Lazy(`\brwnd_limited:\d+ms\((\d+(?:\.\d+)?)%\)`)
	socketMore = parse.Lazy(`^\s+\S.*\b(?:cwnd|rto|mss):\d`)
	socketMSS  = parse.Lazy(`(?:^|\s)mss:(\d{1,6})\b`)
	leastRTT   = parse.Lazy(`\bminrtt:(\d+(?:\.\d+)?)`)
	anyRTT     = parse.Lazy(`\brtt:(\d+(?:\.\d+)?)/`)
)

var socketsOutput = &output[SocketList]{
	name:       "ss",
	ignored:    socketHead,
	rows:       []line[SocketList]{(*SocketList).readSocket, (*SocketList).readMore},
	ended:      true,
	recognised: func(s *SocketList) bool { return len(s.Sockets) > 0 },
}

// ParseSockets reads an output; parse.ErrNotRecognised if no line is a connection.
func ParseSockets(text []byte) (*SocketList, error) { return socketsOutput.parse(text) }

func (s *SocketList) readSocket(l parse.Line) bool {
	x, peer := &Socket{Line: l.Number}, ""
	if !socketLine.Scan(l.Text, &x.State, &x.Received, &x.Sending, &peer) {
		return false
	}
	x.Peer, _ = netip.ParseAddrPort(peer)
	s.Sockets = append(s.Sockets, x)
	return true
}

func (s *SocketList) readMore(l parse.Line) bool {
	if len(s.Sockets) == 0 || !socketMore.MatchString(l.Text) {
		return false
	}
	last := s.Sockets[len(s.Sockets)-1]
	if !leastRTT.Scan(l.Text, &last.LeastRTT) {
		anyRTT.Scan(l.Text, &last.LeastRTT)
	}
	heldBack.Scan(l.Text, &last.Held)
	socketMSS.Scan(l.Text, &last.MSS)
	return true
}
