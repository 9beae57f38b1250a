package traffic

import (
	"encoding/json"
	"fmt"
	"io"

	"seaworthy/probe/load"
	"seaworthy/probe/sock"
)

// netperfPort is where netserver listens.
const netperfPort = 12865

// controlLimit bounds what a peer may send on the control connection, in bytes.
const controlLimit = 64 << 10

// The control connection: the client sends an order, the server answers with
// a place, both make the load, the client sends a finish, the server answers
// with an account.
type (
	order struct {
		Netperf int       `json:"netperf"` // version of these messages
		Load    load.Spec `json:"load"`
	}
	place struct {
		Error   string       `json:"error,omitempty"`
		Port    int          `json:"port,omitempty"`
		Buffers sock.Buffers `json:"buffers"` // of a socket as the test begins
	}
	finish struct {
		Finish bool `json:"finish"`
	}
	account struct {
		Error    string  `json:"error,omitempty"`
		Seconds  float64 `json:"seconds"`
		Received uint64  `json:"received"`
	}
)

const netperfVersion = 1

// control is one end of a control connection.
type control struct {
	dec *json.Decoder
	enc *json.Encoder
}

func newControl(c io.ReadWriter) *control {
	return &control{dec: json.NewDecoder(io.LimitReader(c, controlLimit)), enc: json.NewEncoder(c)}
}

func (c *control) send(v any) error {
	if err := c.enc.Encode(v); err != nil {
		return fmt.Errorf("control connection: %w", err)
	}
	return nil
}

func (c *control) receive(v any) error {
	if err := c.dec.Decode(v); err != nil {
		return fmt.Errorf("control connection: %w", err)
	}
	return nil
}
