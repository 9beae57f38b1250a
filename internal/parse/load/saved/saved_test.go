package saved_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/load/saved"
)

const (
	text3 = "Connecting to host 203.0.113.1, port 5201\n[  5] local 203.0.113.2 port 42668 connected to 203.0.113.1 port 5201\n" +
		"[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n[  5]   0.00-1.00   sec  79.2 KBytes   648 Kbits/sec   23   1.41 KBytes\n" +
		"[  5]   1.00-2.00   sec  11.2 MBytes  94.4 Mbits/sec    0    811 KBytes\n- - - - - - - - - - - - - - - - - - - - - - - - -\n" +
		"[  5]   0.00-2.00   sec  22.6 MBytes  94.9 Mbits/sec   23             sender\n[  5]   0.00-2.00   sec  22.4 MBytes  94.1 Mbits/sec                  receiver\n\niperf Done.\n"
	text2 = "------------------------------------------------------------\nClient connecting to 10.1.2.4, TCP port 5001\nTCP window size: 85.0 KByte (default)\n" +
		"------------------------------------------------------------\n[  3] local 10.1.2.3 port 40001 connected with 10.1.2.4 port 5001\n" +
		"[  4] local 10.1.2.3 port 40002 connected with 10.1.2.4 port 5001\n[ ID] Interval       Transfer     Bandwidth\n" +
		"[  3]  0.0-10.0 sec  1.10 GBytes   944 Mbits/sec\n[  4]  0.0-10.0 sec  1.10 GBytes   946 Mbits/sec\n[SUM]  0.0-10.0 sec  2.20 GBytes  1.89 Gbits/sec\n"
	inJSON = `{"start":{"connected":[{"local_host":"192.0.2.41","remote_host":"192.0.2.42"}],"version":"iperf 3.9","test_start":{"protocol":"TCP"}},` +
		`"end":{"streams":[{"sender":{"min_rtt":400,"mean_rtt":900}}],"sum_sent":{"bits_per_second":55e6,"retransmits":4120},"sum_received":{"bits_per_second":54e6}}}` + "\n"
)

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want *saved.Run
	}{
		"iperf3": {text3, &saved.Run{Local: netip.MustParseAddr("203.0.113.2"), Remote: netip.MustParseAddr("203.0.113.1"), Streams: 1,
			BitsPerSec: new(94.1e6), Retransmits: new(uint64(23)), Line: 8}},
		"iperf, two streams": {text2, &saved.Run{Local: netip.MustParseAddr("10.1.2.3"), Remote: netip.MustParseAddr("10.1.2.4"), Streams: 2,
			BitsPerSec: new(1.89e9), Line: 10}},
		"iperf3 --json": {inJSON, &saved.Run{Local: netip.MustParseAddr("192.0.2.41"), Remote: netip.MustParseAddr("192.0.2.42"), Streams: 1,
			BitsPerSec: new(54e6), Retransmits: new(uint64(4120)), LeastRTTms: new(0.4)}},
		"nothing measured": {"Connecting to host 203.0.113.1, port 5201\niperf3: error - unable to connect\n", nil},
		"other JSON":       {`{"start":{"version":"1.2"}}`, nil},
	} {
		got, err := saved.Parse([]byte(c.text))
		if c.want == nil {
			if !errors.Is(err, parse.ErrNotRecognised) {
				t.Errorf("%s: got %+v and %v, want it not recognised", name, got, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got, cmpopts.IgnoreTypes(parse.Report{}), cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
			cmpopts.EquateApprox(1e-9, 0)); diff != "" || len(got.Unknown) > 0 {
			t.Errorf("%s: not understood %v; (-want +got):\n%s", name, got.Unknown, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{text3, text2, inJSON} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := saved.Parse(text)
		if (r == nil) != (err != nil) || r != nil && r.BitsPerSec == nil {
			t.Errorf("got %+v and %v", r, err)
		}
	})
}
