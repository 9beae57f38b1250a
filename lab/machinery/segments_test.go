package machinery_test

import (
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Without largesend TCP takes its data down nearly frame by frame, with it in
// pieces of up to 64 KB; a connection that is open follows a change.
func TestSegmentsOfTCP(t *testing.T) {
	t.Parallel()
	l := up(t, "two-systems")
	for _, node := range []string{"lpar1", "lpar2"} {
		must(t, l, node, "chdev -l en0 -a mtu_bypass=off")
	}
	must(t, l, "lpar2", "iperf -s -p 5098 >/dev/null 2>&1 </dev/null & sleep 0.3")
	count := func(command, label string) int {
		t.Helper()
		text := must(t, l, "lpar1", command)
		m := regexp.MustCompile(`(\d+) ` + label).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no %s in\n%s", label, text)
		}
		n, _ := strconv.Atoi(m[1])
		return n
	}
	// atOnce is how many segments a packet of IP held, of those sent in a second.
	atOnce := func() float64 {
		t.Helper()
		segments := func() (tcp, ip int) {
			return count("netstat -p tcp", "packets sent"), count("netstat -p ip", "packets sent from this host")
		}
		tcp, ip := segments()
		time.Sleep(time.Second)
		tcp2, ip2 := segments()
		if tcp2-tcp < 1000 || ip2 == ip {
			t.Fatalf("a stream of a second: got %d segments in %d packets", tcp2-tcp, ip2-ip)
		}
		return float64(tcp2-tcp) / float64(ip2-ip)
	}
	var wg sync.WaitGroup
	wg.Go(func() { run(t, l, "lpar1", "", "iperf -c 10.10.10.12 -p 5098 -t 6") })
	time.Sleep(time.Second)
	if got := atOnce(); got > 2.01 {
		t.Errorf("mtu_bypass=off: got %.2f segments at once, want no more than 2", got)
	}
	must(t, l, "lpar1", "chdev -l en0 -a mtu_bypass=on")
	if got := atOnce(); got < 10 {
		t.Errorf("mtu_bypass=on while it sends: got %.2f segments at once, want dozens", got)
	}
	must(t, l, "lpar1", "chdev -l en0 -a mtu_bypass=off")
	time.Sleep(200 * time.Millisecond) // what was made before is still sent
	if got := atOnce(); got > 2.1 {
		t.Errorf("mtu_bypass=off again while it sends: got %.2f segments at once, want no more than 2", got)
	}
	wg.Wait()
}
