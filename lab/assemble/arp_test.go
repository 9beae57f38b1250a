package assemble_test

import (
	"cmp"
	"strings"
	"testing"
)

// A partition with two ports on one switch answers for an address at the port
// that has it: what is sent there takes that port's line.
func TestAnswersAtTheRightPort(t *testing.T) {
	t.Parallel()
	l := up(t, "dedicated-mixed")
	want := map[string]string{}
	for en, address := range map[string]string{"en0": "10.10.10.12", "en1": "10.10.20.12"} {
		for _, line := range strings.Split(must(t, l, "lpar2", "entstat "+strings.Replace(en, "en", "ent", 1)), "\n") {
			if mac, ok := strings.CutPrefix(line, "Hardware Address: "); ok {
				want[address] = strings.TrimSpace(mac)
			}
		}
	}
	if len(want) != 2 {
		t.Fatalf("entstat of lpar2: got addresses %v, want two", want)
	}
	for address, mac := range want {
		must(t, l, "lpar1", "ping -c 1 "+address)
		if table := must(t, l, "lpar1", "arp -an"); !strings.Contains(table, "("+address+") at "+plain(mac)+" ") {
			t.Errorf("%s: got %q, want it at %s", address, table, plain(mac))
		}
	}
}

// plain is an address as arp prints it: 2:4 for 02:04.
func plain(mac string) string {
	parts := strings.Split(mac, ":")
	for i, p := range parts {
		parts[i] = cmp.Or(strings.TrimLeft(p, "0"), "0")
	}
	return strings.Join(parts, ":")
}
