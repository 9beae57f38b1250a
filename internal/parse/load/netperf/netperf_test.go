package netperf_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/load/netperf"
)

func TestSamples(t *testing.T) {
	none := math.NaN()
	tests := map[string]struct {
		test      netperf.Test
		bits, tps float64
		unknown   int
	}{
		"stream.txt":     {netperf.Stream, 4012.55e6, none, 0},
		"stream_cpu.txt": {netperf.Stream, 1048576 * 8192, none, 0},
		"rr.txt":         {netperf.RequestResponse, none, 5200.12, 0},
		"died.txt":       {netperf.Stream, none, none, 1},
	}
	for name, want := range tests {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		o, err := netperf.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		check := func(what string, got float64, ok bool, want float64) {
			if ok == math.IsNaN(want) || ok && math.Abs(got-want) > 1 {
				t.Errorf("%s: got %s %v %v, want %v", name, what, got, ok, want)
			}
		}
		bits, ok := o.BitsPerSecond()
		check("bit/s", bits, ok, want.bits)
		tps, ok := o.Transactions()
		check("transactions/s", tps, ok, want.tps)
		if o.Test != want.test || len(o.Unknown) != want.unknown {
			t.Errorf("%s: got test %s, unknown %v; want %s and %d", name, o.Test, o.Unknown, want.test, want.unknown)
		}
	}
	if _, err := netperf.Parse([]byte("netperf: not found\n")); !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("got %v, want ErrNotRecognised", err)
	}
}

func FuzzParse(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txt")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := netperf.Parse(text)
		if err != nil {
			return
		}
		o.BitsPerSecond()
	})
}
