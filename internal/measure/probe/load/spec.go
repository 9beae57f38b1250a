// Package load makes TCP load: streams that write as fast as the path takes
// it, and sessions that ask and answer. One end listens, the other connects;
// either end may be the one that sends.
//
// Every connection has a goroutine of its own in blocking system calls, as one
// process or thread per session has in the tools of the field. A connection
// starts with the trial's token, so that a stranger's connection to the
// measured port is closed and never counted.
package load

import (
	"encoding/hex"
	"fmt"
)

// Kind of a load.
type Kind string

const (
	Stream          Kind = "stream" // bulk data in one direction
	RequestResponse Kind = "rr"     // one request, one response, then the next
)

// Limits of a Spec: a message on the control channel must not make the helper
// take more of a host than a trial needs.
const (
	MaxConnections = 1024
	MaxMessage     = 64 << 20 // bytes of one write, request or response
	MaxWindow      = 1 << 30
	MaxSeconds     = 24 * 3600
	MaxRate        = 1e6 // requests/s
	tokenLength    = 16
)

// Spec holds what one end of a load does. Both ends of a trial get the same one,
// but for Window and Initiate, which each end has for itself.
type Spec struct {
	Kind        Kind    `json:"kind"`
	Connections int     `json:"connections"`        // streams or sessions
	Send        bool    `json:"send,omitempty"`     // stream: this end writes; rr: this end asks
	Write       int     `json:"write,omitempty"`    // stream: bytes per write
	Request     int     `json:"request,omitempty"`  // rr: bytes
	Response    int     `json:"response,omitempty"` // rr: bytes
	Rate        float64 `json:"rate,omitempty"`     // rr: requests/s of all connections together; 0: each after the answer before it
	Window      int     `json:"window,omitempty"`   // bytes asked of both socket buffers; 0: left to the system
	NoDelay     bool    `json:"nodelay,omitempty"`
	Limit       float64 `json:"limit"` // seconds after which the load ends by itself
	Token       string  `json:"token"` // 32 hexadecimal digits, the trial's own
}

// Check says what is wrong with a spec.
func (s *Spec) Check() error {
	within := func(name string, n, least, most int) error {
		if n < least || n > most {
			return fmt.Errorf("%s is %d, must be %d to %d", name, n, least, most)
		}
		return nil
	}
	errs := []error{within("connections", s.Connections, 1, MaxConnections), within("window", s.Window, 0, MaxWindow)}
	switch s.Kind {
	case Stream:
		errs = append(errs, within("write", s.Write, 1, MaxMessage))
	case RequestResponse:
		errs = append(errs, within("request", s.Request, 1, MaxMessage), within("response", s.Response, 1, MaxMessage))
	default:
		errs = append(errs, fmt.Errorf("kind is %q, must be stream or rr", s.Kind))
	}
	if !(s.Rate >= 0 && s.Rate <= MaxRate) || s.Rate > 0 && s.Kind != RequestResponse {
		errs = append(errs, fmt.Errorf("rate is %v/s, must be 0 to %.0f, of rr only", s.Rate, float64(MaxRate)))
	}
	if !(s.Limit > 0 && s.Limit <= MaxSeconds) {
		errs = append(errs, fmt.Errorf("limit is %v s, must be above 0 and at most %d", s.Limit, MaxSeconds))
	}
	if b, err := hex.DecodeString(s.Token); err != nil || len(b) != tokenLength {
		errs = append(errs, fmt.Errorf("token must be %d hexadecimal digits", 2*tokenLength))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
