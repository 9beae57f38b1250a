package assemble_test

import (
	"strings"
	"testing"

	"seaworthy/internal/parse/aix/seastat"
)

// Accounting counts what really passed: a client's pings, both ways.
func TestSeastatCountsClients(t *testing.T) {
	t.Parallel()
	l := up(t, "two-systems")
	if _, errs, exit := run(t, l, "vios1", "", "seastat -d ent5"); exit == 0 || !strings.Contains(errs, "accounting is disabled") {
		t.Errorf("accounting off: got exit %d, %q", exit, errs)
	}
	run(t, l, "vios1", "", "chdev -dev ent5 -attr accounting=enabled")
	const pings = 20
	run(t, l, "lpar1", "", "ping -c 20 -i 0.05 10.10.10.12")
	out, errs, exit := run(t, l, "vios1", "", "seastat -d ent5")
	s, err := seastat.Parse([]byte(out))
	if exit != 0 || err != nil {
		t.Fatalf("got exit %d, %v, %s%s", exit, err, out, errs)
	}
	found := false
	for _, c := range s.Clients {
		if c.Hostname != "lpar1" {
			continue
		}
		found = true
		// ARP adds a few.
		if *c.Packets.Tx < pings || *c.Packets.Tx > pings+6 || *c.Packets.Rx < pings ||
			*c.Packets.Rx > pings+6 || *c.Bytes.Tx < pings*84 || c.IP != "10.10.10.11" || *c.VLAN != 1 {
			t.Errorf("got %d packets out, %d in, IP %s, want %d and a few each", *c.Packets.Tx, *c.Packets.Rx, c.IP, pings)
		}
	}
	if !found {
		t.Fatalf("lpar1 is not in\n%s", out)
	}
	run(t, l, "vios1", "", "chdev -dev ent5 -attr accounting=disabled; chdev -dev ent5 -attr accounting=enabled")
	if out, _, _ := run(t, l, "vios1", "", "seastat -d ent5"); strings.Contains(out, "MAC:") {
		t.Errorf("after off and on: got\n%s\nwant no client", out)
	}
}
