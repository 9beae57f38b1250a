package netperf_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/load/layout"
	"seaworthy/dialect/load/netperf"
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
		if diff := cmp.Diff(string(text), string(netperf.Format(o))); diff != "" {
			t.Errorf("%s: Format(Parse(text)) differs (-want +got):\n%s", name, diff)
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
	if _, err := netperf.Parse([]byte("netperf: not found\n")); !errors.Is(err, dialect.ErrNotRecognised) {
		t.Errorf("got %v, want ErrNotRecognised", err)
	}
}

// What the lab's netperf makes from values is the sample, byte for byte.
func TestFormatNew(t *testing.T) {
	two := func(v float64) layout.Number { return layout.Number{Value: v, Decimals: 2} }
	from := " from 0.0.0.0 (0.0.0.0) port 0 AF_INET to lpar2 () port 0 AF_INET"
	stream := &netperf.Output{Rows: []netperf.Line{{Banner: &netperf.Banner{Migrated: true, Test: netperf.Stream, Rest: from}}}}
	stream.Rows = append(stream.Rows, netperf.StreamHeading("10^6bits/sec")...)
	stream.Rows = append(stream.Rows, netperf.Line{Stream: &netperf.StreamRow{ReceiveSocket: 262144, SendSocket: 262144, Message: 65536, Seconds: two(10.01), Throughput: two(4012.55)}})
	rr := &netperf.Output{Rows: []netperf.Line{{Banner: &netperf.Banner{Migrated: true, Test: netperf.RequestResponse, Rest: from + " : nodelay : first burst 0"}}}}
	rr.Rows = append(rr.Rows, netperf.RRHeading()...)
	rr.Rows = append(rr.Rows, netperf.Line{RR: &netperf.RRRow{SendSocket: 16384, ReceiveSocket: 87380, Request: 700, Response: 700, Seconds: two(60), Rate: two(5200.12)}},
		netperf.Line{Remote: &netperf.RemoteRow{SendSocket: 16384, ReceiveSocket: 87380}})
	for name, o := range map[string]*netperf.Output{"stream.txt": stream, "rr.txt": rr} {
		want, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(netperf.Format(o))); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
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
		if got := netperf.Format(o); !bytes.Equal(got, text) {
			t.Errorf("Format(Parse(text)): got %q, want %q", got, text)
		}
		o.BitsPerSecond()
	})
}
