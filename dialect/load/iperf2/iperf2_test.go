package iperf2_test

import (
	"errors"
	"flag"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/load/iperf2"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[iperf2.Output]{Parse: iperf2.Parse, Report: func(o *iperf2.Output) *dialect.Report { return &o.Report }}

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

func TestNotIperf(t *testing.T) {
	for _, text := range []string{"", "iperf: not found\n", "------------------------------------------------------------\n"} {
		if _, err := iperf2.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %v, want ErrNotRecognised", text, err)
		}
	}
}

// What is printed from values reads as iperf 2.0 writes it.
func TestFormat(t *testing.T) {
	one := &iperf2.Interval{ID: 3, End: 60, Transfer: iperf2.Transfer(18750e6, 'm'), Bandwidth: iperf2.Bandwidth(2.5e9, 'm')}
	sum := &iperf2.Interval{Sum: true, End: 60, Transfer: iperf2.Transfer(18750e6, 0), Bandwidth: iperf2.Bandwidth(2.5e9, 0)}
	got := strings.Join([]string{
		iperf2.Rule, iperf2.Client("192.168.10.181", 5001), iperf2.Window(512<<10, 256<<10), iperf2.Rule,
		iperf2.Connection(3, netip.MustParseAddrPort("192.168.10.180:32801"), netip.MustParseAddrPort("192.168.10.181:5001")),
		iperf2.Heading, one.String(), sum.String(), "",
	}, "\n")
	want := `------------------------------------------------------------
Client connecting to 192.168.10.181, TCP port 5001
TCP window size:  512 KByte (WARNING: requested  256 KByte)
------------------------------------------------------------
[  3] local 192.168.10.180 port 32801 connected with 192.168.10.181 port 5001
[ ID] Interval       Transfer     Bandwidth
[  3]  0.0-60.0 sec  17881 MBytes  2500 Mbits/sec
[SUM]  0.0-60.0 sec  17.5 GBytes  2.50 Gbits/sec
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	back, err := iperf2.Parse([]byte(got))
	if err != nil || len(back.Unknown) > 0 || len(back.Intervals) != 2 {
		t.Errorf("its own text: got %v, %+v; want all understood", err, back)
	}
}

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "iperf/*") }
func TestFast(t *testing.T)   { codec.Fast(t, "[  2] 0.0000-1.0000 sec   572 MBytes  4.80 Gbits/sec\n") }

func TestAmounts(t *testing.T) {
	for _, tt := range []struct {
		got  iperf2.Amount
		want string
	}{
		{iperf2.Transfer(0, 0), "0.00 Bytes"}, {iperf2.Transfer(1023, 0), "1023 Bytes"}, {iperf2.Transfer(1<<30, 0), "1.00 GBytes"},
		{iperf2.Transfer(1<<30, 'M'), "1024 MBytes"}, {iperf2.Bandwidth(9.996e9, 0), "10.0 Gbits/sec"},
		{iperf2.Bandwidth(8<<20, 'M'), "1.00 MBytes/sec"}, {iperf2.Bandwidth(5e12, 0), "5.00 Tbits/sec"}, {iperf2.Bandwidth(99.96e9, 'g'), "100 Gbits/sec"},
	} {
		if got := strings.TrimSpace(tt.got.String()); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
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
				t.Errorf("%s: got %v bytes", i, v)
			}
		}
	})
}
