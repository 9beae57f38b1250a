package iperf2_test

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/load/iperf2"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[iperf2.Output]{Parse: iperf2.Parse, Report: func(o *iperf2.Output) *parse.Report { return &o.Report }}

func TestSamples(t *testing.T) {
	tests := map[string]struct {
		unknown int
		totals  int
		bits    float64
	}{
		"client_21_parallel.txt": {0, 2, 9.54e9},
		"client_21_enhanced.txt": {0, 1, 4.74e9},
		"server_20.txt":          {0, 2, 2.5e9 + 8*11*1024*1024},
		"copied_crlf.txt":        {1, 1, 2.5e9},
	}
	for name, want := range tests {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		o, err := iperf2.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(o.Unknown) != want.unknown || len(o.Totals()) != want.totals {
			t.Errorf("%s: got %d unknown lines %v and %d totals, want %d and %d", name, len(o.Unknown), o.Unknown, len(o.Totals()), want.unknown, want.totals)
		}
		if got, ok := o.Total(); !ok || math.Abs(got-want.bits) > 1 {
			t.Errorf("%s: got total %v %v, want %v", name, got, ok, want.bits)
		}
	}
}

// The text of a server with -i: the third interval of one connection is missing.
func TestSteps(t *testing.T) {
	text, err := os.ReadFile("testdata/server_21_intervals.txt")
	if err != nil {
		t.Fatal(err)
	}
	o, err := iperf2.Parse(text)
	if err != nil || len(o.Unknown) > 0 {
		t.Fatalf("got unknown lines %v, %v", o.Unknown, err)
	}
	until, carried := o.Steps()
	if want := []float64{0.5, 1.0}; !slices.Equal(until, want) {
		t.Errorf("got ends %v, want %v", until, want)
	}
	if want := []float64{(1344089 + 1281827) * 1024, (1484775 + 1281560) * 1024}; !slices.Equal(carried, want) {
		t.Errorf("got bytes %v, want %v", carried, want)
	}
	if o, err = iperf2.Parse([]byte("[  4]  0.0-60.0 sec  17.5 GBytes  2.50 Gbits/sec\n")); err != nil {
		t.Fatal(err)
	}
	until, carried = o.Steps()
	if until != nil || carried != nil {
		t.Errorf("without -i: got %v, %v, want none", until, carried)
	}
}

func TestNotIperf(t *testing.T) {
	for _, text := range []string{"", "iperf: not found\n", "------------------------------------------------------------\n"} {
		if _, err := iperf2.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "iperf/*") }
func TestFast(t *testing.T)   { codec.Fast(t, "[  2] 0.0000-1.0000 sec   572 MBytes  4.80 Gbits/sec\n") }

func TestAmounts(t *testing.T) {
	for a, want := range map[iperf2.Amount]float64{
		{Value: 1023, Unit: "Bytes"}: 1023, {Value: 1, Unit: "GBytes"}: 1 << 30, {Value: 512, Unit: "KByte"}: 512 << 10, {Value: 1, Unit: "furlongs"}: -1,
	} {
		if got, ok := a.Bytes(); ok != (want >= 0) || ok && got != want {
			t.Errorf("%v: got %v %v bytes, want %v", a, got, ok, want)
		}
	}
	for a, want := range map[iperf2.Amount]float64{
		{Value: 10, Unit: "Gbits/sec"}: 1e10, {Value: 1, Unit: "MBytes/sec"}: 8 << 20, {Value: 7, Unit: "bits/sec"}: 7, {Value: 7, Unit: "Xbits/sec"}: -1,
	} {
		if got, ok := a.BitsPerSecond(); ok != (want >= 0) || ok && got != want {
			t.Errorf("%v: got %v %v bit/s, want %v", a, got, ok, want)
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
	f.Add([]byte("[  1] 0.0-1.0 sec  01.0 GBytes  . Gbits/sec"))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := iperf2.Parse(text)
		if err != nil {
			return
		}
		o.Total()
		for _, i := range o.Intervals {
			if v, ok := i.Transfer.Bytes(); ok && v < 0 {
				t.Errorf("%+v: got %v bytes", i, v)
			}
		}
	})
}
