// Package probe is the helper that makes load at the two ends of a path and
// reads the meters of a host: what cmd/seaworthy-probe runs on an endpoint, and
// the client with which a controller talks to it.
//
// The controller starts the helper in a remote session. Control is one JSON
// object a line on the helper's stdin and stdout; the helper opens no other
// port than the one that carries the measured load, and ends with its stdin.
//
// A trial goes: listen at one end, connect at the other, wait for the warm-up
// to pass, begin on every host, wait, end on every host, stop. Everything
// between begin and end is measured on the clock of the host that measures
// it, while the load runs on, so that no clocks need to agree and neither the
// start nor the end of the load falls into the figures.
//
// The parts are packages of their own: sock (TCP sockets, their buffers and
// TCP_INFO), load (stream and request/response loops), meter (CPU of the host), whole
// (packets that must not be fragmented).
package probe

import (
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/measure/probe/whole"
)

// Protocol is the version of the messages below. A controller uses a helper
// only if both speak the same one.
const Protocol = 3

// MaxLine is the longest message either side reads, in bytes.
const MaxLine = 4 << 20

// Hello is the helper's first line.
type Hello struct {
	Program  string `json:"program"` // always "seaworthy-probe"
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	OS       string `json:"os"`   // GOOS of the helper
	Arch     string `json:"arch"` // GOARCH of the helper
	PID      int    `json:"pid"`
	CPUs     int    `json:"cpus,omitempty"`  // logical CPUs online
	Scope    string `json:"scope,omitempty"` // whose CPU the meter reads, see meter.Usage
}

// Op holds what a request asks for.
type Op string

const (
	OpListen  Op = "listen"  // open the measured port; the answer carries it
	OpConnect Op = "connect" // connect to a listening helper and start the load
	OpBegin   Op = "begin"   // start of the measured interval
	OpSoFar   Op = "so far"  // a look at the interval; the answer carries the report until now
	OpEnd     Op = "end"     // its end; the answer carries the report
	OpPacket  Op = "packet"  // send a packet that must not be fragmented; the answer carries what became of it
	OpStop    Op = "stop"    // end a load; the answer carries its sockets and latencies
)

// Request is one line from the controller.
type Request struct {
	ID      int        `json:"id"`
	Op      Op         `json:"op"`
	Load    *load.Spec `json:"load,omitempty"`    // listen, connect
	Number  int        `json:"number,omitempty"`  // listen, connect, stop: which of the helper's loads
	Address string     `json:"address,omitempty"` // listen: where to bind, "" for all; connect: the peer, a name or an IP address
	Port    int        `json:"port,omitempty"`    // listen: 0 for any free one
	Seconds float64    `json:"seconds,omitempty"` // begin: expected length of the interval
	NoCPU   bool       `json:"no_cpu,omitempty"`  // begin: do not meter the host's CPU
	Size    int        `json:"size,omitempty"`    // packet: bytes of the IP packet to Address
}

// Reply answers the request of the same ID; ID 0 answers a line that was no request.
type Reply struct {
	ID     int           `json:"id"`
	Error  string        `json:"error,omitempty"`
	Port   int           `json:"port,omitempty"`   // listen
	Report *Report       `json:"report,omitempty"` // so far, end
	Final  *load.Summary `json:"final,omitempty"`  // stop
	Packet whole.Outcome `json:"packet,omitempty"` // packet
}

// Report is one host's view of the measured interval.
type Report struct {
	Seconds  float64                `json:"seconds"`             // by this host's clock
	Loads    map[int]*load.Interval `json:"loads,omitempty"`     // by number; none if this host makes no load
	CPU      *meter.Usage           `json:"cpu,omitempty"`       // absent if the host's CPU cannot be read
	CPUError string                 `json:"cpu_error,omitempty"` // why it is absent
	Self     *meter.SelfUsage       `json:"self,omitempty"`      // CPU of the helper itself
}
