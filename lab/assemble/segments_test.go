package assemble_test

import (
	"regexp"
	"strconv"
	"testing"

	"seaworthy/internal/test/await"
	"seaworthy/internal/test/needs"
)

// Without largesend TCP takes its data down nearly frame by frame, with it in
// pieces of up to 64 KB; a connection that is open follows a change.
func TestSegmentsOfTCP(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "two-systems")
	for _, node := range []string{"lpar1", "lpar2"} {
		must(t, l, node, "chdev -l en0 -a mtu_bypass=off")
	}
	must(t, l, "lpar2", "iperf -s -p 5098 >/dev/null 2>&1 </dev/null & sleep 0.3")
	// atOnce is how many segments a packet of IP held, of those sent meanwhile.
	// One call reads both: between two a loaded machine sends thousands.
	atOnce := func() float64 {
		t.Helper()
		read := func() (tcp, ip int) {
			text := must(t, l, "lpar1", "netstat -s")
			for label, n := range map[string]*int{`packets sent\n`: &tcp, "packets sent from this host": &ip} {
				m := regexp.MustCompile(`(\d+) ` + label).FindStringSubmatch(text)
				if m == nil {
					t.Fatalf("no %s in\n%s", label, text)
				}
				*n, _ = strconv.Atoi(m[1])
			}
			return tcp, ip
		}
		tcp, ip := read()
		tcp2, ip2 := tcp, ip
		await.Until(t, "the stream sends a thousand segments", func() bool {
			tcp2, ip2 = read()
			return tcp2-tcp > 1000
		})
		return float64(tcp2-tcp) / float64(ip2-ip)
	}
	must(t, l, "lpar1", "iperf -c 10.10.10.12 -p 5098 -t 600 >/dev/null 2>&1 </dev/null & sleep 0.3")
	if got := atOnce(); got > 2.01 {
		t.Errorf("mtu_bypass=off: got %.2f segments at once, want no more than 2", got)
	}
	must(t, l, "lpar1", "chdev -l en0 -a mtu_bypass=on")
	if got := atOnce(); got < 10 {
		t.Errorf("mtu_bypass=on while it sends: got %.2f segments at once, want dozens", got)
	}
	must(t, l, "lpar1", "chdev -l en0 -a mtu_bypass=off")
	// What was made before is still sent.
	await.Until(t, "mtu_bypass=off again while it sends: no more than 2 segments at once", func() bool { return atOnce() <= 2.1 })
}
