package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
)

// What a port carries tagged and untagged shares its line: two streams at once
// are together no faster than one alone.
func TestVLANsShareTheLine(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "testdata/lines.yaml")
	if out := notes(t, l); strings.Contains(out, "IFB") {
		t.Skip(out)
	}
	run(t, l, "lpar2", "", "iperf -s >/dev/null 2>&1 & sleep 0.3")
	out, errs, exit := run(t, l, "lpar1", "", "iperf -c 10.1.0.12 -t 2 -f m & iperf -c 10.20.0.12 -t 2 -f m; wait")
	rates := regexp.MustCompile(`([\d.]+) Mbits/sec`).FindAllStringSubmatch(out, -1)
	if exit != 0 || len(rates) != 2 {
		t.Fatalf("got exit %d, %s\n%s, want two rates", exit, errs, out)
	}
	sum := 0.0
	for _, r := range rates {
		x, err := strconv.ParseFloat(r[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += x
	}
	// What is still in the queue when a stream has sent its last byte counts too.
	if sum > 250 {
		t.Errorf("two streams, tagged and untagged: got %.0f Mbit/s together, want at most the port's 200\n%s", sum, out)
	}
}
