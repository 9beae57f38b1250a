// Package iperf3 reads the JSON that `iperf3 -J` prints. It only reads: the lab
// has no iperf3 of its own, so there is nothing to print.
package iperf3

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"seaworthy/dialect"
)

// Output is what a TCP run's JSON tells. Pointers are nil where it does not.
type Output struct {
	Version     string
	BitsPerSec  *float64 // read by the receiving end
	Bytes       *uint64
	Seconds     *float64
	Retransmits *uint64 // by the sending end, if its system counts them
	MSS         *int
	Congestion  string
	SendBuffer  *int // bytes as the client's system granted them
	RecvBuffer  *int
	Streams     []Stream
}

// Stream is one connection's share.
type Stream struct {
	Bytes       *uint64
	Retransmits *uint64
	MeanRTT     *float64 // microseconds
}

// document holds the names of iperf3's JSON, version 3.1 and newer.
type document struct {
	Start struct {
		Version   string `json:"version"`
		MSS       *int   `json:"tcp_mss_default"`
		SndActual *int   `json:"sndbuf_actual"`
		RcvActual *int   `json:"rcvbuf_actual"`
	} `json:"start"`
	End *struct {
		Streams []struct {
			Sender   *side `json:"sender"`
			Receiver *side `json:"receiver"`
		} `json:"streams"`
		SumSent     *side  `json:"sum_sent"`
		SumReceived *side  `json:"sum_received"`
		Congestion  string `json:"sender_tcp_congestion"`
	} `json:"end"`
	Error string `json:"error"`
}

type side struct {
	Seconds     *float64 `json:"seconds"`
	Bytes       *uint64  `json:"bytes"`
	BitsPerSec  *float64 `json:"bits_per_second"`
	Retransmits *uint64  `json:"retransmits"`
	MeanRTT     *float64 `json:"mean_rtt"`
}

// RunError is the reason iperf3 itself gave for ending early.
type RunError struct{ Reason string }

func (e *RunError) Error() string { return "iperf3: " + e.Reason }

// Parse reads a run's JSON; what stands before its first brace (a shell's
// message) is passed over. It returns dialect.ErrNotRecognised if the text is
// no iperf3 JSON, and a RunError if iperf3 reports one.
func Parse(text []byte) (*Output, error) {
	start := bytes.IndexByte(text, '{')
	if start < 0 || len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	var d document
	if err := json.NewDecoder(bytes.NewReader(text[start:])).Decode(&d); err != nil {
		return nil, fmt.Errorf("%w: %w", dialect.ErrNotRecognised, err)
	}
	if d.Error != "" {
		return nil, &RunError{Reason: d.Error}
	}
	if d.End == nil || d.Start.Version == "" {
		return nil, dialect.ErrNotRecognised
	}
	got := d.End.SumReceived
	if got == nil || got.BitsPerSec == nil {
		return nil, errors.New("iperf3: the report has no sum_received")
	}
	o := &Output{
		Version: d.Start.Version, MSS: d.Start.MSS, SendBuffer: d.Start.SndActual, RecvBuffer: d.Start.RcvActual, Congestion: d.End.Congestion,
		BitsPerSec: got.BitsPerSec, Bytes: got.Bytes, Seconds: got.Seconds,
	}
	if s := d.End.SumSent; s != nil {
		o.Retransmits = s.Retransmits
	}
	for _, s := range d.End.Streams {
		var one Stream
		if s.Receiver != nil {
			one.Bytes = s.Receiver.Bytes
		}
		if s.Sender != nil {
			one.Retransmits, one.MeanRTT = s.Sender.Retransmits, s.Sender.MeanRTT
		}
		o.Streams = append(o.Streams, one)
	}
	return o, nil
}
