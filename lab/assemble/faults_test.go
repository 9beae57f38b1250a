package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
	"seaworthy/lab"
	"seaworthy/lab/fault"
)

var crcErrors = regexp.MustCompile(`CRC Errors: (\d+)`)

func crc(t *testing.T, l *lab.Lab, node string) int {
	t.Helper()
	m := crcErrors.FindStringSubmatch(must(t, l, node, "entstat ent0"))
	if m == nil {
		t.Fatalf("%s: entstat ent0 prints no CRC Errors", node)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// A link whose ends differ in duplex is well until it is busy.
func TestDuplex(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "dedicated")
	breakIt(t, l, fault.Fault{Kind: "duplex", Target: "lpar2:ent0"})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 3 -i 0.1"); n != 0 || crc(t, l, "lpar2") != 0 {
		t.Errorf("idle: %d of 3 pings lost, %d CRC Errors, want none", n, crc(t, l, "lpar2"))
	}
	must(t, l, "lpar2", "iperf -s >/dev/null 2>&1 & sleep 0.3")
	must(t, l, "lpar1", "iperf -c 10.10.10.12 -n 2M -l 64K")
	if n := crc(t, l, "lpar2"); n == 0 {
		t.Error("busy: no CRC Errors")
	}
	if n := crc(t, l, "lpar1"); n != 0 {
		t.Errorf("the port at the other end: %d CRC Errors, want none", n)
	}
	before := crc(t, l, "lpar2")
	mend(t, l, fault.Fault{})
	must(t, l, "lpar1", "iperf -c 10.10.10.12 -n 2M -l 64K")
	if n := crc(t, l, "lpar2"); n != before {
		t.Errorf("mended: CRC Errors went from %d to %d", before, n)
	}
}

// A clock that has jumped is seen by date on that node alone.
func TestClockJump(t *testing.T) {
	t.Parallel()
	l := up(t, "dedicated")
	seconds := func(node string) int {
		n, err := strconv.Atoi(strings.TrimSpace(must(t, l, node, "date +%s")))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const hour = 3600
	for _, x := range []struct {
		value string
		want  int
	}{{"", hour}, {"-48h", -48 * hour}} {
		breakIt(t, l, fault.Fault{Kind: "clock-jump", Target: "lpar1", Value: x.value})
		if d := seconds("lpar1") - seconds("lpar2"); d < x.want-hour/2 || d > x.want+hour/2 {
			t.Errorf("jump %q: lpar1 is %d s ahead, want about %d", x.value, d, x.want)
		}
	}
	mend(t, l, fault.Fault{})
	if d := seconds("lpar1") - seconds("lpar2"); d < -hour/2 || d > hour/2 {
		t.Errorf("mended: lpar1 is %d s ahead", d)
	}
	if _, errs, exit := run(t, l, "lpar1", "root", "date 0101120026"); exit == 0 || !strings.Contains(errs, "clock-jump") {
		t.Errorf("setting the clock: got exit %d, %q, want a refusal", exit, errs)
	}
}
