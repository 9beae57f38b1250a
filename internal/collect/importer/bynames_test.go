package importer

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

const (
	oneAddress = "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether 00:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n" +
		"    inet 192.0.2.15/24 scope global eth0\n"
	otherAddress = "3: env3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP\n    link/ether 00:00:5e:00:53:02 brd ff:ff:ff:ff:ff:ff\n" +
		"    inet 192.0.2.16/24 scope global env3\n"
	unameOf = "Linux HOST 5.14.0-427.13.1.el9_4.ppc64le #1 SMP Thu Jan 9 12:00:00 UTC 2025 ppc64le ppc64le ppc64le GNU/Linux\n"
)

// The hosts of outputs in folders, by what the names of files and folders say.
func TestHostsByNames(t *testing.T) {
	named := func(host string) string { return strings.ReplaceAll(unameOf, "HOST", host) }
	for name, files := range map[string]map[string][2]string{ // by path: text, host
		"folders with dates": {
			"web7_20261120/ip_addr.txt": {oneAddress, "web7"}, "erpdb-2026-11-20/ip_addr.txt": {otherAddress, "erpdb"}},
		"logins": {"out/root@web7": {oneAddress, "web7"}, "out/root@erpdb": {otherAddress, "erpdb"}},
		"a name that a text gives beside others": {
			"web7_all.txt": {named("web7") + settingLines, "web7"}, "web7_cmds.out": {oneAddress, "web7"},
			"erp8_all.txt": {named("erp8") + settingLines, "erp8"}, "erp8_cmds.out": {otherAddress, "erp8"}},
		"names without a digit beside others": {
			"ip_addr_erpdb.txt": {otherAddress, "erpdb"}, "sockstat_erpdb.txt": {memoryLines, "erpdb"},
			"ip_addr_web7.txt": {oneAddress, "web7"}, "uname_web7.txt": {named("web7"), "web7"}},
		"a file for each host": {
			"erpdb.txt": {otherAddress, "erpdb"}, "web7.txt": {named("web7") + oneAddress, "web7"}, "web8.txt": {memoryLines, "web8"}},
		"folders of a client and its server": {
			"client/uname.txt": {named("web7"), "web7"}, "client/ip_addr.txt": {oneAddress, "web7"}, "client/sockstat.txt": {memoryLines, "web7"},
			"server/ip_addr.txt": {otherAddress, "server"}, "server/sockstat.txt": {strings.Replace(memoryLines, "290", "310", 1), "server"}},
		"folders of two times": {
			"before/uname.txt": {named("web7"), "web7"}, "before/ip_addr.txt": {oneAddress, "web7"}, "before/sockstat.txt": {memoryLines, "web7"},
			"after/ip_addr.txt":  {strings.Replace(oneAddress, "9000", "1500", 1), "web7"},
			"after/sockstat.txt": {strings.Replace(memoryLines, "290", "310", 1), "web7"}},
		"samples of levels": {
			"a/aix-7.2-uname.txt": {"AIX erp9 2 7 00C8D2E44C00\n", "erp9"}, "b/aix-6.1-en0.txt": {enLines, "aix-6.1"},
			"c/aix-7.2-en1.txt": {enLines, "erp9"}},
		"a sample beside a host": {
			"a/erp9.txt": {"AIX erp9 2 7 00C8D2E44C00\n", "erp9"}, "b/aix-6.1-en0.txt": {enLines, "aix-6.1"}},
		"another system in a name": {
			"linux_uname.txt": {named("web7"), "web7"}, "ubuntu_ip_addr.txt": {oneAddress, "web7"}, "smartos_ip_addr.txt": {otherAddress, "in"}},
		"the kernel's tree": {
			"proc/net/sockstat": {memoryLines, "in"}, "proc/net/snmp6": {"Ip6InReceives                   \t9120\n" +
				"Ip6InHdrErrors                  \t0\nIp6InTooBigErrors               \t0\nIp6InNoRoutes                   \t3\n", "in"},
			"sys/class/net/eth0/mtu": {"9000\n", "in"}},
		"names that any file has": {
			"Downloads/Untitled1.txt": {oneAddress, "Downloads"}, "Downloads/Untitled3.txt": {memoryLines, "Downloads"},
			"Downloads/ethtool_eth0.txt": {settingLines, "Downloads"}},
	} {
		dir := t.TempDir()
		for at, f := range files {
			writeForged(t, filepath.Join(dir, "in", at), []byte(f[0]))
		}
		r, err := Import(t.Context(), []string{filepath.Join(dir, "in")}, filepath.Join(dir, "out"), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, want := map[string]string{}, map[string]string{}
		for at, f := range files {
			want[at] = f[1]
		}
		for _, f := range r.Files {
			at, _ := strings.CutPrefix(filepath.ToSlash(f.File), filepath.ToSlash(dir)+"/in/")
			got[at] = f.Host
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: hosts %v, want %v", name, got, want)
		}
	}
}
