package linewise

import "seaworthy/internal/parse"

// TCPSocketList is netstat -an of AIX or Linux: the TCP connections of a host. Sockets of other protocols are left out.
type TCPSocketList struct {
	parse.Report
	Sockets []*TCPSocket `json:"sockets"`
}

// TCPSocket is a TCP socket.
type TCPSocket struct {
	Received uint64 `from:"recv" json:"received"` // bytes that its program has not read
	Sending  uint64 `from:"send" json:"sending"`  // bytes that the other end has not acknowledged
	Local    string `from:"local" json:"local"`
	Remote   string `from:"remote" json:"remote"`
	State    string `from:"state" json:"state"`
	Line     int    `from:"#" json:"-"` // 1-based
}

var (
	tcpSocketForm = parse.Lazy(`^\s*(?:[0-9a-f]{8,16}\s+)?tcp[46]?\d?\s+(?P<recv>\d+)\s+(?P<send>\d+)\s+(?P<local>\S+)\s+(?P<remote>\S+)` +
		`\s+(?P<state>[A-Z][A-Z_0-9]+)\b.*$`)
	// tcpSocketOther are headings, other sockets, and what -o says of one.
	tcpSocketOther = parse.Lazy(`^\t|^\s*(?:Active\b|Proto\b|PCB/ADDR\b|SADR/PCB\b|udp|raw|icmp|unix|igmp|` +
		`[0-9a-f]{8,16}\s+(?:udp|stream|dgram|\d)|[0-9a-f]{8,16}\s*$)`)
)

var tcpSocketsOutput = &output[TCPSocketList]{
	name: "netstat-an", ignored: tcpSocketOther, ended: true,
	rows: []line[TCPSocketList]{row(tcpSocketForm, func(l *TCPSocketList) *[]*TCPSocket { return &l.Sockets }, nil)},
}

// ParseTCPSockets reads an output; parse.ErrNotRecognised if no line is a TCP socket.
func ParseTCPSockets(text []byte) (*TCPSocketList, error) { return tcpSocketsOutput.parse(text) }
