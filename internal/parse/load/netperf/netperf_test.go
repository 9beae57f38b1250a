package netperf_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// What is printed from values is the sample, byte for byte.
func TestFormat(t *testing.T) {
	from := " from 0.0.0.0 (0.0.0.0) port 0 AF_INET to lpar2 () port 0 AF_INET"
	stream := &netperf.Output{Test: netperf.Stream, Rest: from, Unit: "10^6bits/sec", Result: &netperf.Result{
		Local: netperf.Sockets{Send: 262144}, Remote: netperf.Sockets{Receive: 262144}, Message: 65536, Seconds: 10.01, Rate: 4012.55}}
	ends := netperf.Sockets{Send: 16384, Receive: 87380}
	rr := &netperf.Output{Test: netperf.RequestResponse, Rest: from + " : nodelay : first burst 0", Result: &netperf.Result{
		Local: ends, Remote: ends, Request: 700, Response: 700, Seconds: 60, Rate: 5200.12}}
	for name, o := range map[string]*netperf.Output{"stream.txt": stream, "rr.txt": rr} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(netperf.Format(o, false))); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
		back, err := netperf.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(o.Result, back.Result); diff != "" {
			t.Errorf("%s read back (-want +got):\n%s", name, diff)
		}
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
