package importer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// plainPort is what ip addr prints of a host with one port.
func plainPort(device, mac, address string) string {
	return "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n" +
		"2: " + device + ": <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether " + mac + " brd ff:ff:ff:ff:ff:ff\n" +
		"    inet " + address + "/24 scope global " + device + "\n"
}

// interfacesOf is what netstat -in of AIX prints.
func interfacesOf(mac, address string) string {
	return "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n" +
		"en0   1500  link#2      " + mac + "       8     0        7     0     0\n" +
		"en0   1500  192.0.2     " + address + "          8     0        7     0     0\n" +
		"lo0   16896 link#1                               8     0        7     0     0\n"
}

const (
	ownMAC, otherMAC = "00:00:5e:00:53:01", "00:00:5e:00:53:99"
	ownIP, otherIP   = "192.0.2.15", "198.51.100.7"
	unameOf2         = "Linux db2 5.10.0-9-amd64 #1 SMP Debian x86_64 GNU/Linux\n"
)

// A file of another host in a host's folder changes of no other file whose it is or whether it is stored, whatever the
// folder is called and whatever names the host: what its ports, addresses and kernel are speaks against it.
func TestForeignFileChangesNothing(t *testing.T) {
	linux := map[string]string{"ip_addr.txt": plainPort("eth0", ownMAC, ownIP), "ethtool.txt": settingLines, "sockstat.txt": memoryLines}
	aix := map[string]string{"netstat_in.txt": interfacesOf("fa.c2.11.4c.20.2", ownIP), "lsattr_El_en0.txt": enLines, "no_a.txt": tunableLines}
	naming := map[string]map[string]string{
		"Linux": {"": "", "uname.txt": "Linux web9 6.1.0-18-amd64 #1 SMP Debian x86_64 GNU/Linux\n", "session.log": "root@web9:~# ip -s link\n" +
			plainPort("eth0", ownMAC, ownIP), "dmesg.txt": bootLines},
		"AIX": {"": "", "uname.txt": "AIX lpar1 2 7 00C8D2E44C00\n", "oslevel.txt": "7200-05-03-2148\n",
			"session.log": "root@lpar1:/# netstat -in\n" + interfacesOf("fa.c2.11.4c.20.2", ownIP)},
	}
	foreign := map[string]map[string]string{
		"Linux": {
			"the same device":    "root@db2:~# ip addr\n" + plainPort("eth0", otherMAC, otherIP),
			"other devices":      "root@db2:~# ip addr\n" + plainPort("ens4", otherMAC, otherIP),
			"many outputs":       "root@db2:~# ip addr\n" + plainPort("eth0", otherMAC, otherIP) + "root@db2:~# ethtool eth0\n" + settingLines + "root@db2:~# uname -r\n5.10.0\n",
			"ifconfig":           "root@db2:~# ifconfig\neth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n        inet " + otherIP + "  netmask 255.255.255.0\n        ether " + otherMAC + "  txqueuelen 1000  (Ethernet)\n",
			"no name, same port": plainPort("eth0", otherMAC, otherIP),
		},
		"AIX": {
			"the same adapter": "root@lpar9:/# netstat -in\n" + interfacesOf("fa.c2.11.4c.20.9", otherIP),
			"another release":  "root@lpar9:/# oslevel -s\n7300-01-01-2246\nroot@lpar9:/# netstat -in\n" + interfacesOf("fa.c2.11.4c.20.9", otherIP),
		},
	}
	for system, files := range map[string]map[string]string{"Linux": linux, "AIX": aix} {
		for _, folder := range []string{"case4711", "saved", "web9"} {
			for name, text := range naming[system] {
				dir := t.TempDir()
				for at, text := range files {
					writeForged(t, filepath.Join(dir, folder, at), []byte(text))
				}
				if name != "" {
					writeForged(t, filepath.Join(dir, folder, name), []byte(text))
				}
				want := whose(t, dir)
				for kind, text := range foreign[system] {
					writeForged(t, filepath.Join(dir, folder, "zz-extra.txt"), []byte(text))
					if d := differs(want, whose(t, dir), ""); d != "" {
						t.Errorf("%s in %s with %q and a file of another host (%s): %s", system, folder, name, kind, d)
					}
				}
			}
		}
	}
}

// whose are the host of each file and whether it is stored.
func whose(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	decided(t, dir, unchanged, func(p *part) {
		at := p.file.path[len(filepath.ToSlash(dir)):]
		out[at] = fmt.Sprintf("%s, stored: %t", key(p.Host), p.Stored)
	})
	return out
}

// Where one file names a host and another speaks against it, the folder's files stay apart, and the reason is given.
func TestContradictions(t *testing.T) {
	for name, c := range map[string]struct {
		beside, named, why string
	}{
		"a kernel":   {bootLines, unameOf2, "the kernel is 5.10.0-9-amd64 in "},
		"a level":    {"7300-01-01-2246\n", "AIX lpar1 2 7 00C8D2E44C00\n", "the level of AIX is 7.2 in "},
		"a machine":  {"00F8D2E44C00\n", "AIX lpar1 2 7 00C8D2E44C00\n", "the machine id is 00C8D2E44C00 in "},
		"a device":   {settingLines, "root@db2:~# ip addr\n" + plainPort("ens4", otherMAC, otherIP), "eth0 of "},
		"an address": {plainPort("eth0", "", ownIP), "root@db2:~# ip addr\n" + plainPort("eth0", otherMAC, otherIP), "the address of eth0 is 198.51.100.7 in "},
	} {
		dir := t.TempDir()
		writeForged(t, filepath.Join(dir, "saved", "b.txt"), []byte(c.beside))
		writeForged(t, filepath.Join(dir, "saved", "a.txt"), []byte(c.named))
		r, err := Import(t.Context(), []string{dir}, filepath.Join(t.TempDir(), "out"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(r.Hosts, func(h Host) bool { return h.Host == "saved" })
		if len(r.Hosts) != 2 || at < 0 || !strings.Contains(r.Hosts[at].Found, "was taken for another host: "+c.why) {
			t.Errorf("%s: got %+v, want two hosts and %q", name, r.Hosts, c.why)
		}
	}
}

// What a host has that others have too, or that changes, is no contradiction.
func TestNoContradiction(t *testing.T) {
	for name, c := range map[string]struct{ beside, named string }{
		"a bridge of a program": {"3: docker0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state UP\n    link/ether 02:42:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n" +
			"    inet 172.17.0.1/16 scope global docker0\n", "root@web9:~# ip addr show docker0\n3: docker0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state UP\n" +
			"    link/ether 02:42:00:00:00:02 brd ff:ff:ff:ff:ff:ff\n    inet 172.18.0.1/16 scope global docker0\n"},
		"a MAC after a change": {plainPort("eth0", otherMAC, ownIP) + "3: eth1: <BROADCAST,UP> mtu 1500 qdisc mq state UP\n    link/ether 00:00:5e:00:53:77 brd ff:ff:ff:ff:ff:ff\n",
			"root@web9:~# ip addr\n" + plainPort("eth0", ownMAC, ownIP)},
		"part of the devices": {settingLines, "root@web9:~# ip addr show ens4\n2: ens4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n" +
			"    link/ether " + ownMAC + " brd ff:ff:ff:ff:ff:ff\n"},
	} {
		dir := t.TempDir()
		writeForged(t, filepath.Join(dir, "saved", "ip.txt"), []byte(c.beside))
		writeForged(t, filepath.Join(dir, "saved", "s.log"), []byte(c.named))
		if got := decided(t, dir, unchanged)["/saved/ip.txt"]; !strings.HasPrefix(got, "web9 ") {
			t.Errorf("%s: the file is of %q, want web9", name, got)
		}
	}
}

// A uname.txt or hostname.txt alone beside one file that is named after its command names that file's host too, and what the
// result says of it shows why; what speaks against it keeps them apart.
func TestLoneNameSaysWhy(t *testing.T) {
	for name, text := range map[string]string{"uname.txt": unameOf2, "hostname.txt": "db2\n"} {
		for beside, want := range map[string]string{settingLines: "db2", bootLines: "saved"} {
			if name == "hostname.txt" && beside == bootLines { // nothing to compare
				continue
			}
			dir := t.TempDir()
			writeForged(t, filepath.Join(dir, "saved", name), []byte(text))
			writeForged(t, filepath.Join(dir, "saved", "ethtool.txt"), []byte(beside))
			how := ""
			got := decided(t, dir, unchanged, func(p *part) {
				if strings.HasSuffix(p.file.path, "ethtool.txt") {
					how = p.HostFrom
				}
			})
			if !strings.HasPrefix(got["/saved/ethtool.txt"], want+" ") {
				t.Errorf("%s: the file beside it is of %q, want %s", name, got["/saved/ethtool.txt"], want)
			}
			if want == "db2" && !strings.HasPrefix(how, "the only host named in ") {
				t.Errorf("%s: the host was found by %q, want it said that no other is named there", name, how)
			}
		}
	}
}
