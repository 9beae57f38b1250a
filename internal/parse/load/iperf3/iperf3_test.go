package iperf3_test

import (
	"errors"
	"slices"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/load/iperf3"
)

const run = `sh: warning
{"start":{"version":"iperf 3.12","tcp_mss_default":1448,"sndbuf_actual":16384},
 "end":{"streams":[{"sender":{"bytes":11,"retransmits":2,"mean_rtt":99},"receiver":{"bytes":10}},{"sender":{"bytes":21,"retransmits":1},"receiver":{"bytes":20}}],
 "sum_sent":{"bytes":32,"retransmits":3},"sum_received":{"seconds":2.5,"bytes":30,"bits_per_second":96},"sender_tcp_congestion":"cubic"}}
`

func TestParse(t *testing.T) {
	o, err := iperf3.Parse([]byte(run))
	if err != nil {
		t.Fatal(err)
	}
	if *o.BitsPerSec != 96 || *o.Bytes != 30 || *o.Seconds != 2.5 || *o.Retransmits != 3 {
		t.Errorf("got %+v, want the figures of the end", o)
	}
	if len(o.Streams) != 2 || *o.Streams[1].Bytes != 20 {
		t.Errorf("got streams %+v, want two", o.Streams)
	}
}

// Only the receiving end's intervals say what arrived: a server's, or with -R the client's own.
func TestIntervals(t *testing.T) {
	const end = `"end":{"streams":[],"sum_sent":{},"sum_received":{"bits_per_second":8}}`
	const sent = `"intervals":[{"sum":{"start":0,"end":1,"bytes":900,"omitted":false}}]`
	const got = `[{"sum":{"start":0,"end":0.5,"bytes":7,"omitted":true}},{"sum":{"start":0,"end":1.25,"bytes":100}},{"sum":{"start":1.25}}]`
	forward, reverse := `{"start":{"version":"iperf 3.12"},`, `{"start":{"version":"iperf 3.12","test_start":{"reverse":1}},`
	for text, want := range map[string][]iperf3.Interval{
		forward + sent + `,` + end + `}`:                                                nil,
		forward + sent + `,` + end + `,"server_output_json":{"intervals":` + got + `}}`: {{End: 1.25, Bytes: 100}},
		forward + sent + `,` + end + `,"server_output_text":"Server listening"}`:        nil,
		reverse + `"intervals":` + got + `,` + end + `}`:                                {{End: 1.25, Bytes: 100}},
	} {
		if o, err := iperf3.Parse([]byte(text)); err != nil || !slices.Equal(o.Intervals, want) {
			t.Errorf("%s: got %+v, %v; want %+v", text, o, err, want)
		}
	}
}

func TestFailures(t *testing.T) {
	var refused *iperf3.RunError
	_, err := iperf3.Parse([]byte(`{"start":{"version":"iperf 3.12"},"end":{},"error":"unable to connect to server: Connection refused"}`))
	if !errors.As(err, &refused) {
		t.Errorf("error report: got %v, want a RunError", err)
	}
	for _, text := range []string{"", "iperf3: not found", "{", `{"start":{}}`, `{"start":{"version":"iperf 3.12"}}`} {
		if _, err := iperf3.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %v, want ErrNotRecognised", text, err)
		}
	}
	if _, err := iperf3.Parse([]byte(`{"start":{"version":"iperf 3.12"},"end":{"streams":[]}}`)); err == nil {
		t.Error("no sum: got no error, want one: nothing measured is not zero")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(run))
	f.Add([]byte(`{"end":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if o, err := iperf3.Parse(text); err == nil && o.BitsPerSec == nil {
			t.Error("got a report without a figure and without an error")
		}
	})
}
