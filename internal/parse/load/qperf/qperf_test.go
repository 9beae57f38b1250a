package qperf_test

import (
	"errors"
	"math"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/load/qperf"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{
		"tcp_lat:\n    latency  =  28.3495 us\n": 28.3495e-6,
		"tcp_lat:\n    latency = 1.5 ms\n":       1.5e-3,
		"    latency  =  950 ns\r\n":             950e-9,
	} {
		if got, err := qperf.Parse([]byte(text)); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "failed to connect\n", "latency = 0 us\n", "latency = 1.2.3 us\n", "latency = 5 furlongs\n"} {
		if got, err := qperf.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %v, %v; want ErrNotRecognised", text, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("tcp_lat:\n    latency  =  28.3495 us\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if v, err := qperf.Parse(text); err == nil && !(v > 0) {
			t.Errorf("got %v without an error", v)
		}
	})
}
