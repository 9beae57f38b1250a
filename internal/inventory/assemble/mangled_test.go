package assemble_test

import (
	"strings"
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// A number that may lack a digit, and an address that cannot be the
// interface's, are left out; hard blanks are blanks.
func TestMangled(t *testing.T) {
	const pools = "ETHERNET STATISTICS (ent0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\n\nVirtual I/O Ethernet Adapter (l-lan) Specific Statistics:\n" +
		"---------------------------------------------------------\nReceive Information     \n  Receive Buffers        \n" +
		"    Buffer Type              Tiny    Small   Medium    Large     Huge\n    Min Buffers               512      512      128       24       24\n    Max Buffers              2048     2048      256       64       64\n"
	host := func(id, text string) *model.Host {
		return assemble.Host(assemble.About{Name: "h", Platform: model.AIX}, []assemble.Output{{ID: id, Element: "ent0", Command: id, Text: []byte(text)}})
	}
	cut := ""
	for _, l := range strings.SplitAfter(pools, "\n") {
		if len(l) > 41 && strings.HasPrefix(l, "    ") {
			l = l[:40] + "\n" + l[40:]
		}
		cut += l
	}
	if got := len(host("entstat-d", pools).Elements["ent0"].Buffers); got != 5 {
		t.Errorf("whole table: got %d pools, want 5", got)
	}
	h := host("entstat-d", cut)
	if got := h.Elements["ent0"].Buffers; len(got) != 0 || len(h.Gaps) == 0 {
		t.Errorf("broken table: got %+v, gaps %v, want no pool and a gap", got, h.Gaps)
	}
	h = host("ifconfig-a", "en0: flags=1e084863,480<UP,BROADCAST>\n\tinet 127.0.0.1 netmask 0xff000000 broadcast 127.255.255.255\n")
	if got := h.Elements["en0"].Addrs; len(got) != 0 {
		t.Errorf("loopback address below en0: got %v, want none", got)
	}
	for name, blank := range map[string]string{"UTF-8": "\u00a0", "one byte": "\xa0"} {
		h = host("lsattr-El", strings.ReplaceAll("large_send  yes"+strings.Repeat(" ", 10)+"Enable hardware TX TCP resegmentation True\n", "  ", blank+" "))
		if a := h.Elements["ent0"].Attrs["large_send"]; a == nil || a.Current() != "yes" {
			t.Errorf("hard blanks, %s: got %+v, want yes", name, a)
		}
	}
}
