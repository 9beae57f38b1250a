package importer_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
	"seaworthy/internal/inventory/model"
)

// The platform of a host whose outputs are of a system that is not read is not known, and why it is not is kept; so is that few
// outputs show it. One that its outputs name is sure.
func TestPlatformGap(t *testing.T) {
	const netstat = "Name  Mtu   Network     Address         ZoneID    Ipkts Ierrs    Opkts Oerrs  Coll\n" +
		"en0   1500  link#2      2.0.0.0.0.1               1012345     0     1234     0     0\n"
	for _, c := range []struct {
		name     string
		files    map[string]string
		platform model.Platform
		why      string // in the gap; empty: none
	}{
		{"macOS", map[string]string{"mac7_ifconfig.txt": "lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384\n\tinet 127.0.0.1 netmask 0xff000000\n" +
			"en0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500\n\tether 02:00:00:00:00:01\n"}, model.Unknown, "of macOS, which seaworthy does not read"},
		{"nothing tells", map[string]string{"lpar7_ping.txt": "PING b (192.0.2.9): 56 data bytes\n64 bytes from 192.0.2.9: icmp_seq=0 ttl=255 time=7 ms\n"},
			model.Unknown, "no output tells it"},
		{"one output", map[string]string{"lpar7_netstat_in.txt": netstat}, model.AIX, "few outputs"},
		{"named", map[string]string{"lpar7_netstat_in.txt": netstat, "lpar7_uname.txt": "AIX lpar7 2 7 00F6ABCD4C00\n"}, model.AIX, ""},
		{"named, and one line of another system", map[string]string{"lpar7_netstat_in.txt": netstat, "lpar7_uname.txt": "AIX lpar7 2 7 00F6ABCD4C00\n",
			"lpar7_arp.txt": "? (192.0.2.1) at 2:0:0:0:0:1 on en0 ifscope [ethernet]\n"}, model.AIX, ""},
	} {
		_, fleet := imported(t, importer.Options{}, put(t, c.files))
		if len(fleet.Hosts) != 1 || fleet.Hosts[0].Platform != c.platform {
			t.Errorf("%s: got %+v, want one host of %s", c.name, fleet.Hosts, c.platform)
			continue
		}
		gaps := fleet.Hosts[0].Gaps
		at := slices.IndexFunc(gaps, func(g model.Gap) bool { return g.What == model.PlatformGap })
		if (at >= 0) != (c.why != "") || at >= 0 && !strings.Contains(gaps[at].Why, c.why) {
			t.Errorf("%s: got gaps %v, want %q", c.name, gaps, c.why)
		}
	}
}
