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

// Lines of keys and values are AIX's tunables where their names are, or where the command asked for them.
func TestForeignSettings(t *testing.T) {
	const foreign, own = "max_connections = 500\nthread_cache = 8\nquery_cache = 16\n", "tcp_sendspace = 16384\nrfc1323 = 1\nsb_max = 1048576\n"
	for _, c := range []struct {
		text, command string
		want          bool
	}{
		{foreign, "", false}, {foreign, "cat /etc/my.cnf", false}, {"class = resources\ntype = spot\n", "lsnim -l spot1", false},
		{own, "", true}, {own, "no -a", true}, {foreign, "no -a", true},
	} {
		f, ok := Text([]byte(c.text), Hint{Command: c.command})
		if is := ok && f.ID == "no-a"; is != c.want {
			t.Errorf("%q of %q: no -a %t, want %t", c.text, c.command, is, c.want)
		}
	}
}

// What other commands print as lsdev does is theirs; a table of sockets is of Linux where it has what only that prints.
func TestSharedLines(t *testing.T) {
	const made = "vtopt0 Available\nvtscsi1 Available\n"
	for command, want := range map[string]bool{"mkvdev -fbo -vadapter vhost19": false, "lsdev -Cc adapter": true, "": true} {
		f, ok := Text([]byte(made), Hint{Command: command})
		if is := ok && f.ID == "lsdev-Cc-adapter"; is != want {
			t.Errorf("%q of %q: lsdev %t, want %t", made, command, is, want)
		}
	}
	const sockets = "Proto Recv-Q Send-Q Local Address           Foreign Address         State"
	for text, want := range map[string]registry.Family{
		sockets + "\ntcp        0      0  *.22            *.*           LISTEN\n":                                    registry.AIX,
		sockets + "\ntcp        0      0 0.0.0.0:22      0.0.0.0:*     LISTEN\n":                                     registry.Linux,
		sockets + "\ntcp6       0      0 :::22           :::*          LISTEN\n":                                     registry.Linux,
		sockets + "       PID/Program name\ntcp        0      0 0.0.0.0:22      0.0.0.0:*     LISTEN      12/sshd\n": registry.Linux,
	} {
		f, ok := Text([]byte(text), Hint{})
		if !ok || f.Family != want {
			t.Errorf("%q: got %+v, want %s", text, f, want)
		}
	}
}

// What a single value says of its host needs the command that asked for it.
func TestSingleValues(t *testing.T) {
	for _, c := range []struct{ text, command, want string }{
		{"Linux\n", "uname", "linux"}, {"AIX\n", "uname", "aix"}, {"Linux\n", "", ""}, {"5.14.0-70.el9.ppc64le\n", "uname -r", "linux"},
		{"5.14.0\n", "", ""}, {"hdisk0 Available 00-00 Disk\n", "lsdev -Cc disk", "aix"},
	} {
		got := ""
		if f, ok := Text([]byte(c.text), Hint{Command: c.command}); ok {
			got = string(f.Family)
		}
		if got != c.want {
			t.Errorf("%q of %q: got %q, want %q", c.text, c.command, got, c.want)
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
