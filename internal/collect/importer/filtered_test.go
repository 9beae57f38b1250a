package importer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// What a filter left of an output is read where its lines or its command line say enough: each filter's lines are a part of one
// reading, and a heading that is missing is put back.
func TestFilteredOutputs(t *testing.T) {
	for _, c := range []struct {
		name, session string
		kinds         []string // of the evaluated outputs
		unread        string   // in a warning; empty: every line is understood
	}{
		{"two searches in one output", "root@web1:~# ethtool -S eth0 | grep missed\n     rx_missed_errors: 2500\n" +
			"root@web1:~# ethtool -S eth0 | grep no_buf\n     rx_no_buffer_count: 1200\n",
			[]string{"ethtool -S", "ethtool -S"}, ""},
		{"rows of a table without its heading", "root@web1:~# netstat -i | grep eth0\n" +
			"eth0      1500  1234567      0    120      0  2345678      0      0      0 BMRU\n" +
			"root@web1:~# cat /proc/net/dev | grep eth0\n" +
			"  eth0: 12345 1234    0  120    0     0          0         0 23456 2345    0    0    0     0       0          0\n",
			[]string{"netstat -i (Linux)", "cat /proc/net/dev"}, ""},
		{"AIX", "root@aix1:/# netstat -in | grep en0\n" +
			"en0   1500  link#2      fa.c2.11.4c.20.2  123456     0    45678     0     0\n" +
			"root@aix1:/# netstat -s -p tcp | grep -i retrans\n        12345 data packets (123456789 bytes) retransmitted\n" +
			"root@aix1:/# entstat -d ent0 | grep -i speed\nMedia Speed Selected: Auto negotiation\n" +
			"Media Speed Running: 1000 Mbps Full Duplex\n" +
			"root@aix1:/# entstat -d ent0 | grep -i 'no resource'\nNo Resource Errors: 250000\n",
			[]string{"netstat -in", "netstat -s", "entstat -d", "entstat -d (some counters)"}, ""},
		{"too little", "root@web1:~# ethtool -i eth0\ndriver: ixgbe\nversion: 5.1.0-k\nroot@web1:~# ss -ti | grep rtt\n\t cubic rtt:0.5/0.25\n",
			[]string{"ethtool -i"}, "these lines alone say too little: save the whole output of ss"},
		{"labels of two ports", "root@aix1:/# entstat -d ent5 | grep Running\nMedia Speed Running: 1000 Mbps Full Duplex\n" +
			"Media Speed Running: 10000 Mbps Full Duplex\nroot@aix1:/# oslevel -s\n7200-05-03-2148\n",
			[]string{"oslevel -s"}, "known for what it is, but not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := put(t, map[string]string{"session.txt": c.session})
			x, _ := imported(t, importer.Options{}, filepath.Join(dir, "session.txt"))
			var kinds []string
			var warnings strings.Builder
			for _, p := range x.Files[0].Parts {
				if p.Understood == p.Lines {
					kinds = append(kinds, p.Kind)
				}
				warnings.WriteString(strings.Join(p.Warnings, "\n"))
			}
			if strings.Join(kinds, ", ") != strings.Join(c.kinds, ", ") {
				t.Errorf("understood are %q, want %q", kinds, c.kinds)
			}
			if !strings.Contains(warnings.String(), c.unread) {
				t.Errorf("no warning says %q:\n%s", c.unread, warnings.String())
			}
		})
	}
}
