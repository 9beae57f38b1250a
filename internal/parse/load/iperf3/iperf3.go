// Package iperf3 reads the JSON that `iperf3 -J` prints.
package iperf3

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"seaworthy/internal/parse"
)

// Output holds what the JSON of a TCP run says. Pointers are nil where it says
// nothing.
type Output struct {
	BitsPerSec  *float64 // read by the receiving end
	Bytes       *uint64
	Seconds     *float64
	Retransmits *uint64 // by the sending end, if its system counts them
	Streams     []Stream
	// What all connections brought to the receiving end, by time, without what -O
	// omits; none if neither the JSON nor the server's in it is of that end.
	Intervals []Interval
}

// Stream is one connection's share.
type Stream struct{ Bytes *uint64 }

// Interval is a part of the measured time, in s.
type Interval struct {
	Start, End float64
	Bytes      uint64
}

// document holds the names of iperf3's JSON, version 3.1 and newer.
type document struct {
	Start struct {
		Version string `json:"version"`
		Test    struct {
			Reverse int `json:"reverse"`
		} `json:"test_start"`
	} `json:"start"`
	Intervals []interval `json:"intervals"`
	Server    struct {
		Intervals []interval `json:"intervals"`
	} `json:"server_output_json"` // with --get-server-output of a server with -J
	End *struct {
		Streams []struct {
			Receiver side `json:"receiver"`
		} `json:"streams"`
		SumSent     side  `json:"sum_sent"`
		SumReceived *side `json:"sum_received"`
	} `json:"end"`
	Error string `json:"error"`
}

type interval struct {
	Sum struct {
		Start   *float64 `json:"start"`
		End     *float64 `json:"end"`
		Bytes   *uint64  `json:"bytes"`
		Omitted bool     `json:"omitted"`
	} `json:"sum"`
}

type side struct {
	Seconds     *float64 `json:"seconds"`
	Bytes       *uint64  `json:"bytes"`
	BitsPerSec  *float64 `json:"bits_per_second"`
	Retransmits *uint64  `json:"retransmits"`
}

// RunError is the reason iperf3 itself gave for ending early.
type RunError struct{ Reason string }

func (e *RunError) Error() string { return "iperf3: " + e.Reason }

// Parse reads a run's JSON and passes over what a shell printed before its
// first brace. It returns parse.ErrNotRecognised if the text is not JSON of
// iperf3, and a RunError if iperf3 reports one.
func Parse(text []byte) (*Output, error) {
	start := bytes.IndexByte(text, '{')
	if start < 0 || len(text) > parse.MaxText {
		return nil, parse.ErrNotRecognised
	}
	var d document
	if err := json.NewDecoder(bytes.NewReader(text[start:])).Decode(&d); err != nil {
		return nil, fmt.Errorf("%w: %w", parse.ErrNotRecognised, err)
	}
	switch {
	case d.Error != "":
		return nil, &RunError{Reason: d.Error}
	case d.End == nil || d.Start.Version == "":
		return nil, parse.ErrNotRecognised
	case d.End.SumReceived == nil || d.End.SumReceived.BitsPerSec == nil:
		return nil, errors.New("iperf3: the report has no sum_received")
	}
	got := d.End.SumReceived
	o := &Output{BitsPerSec: got.BitsPerSec, Bytes: got.Bytes, Seconds: got.Seconds, Retransmits: d.End.SumSent.Retransmits}
	for _, s := range d.End.Streams {
		o.Streams = append(o.Streams, Stream{s.Receiver.Bytes})
	}
	receiver := d.Server.Intervals
	if d.Start.Test.Reverse != 0 {
		receiver = d.Intervals
	}
	for _, i := range receiver {
		if s := i.Sum; s.Start != nil && s.End != nil && s.Bytes != nil && !s.Omitted {
			o.Intervals = append(o.Intervals, Interval{*s.Start, *s.End, *s.Bytes})
		}
	}
	return o, nil
}
