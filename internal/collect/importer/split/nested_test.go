package split

import (
	"fmt"
	"strings"
	"testing"
)

// What Salt prints below the names of its hosts is parted, whether an answer is one text or has parts; what netstat prints below
// the names of protocols is not.
func TestNested(t *testing.T) {
	plain := "web7:\n" + yamlBlock(recordEthtool, "    ") + "web8.example.com:\n" + yamlBlock(recordUname, "    ")
	parts := "web7:\n    ----------\n    pid:\n        12345\n    retcode:\n        0\n    stderr:\n    stdout:\n" + yamlBlock(recordEthtool, "        ") +
		"web8:\n    ----------\n    uname -a:\n" + yamlBlock(recordUname, "        ")
	for name, c := range map[string]struct{ text, want string }{
		"one text": {plain, "web7  2, web8.example.com  7"},
		"parts":    {parts, "web7  9, web8 uname -a 16"},
		"a session": {"root@master:~# salt '*' cmd.run 'ethtool eth0'\nweb7:\n" + yamlBlock(recordEthtool, "    ") + "root@master:~# exit\n",
			"web7 salt '*' cmd.run 'ethtool eth0' 3"},
		"protocols": {"Ip:\n    1000 total packets received\n    0 forwarded\nTcp:\n    5 active connection openings\n    20 segments retransmitted\n", "  1"},
	} {
		cut := Text(t.Context(), []byte(c.text), "x")
		var got []string
		for _, p := range cut.Pieces {
			if text := string(p.Text); strings.HasPrefix(c.text, "web") && text != recordEthtool && text != recordUname {
				t.Errorf("%s: %q is not as it was printed", name, text)
			}
			got = append(got, fmt.Sprint(p.Host, " ", p.Command, " ", p.Line))
		}
		if list := strings.Join(got, ", "); list != c.want {
			t.Errorf("%s: got %q, want %q", name, list, c.want)
		}
	}
}

// Headings as perfpmr and the like write them, the command in brackets or in capitals, give the command and the host of the
// report.
func TestHeadingsOfReports(t *testing.T) {
	attributes := "mtu           1500       Maximum IP Packet Size for This Device             True\n"
	head := "        C O N F I G U R A T I O N     S U M M A R Y\n\nHostname:  lpar7\nTime config run:  Fri Nov 27 08:00:00 CET 2026\n\n"
	for name, c := range map[string]struct{ text, want string }{
		"in brackets":          {head + "INTERFACE ATTRIBUTES (lsattr -El en0)\n-------------------------------------\n\n" + attributes, "lsattr -El en0"},
		"in brackets, a colon": {head + "STATE BEFORE (lsattr -El en0):\n\n" + attributes, "lsattr -El en0"},
		"in capitals":          {head + "LSATTR -El en0 AT START OF RUN\n------------------------------\n" + attributes, "lsattr -El en0"},
		"a word in brackets":   {head + "ATTRIBUTES (all)\n----------------\n" + attributes, ""},
	} {
		cut := Text(t.Context(), []byte(c.text), "x.int")
		last := cut.Pieces[len(cut.Pieces)-1]
		if last.Command != c.want || string(last.Text) != attributes || cut.Host != "lpar7" || !cut.Pieces[0].Preface {
			t.Errorf("%s: got %q of host %q: %+v", name, last.Command, cut.Host, cut.Pieces)
		}
	}
}
