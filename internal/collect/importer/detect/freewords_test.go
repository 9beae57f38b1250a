package detect

import (
	"strings"
	"testing"

	"seaworthy/internal/parse/registry"
)

// What people write for lines that they left out, and words that any file may hold, are no output: neither alone nor under a
// command that printed something else.
func TestFreeWords(t *testing.T) {
	for _, text := range []string{
		"......\n", "..........\n", "......\nlisten 80\n", "...\n10.0.0.1\n...\n", "yes\nno\n", "60...100\nlisten 80\n", "1.2...3.4\n",
		"[...]\n", "*****\n*****\n", "-- snip --\n", "alpha\nbeta gamma\n10\n20\n", "up 3 days\n",
	} {
		for _, command := range []string{"", "cat /etc/app.conf", "ip a", "entstat -d ent0", "ethtool eth0", "netstat -in", "lsattr -El ent0"} {
			if f, ok := Text([]byte(text), Hint{Command: command}); ok {
				t.Errorf("%q of %q: taken for %s", text, command, f.Kind)
			}
		}
	}
}

// A list of values needs the command that asked for it; a range shows by itself.
func TestAllowedValues(t *testing.T) {
	for _, c := range []struct {
		text string
		hint Hint
		want bool
	}{
		{"60...65535 (+1)\n", Hint{}, true},
		{"0x100...0x7ffffffff (+0x8)\n512...4096 (+1)\n", Hint{}, true},
		{"60...65535 (+1)\n", Hint{Command: "lsattr -Rl en0 -a mtu"}, true},
		{"60...65535 (+1)\n", Hint{Command: "lsattr -Rl en0 -a mtu", File: "values.txt"}, true},
		{"60...65535 (+1)\n", Hint{Command: "cat /etc/range"}, false},
		{"60...65535 (+1)\n", Hint{Command: "uname -a"}, false},
		{"Auto_Negotiation\n10_Half_Duplex\n", Hint{Command: "lsattr -Rl ent0 -a media_speed"}, true},
		{"Auto_Negotiation\n10_Half_Duplex\n", Hint{File: "lsattr-Rl.ent0.media_speed.txt"}, true},
		{"Auto_Negotiation\n10_Half_Duplex\n", Hint{}, false},
	} {
		f, ok := Text([]byte(c.text), c.hint)
		if is := ok && f.ID == "lsattr-Rl"; is != c.want {
			t.Errorf("%q of %+v: lsattr -R %v, want %v", c.text, c.hint, is, c.want)
		}
	}
}

// Lines that were left out do not change what the rest is.
func TestElisions(t *testing.T) {
	commands := map[string]string{"ip-addr-text": "ip a"}
	for want, text := range map[string]string{
		"ip-addr-text": "..........\nens160: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc pfifo_fast state UP qlen 1000\n" +
			"    link/ether 00:0c:29:04:b6:17 brd ff:ff:ff:ff:ff:ff\n    inet 192.0.2.14/24 brd 192.0.2.255 scope global ens160\n",
		"ethtool-k": "Features for eth0:\n......\ntcp-segmentation-offload: on\n......\n",
	} {
		f, ok := Text([]byte(text), Hint{Command: commands[want]})
		if !ok || f.ID != want || f.Family != registry.Linux || f.Understood() < strings.Count(text, "\n")-2 {
			t.Errorf("%q: got %+v, want %s", text, f, want)
		}
	}
}
