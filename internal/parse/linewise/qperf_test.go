package linewise

import (
	"errors"
	"math"
	"testing"

	"seaworthy/internal/parse"
)

func TestParseQperf(t *testing.T) {
	for text, want := range map[string]float64{
		"tcp_lat:\n    latency  =  28.3495 us\n": 28.3495e-6,
		"tcp_lat:\n    latency = 1.5 ms\n":       1.5e-3,
		"    latency  =  950 ns\r\n":             950e-9,
	} {
		if got, err := ParseQperf([]byte(text)); err != nil || math.Abs(got.Seconds-want) > 1e-12 {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "failed to connect\n", "latency = 0 us\n", "latency = 1.2.3 us\n", "latency = 5 furlongs\n"} {
		if got, err := ParseQperf([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %v, %v; want ErrNotRecognised", text, got, err)
		}
	}
}
