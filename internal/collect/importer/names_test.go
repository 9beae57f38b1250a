package importer

import "testing"

// What a file's name says of its host, without the words for what is in it.
func TestStem(t *testing.T) {
	for name, want := range map[string]string{
		"vios1_entstat_ent32_20261101.txt":                  "vios1",
		"lpar7 - Kopie.txt":                                 "lpar7",
		"Kopie von web-app-2.txt":                           "web-app-2",
		"fra-erp-01 (2)-2026-11-20-10-12.log":               "fra-erp-01",
		"tree/netstat_-in/fra-erp-01":                       "fra-erp-01",
		"INC0012345.txt":                                    "",
		"proc_ppc64_lparcfg_lpar7.example.com_20261127.txt": "lpar7.example.com",
		"netstat-1.txt":                                     "",
		"before.txt":                                        "",
		"root@db5":                                          "db5",
		"p9vio1 errlog.TXT":                                 "p9vio1",
		"lsdev_dev_ent5_attr.vio1a.out":                     "vio1a",
		"dbnode2_nstat-az_20240301.log":                     "dbnode2",
		"Untitled3.txt":                                     "",
		"aix-5.2c-en7":                                      "aix-5.2c", // a sample of a level
		"netstat_aix_6.txt":                                 "aix_6",
		"ifconfig_darwin_10_4_0":                            "darwin_10_4_0",
		"web7_aix-7.3_netstat.txt":                          "web7",
		"fra-aix-01":                                        "fra-aix-01",
		"aix1_netstat.txt":                                  "aix1",
		"copy/proc/net/snmp6":                               "",
		"copy/proc/net/vlan/eth7.100":                       "",
		"copy/etc/sysconfig/network-scripts/ifcfg-p3p1":     "",
		"netstat_dump.txt":                                  "",
		"wireless-info.txt":                                 "",
	} {
		if got := stem(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A file that was given alone is named after its host, if what its name holds beside words for its content may be one, or after
// all of its name: not after a piece of it.
func TestLoneFiles(t *testing.T) {
	for name, want := range map[string]string{
		"iostat-xdt.txt":         "iostat-xdt",
		"netstat-idn.txt":        "netstat-idn",
		"ethtool_-c_prv":         "ethtool_-c_prv",
		"ss-sudo-l.out":          "ss-sudo-l",
		"vmstat_state_dump":      "vmstat_state_dump",
		"wireless-info.txt":      "wireless-info",
		"bug-report.txt":         "bug-report",
		"ibm-9117-mmd.txt":       "ibm-9117-mmd",
		"cant-get-online.md":     "cant-get-online",
		"erpdb_netstat.txt":      "erpdb",
		"netstat_rn.erp":         "erp",
		"netstat_erpdb.txt":      "erpdb",
		"erp_entstat.txt":        "erp",
		"db4-netstat.txt":        "db4",
		"/saved/lsattr_sap3.txt": "sap3",
		"web-07_ethtool.txt":     "web-07",
		"netstat.txt":            "netstat",
		"erpdb_20261120.txt":     "erpdb",
	} {
		if got := loneName(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A copy of a tree that every host has is named after the folder in which it lies.
func TestAboveTree(t *testing.T) {
	for name, want := range map[string]string{
		"/a/web7/proc/net/snmp":          "/a/web7",
		"proc/sys/net/core/rmem_max":     ".",
		"/a/case/sys/class/net/eth0/mtu": "/a/case",
		"/a/web7/ip_addr.txt":            "/a/web7",
	} {
		if got := aboveTree(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A VIOS is known by the prompt of padmin, by its name and by what only an adapter that bridges has, also where AIX prints the rest the same.
func TestSignsOfVIOS(t *testing.T) {
	const lsdev = "en0 Available  Standard Ethernet Network Interface\n"
	const sea = "real_adapter    ent0     Physical adapter associated with the SEA                           True\n" +
		"virt_adapters   ent4     List of virtual adapters associated with the SEA (comma separated) True\n"
	for text, want := range map[string]string{
		"padmin@vios1:~$ lsdev -Cc if\n" + lsdev:          "vios",
		"vios1:/home/padmin $ lsdev -Cc if\n" + lsdev:     "vios",
		"root@vios1:/# lsattr -El ent5\n" + sea:           "vios",
		"root@vios1:/# lsdev -Cc if\n" + lsdev:            "vios",
		"root@erp7:/# lsdev -Cc if\n" + lsdev:             "aix",
		"root@lpar7:/# cd /home/padmin\n# lsdev -Cc if\n": "aix",
	} {
		if want == "aix" {
			text += "root@lpar7:/# lsdev -Cc if\n" + lsdev
		}
		parts, _, _ := readJoined(t, text)
		if got := decidePlatform(votes(parts)); got != want {
			t.Errorf("%q: got platform %s, want %s", text, got, want)
		}
	}
}

// Words with a number that are no hosts name none, and neither do lists of things.
func TestNoHostsInvented(t *testing.T) {
	const output = "mtu           1500          Maximum IP Packet Size for This Device     True\nmtu_bypass    off           Enable/Disable largesend                   True\n"
	for name, text := range map[string]string{
		"sections of an agent":  "<<<lnx_if>>>\n# lsattr -El en0\n" + output + "<<<ip_route2>>>\n# lsattr -El en1\n" + output,
		"titles of products":    "Slow network on AIX7\n\n# lsattr -El en0\n" + output + "\nand now on POWER10:\n\n# lsattr -El en1\n" + output,
		"the other end":         "Copy to web7:\n\n# lsattr -El en0\n" + output + "\ncompared with web8:\n\n# lsattr -El en1\n" + output,
		"steps":                 "Step1:\n\n# lsattr -El en0\n" + output + "\nStep2:\n\n# lsattr -El en1\n" + output,
		"where a pipeline runs": "Running on build-agent-3 in /var/jenkins\n# lsattr -El en0\n" + output,
		"times":                 "from yesterday:\n\n# lsattr -El en0\n" + output + "\nfrom today:\n\n# lsattr -El en1\n" + output,
		"headings of topics":    "=== network ===\n# lsattr -El en0\n" + output + "=== interfaces2 ===\n# lsattr -El en1\n" + output,
	} {
		parts, _, _ := readJoined(t, text)
		for _, p := range parts {
			if p.HostFrom != "folder name" {
				t.Errorf("%s: %s is of %q (%s), want the name of its folder", name, p.found.Kind, p.Host, p.HostFrom)
			}
		}
	}
}

// A mail's outputs are named after its folder where the mail's own name says nothing, and hosts' folders keep their domains.
func TestFolderNames(t *testing.T) {
	for dir, want := range map[string]string{
		"/a/case7/mail.txt": "case7", "/a/case7/web7.eml": "web7", "/a/aix1.example.org": "aix1.example.org", "/a/aix1.firma.pl": "aix1.firma.pl",
	} {
		if got := folderName(dir, "/a"); got != want {
			t.Errorf("%s: got %s, want %s", dir, got, want)
		}
	}
}
