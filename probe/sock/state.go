package sock

import (
	"golang.org/x/sys/unix"
)

// Buffers are the sizes of a connection's socket buffers in bytes as
// getsockopt reports them; nil where the system does not say. Linux reports twice
// what was asked, for its own bookkeeping: half of it is the payload window.
type Buffers struct {
	Send    *int `json:"send,omitempty"`
	Receive *int `json:"receive,omitempty"`
}

// State is what one end of a connection looked like.
type State struct {
	Requested  int      `json:"requested,omitempty"` // bytes asked for; absent: left to the system
	Granted    Buffers  `json:"granted"`             // when the connection stood
	Final      Buffers  `json:"final"`               // when the state was read
	SendCap    string   `json:"send_cap,omitempty"`  // the setting that kept the send buffer below the request, with its value
	ReceiveCap string   `json:"receive_cap,omitempty"`
	Info       TCPState `json:"tcp"`
}

// TCPState is what the kernel says about a connection; nil where it does not.
type TCPState struct {
	MSS          *int    `json:"mss,omitempty"`               // bytes a segment may carry
	Retransmits  *uint64 `json:"retransmits,omitempty"`       // segments sent again since the connection stood
	RTTMicros    *uint64 `json:"rtt_us,omitempty"`            // smoothed
	MinRTTMicros *uint64 `json:"min_rtt_us,omitempty"`        // smallest seen
	Window       *uint64 `json:"cwnd_segments,omitempty"`     // congestion window
	Congestion   string  `json:"congestion,omitempty"`        // algorithm
	BusyMicros   *uint64 `json:"busy_us,omitempty"`           // time with data to send
	PeerLimited  *uint64 `json:"rwnd_limited_us,omitempty"`   // of it, time held back by the peer's receive window
	BufferLimit  *uint64 `json:"sndbuf_limited_us,omitempty"` // of it, time held back by the own send buffer
	Timestamps   *bool   `json:"tcp_timestamps,omitempty"`    // RFC 7323 timestamps in use
}

func (c *Conn) buffers() Buffers {
	var b Buffers
	if n, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_SNDBUF); err == nil {
		b.Send = &n
	}
	if n, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_RCVBUF); err == nil {
		b.Receive = &n
	}
	return b
}

// State reads the connection's state.
func (c *Conn) State() State {
	s := State{Requested: c.options.Window, Granted: c.granted, Final: c.buffers(), Info: c.tcp()}
	s.Info.MSS = c.mss()
	if s.Requested > 0 {
		s.SendCap = capOf("send", s.Requested, s.Granted.Send)
		s.ReceiveCap = capOf("receive", s.Requested, s.Granted.Receive)
	}
	return s
}

// mss asks the one thing that every system reports.
func (c *Conn) mss() *int {
	n, err := unix.GetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_MAXSEG)
	if err != nil || n <= 0 {
		return nil
	}
	return &n
}
