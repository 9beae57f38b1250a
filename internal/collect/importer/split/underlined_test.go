package split

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A report's headings with a ruler below them part it, in words or as a command line; those within an output do not.
func TestUnderlined(t *testing.T) {
	const attributes = "mtu           1500       Maximum IP Packet Size for This Device             True\n" +
		"mtu_bypass    off        Enable/Disable largesend for virtual Ethernet      True\n"
	entstat := "-------------------------------------------------------------\nETHERNET STATISTICS (ent0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\n" +
		"Hardware Address: fa:b2:32:5c:a2:0b\n\nGeneral Statistics:\n-------------------\nNo mbuf Errors: 0\n"
	for name, c := range map[string]struct {
		text string
		want []string // command or heading, first line
		host string
	}{
		"in words": {"Hostname:  lpar5\nTime:  10:00\n\nAIX LEVEL\n---------\n7200-05-06-2320\n\nLSATTR -E -l en0\n----------------\n\n" + attributes,
			[]string{"Hostname:  lpar5", "AIX LEVEL: 7200-05-06-2320", "lsattr -E -l en0: mtu           1500       Maximum IP Packet Size for This Device             True"}, "lpar5"},
		"beside command lines": {"Hostname: lpar5\n\nVERSION\n=======\n7200-05-06-2320\n\nlsattr -El en0\n--------------\n" + attributes,
			[]string{"Hostname: lpar5", "VERSION: 7200-05-06-2320", "lsattr -El en0: mtu           1500       Maximum IP Packet Size for This Device             True"}, "lpar5"},
		"within an output": {"entstat -d ent0\n" + entstat, []string{"entstat -d ent0: -------------------------------------------------------------"}, ""},
	} {
		cut := Text(t.Context(), []byte(c.text), "config.sum")
		var got []string
		for _, p := range cut.Pieces {
			first, _, _ := strings.Cut(strings.TrimSpace(string(p.Text)), "\n")
			if head := p.Command + p.Title; head != "" {
				first = head + ": " + first
			}
			got = append(got, first)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || cut.Host != c.host {
			t.Errorf("%s: host %q, want %q; pieces (-want +got):\n%s", name, cut.Host, c.host, diff)
		}
	}
}
