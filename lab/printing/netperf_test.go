package printing_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/load/netperf"
	"seaworthy/lab/printing"
)

// What is printed from values is the sample, byte for byte.
func TestFormatNetperf(t *testing.T) {
	from := " from 0.0.0.0 (0.0.0.0) port 0 AF_INET to lpar2 () port 0 AF_INET"
	stream := &netperf.Output{Test: netperf.Stream, Rest: from, Unit: "10^6bits/sec", Result: &netperf.Result{
		Local: netperf.Sockets{Send: 262144}, Remote: netperf.Sockets{Receive: 262144}, Message: 65536, Seconds: 10.01, Rate: 4012.55}}
	ends := netperf.Sockets{Send: 16384, Receive: 87380}
	rr := &netperf.Output{Test: netperf.RequestResponse, Rest: from + " : nodelay : first burst 0", Result: &netperf.Result{
		Local: ends, Remote: ends, Request: 700, Response: 700, Seconds: 60, Rate: 5200.12}}
	for name, o := range map[string]*netperf.Output{"stream.txt": stream, "rr.txt": rr} {
		text, err := os.ReadFile(filepath.Join("testdata", "netperf_"+name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(printing.FormatNetperf(o, false))); diff != "" {
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
