package importer

import (
	"slices"
	"testing"
)

// Of outputs that name no host, the words around them may: one name, and in a sentence that says so.
func TestNamesInWords(t *testing.T) {
	const output = "==== lsattr -El en0 ====\nalias4                      IPv4 Alias including Subnet Mask           True\n" +
		"mtu           1500          Maximum IP Packet Size for This Device     True\nmtu_bypass    off           Enable/Disable largesend                   True\n"
	for words, want := range map[string]string{
		"Outputs of erpdb03 as you asked.\n\n":                                     "erpdb03",
		"Here is what I get on web-7.example.com, it is slow.\n\n":                 "web-7.example.com",
		"Subject: Cron <root@nimsrv> /usr/local/bin/netcheck\nTo: root@nimsrv\n\n": "nimsrv",
		"Host p9host6\n\n": "p9host6",
		"Hi,\n\nhere is what you asked for from dbnode1.\n\n":                                               "dbnode1",
		"and this is rhel9db:\n\n":                                                                          "rhel9db",
		"*** oradb2 ***\n\n":                                                                                "oradb2",
		"This runs on AIX73TL3 and on rhel9:\n\n":                                                           "",
		"I have a slow host \"db4\", and this is it.\n\n":                                                   "db4",
		"Data of db4, and below it results from db5, please.\n\n":                                           "", // two
		"Copying from nas01 is slow, whatever we try.\n\n":                                                  "",
		"This is the output of AIX7 as you asked, please help.\n\n":                                         "",
		"Outputs of web:\n\n" + output + "\nand outputs of db4:\n\n":                                        "", // two, too
		"# cat /etc/hosts\n127.0.0.1 localhost\n192.0.2.17 vios7\n2001:db8::17 vios7 # its other address\n": "", // others
		"# cat /etc/hosts\n192.0.2.15 nas\n192.0.2.18  master-1.ocp.example.com master-1\n\n":               "",
		"10:12:01 outputs of erpdb03\n\n":                                                                   "erpdb03",
		"Outputs of erpdb03.\n\n192.0.2.17 vios7\n\n":                                                       "erpdb03",
		"The output of ent0 shows it, please help.\n\n":                                                     "",
	} {
		parts, _, _ := readJoined(t, words+output)
		var got []string
		for _, p := range parts {
			host := p.Host
			if p.HostFrom != "words around the outputs" {
				host = ""
			}
			if !slices.Contains(got, host) {
				got = append(got, host)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: hosts %q, want %s", words, got, want)
		}
	}
}

// Commands that run on another host are not those of the host on which they were typed, and neither is what a login prints.
func TestRunFromAnotherHost(t *testing.T) {
	const lsdev = "en0 Available  Standard Ethernet Network Interface\nen1 Defined    Standard Ethernet Network Interface\n"
	const ip = "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000\n    link/ether 52:54:00:00:00:17 brd ff:ff:ff:ff:ff:ff\n"
	for text, want := range map[string]string{
		"Last login: Fri Nov 20 10:00:00 2026 from 10.1.1.1\nadmin@jump01:~$ ssh root@lpar7 'lsdev -Cc if'\n" + lsdev: "lpar7",
		"root@nim:/# dsh -n dbsrv \"lsdev -Cc if\"\n" + marked("dbsrv: ", lsdev):                                      "dbsrv",
		"admin@mgmt:~$ pssh -i -H \"lpar7\" \"lsdev -Cc if\"\n[1] 10:12:01 [SUCCESS] lpar7\n" + lsdev:                 "lpar7",
		"[admin@bastion ~]$ oc debug node/worker1 -- chroot /host ip link\nStarting pod/worker1-debug-x7k2p ...\n" +
			"To use host binaries, run `chroot /host`\n" + ip + "\nRemoving debug pod ...\n": "worker1",
		"PS C:\\Users\\anna> plink -batch root@lpar7 \"lsdev -Cc if\"\n" + lsdev:                                                                "lpar7",
		"[root@node2 ~]# docker exec -it vm2 ip link\n" + ip:                                                                                    "vm2",
		"[root@node2 ~]# kubectl exec -it web-0 -- sh\n# ip link\n" + ip + "# exit\n":                                                           "web-0",
		"login as: padmin\npadmin@lpar7's password:\n$ lsdev -Cc if\n" + lsdev:                                                                  "lpar7",
		"[root@lpar7:/tmp] lsdev -Cc if\n" + lsdev:                                                                                              "lpar7",
		"[root@lpar7]</>lsdev -Cc if\n" + lsdev:                                                                                                 "lpar7",
		"> [root@lpar7 ~]# lsdev -Cc if\n" + lsdev + "[root@lpar7 ~]# lsdev -Cc if\n" + lsdev:                                                   "lpar7",
		"hostname=lpar7\n--- BEGIN lsdev -Cc if ---\n" + lsdev + "--- END lsdev -Cc if ---\n":                                                   "lpar7",
		marked("lpar7/lsdev-Cc-if.txt:", lsdev):                                                                                                 "lpar7",
		"==> lpar7/lsdev-Cc-if.txt <==\n" + lsdev + "\n==> lpar7/lsattr-El.en0.txt <==\nmtu 1500 Maximum IP Packet Size for This Device True\n": "lpar7",
	} {
		parts, _, _ := readJoined(t, text)
		known := 0
		for _, p := range parts {
			if p.Host != want {
				t.Errorf("%q: host %s of %s", text, p.Host, p.found.Kind)
			}
			if p.found.ID != otherID {
				known++
			}
		}
		if known == 0 {
			t.Errorf("%q: nothing was recognised", text)
		}
	}
}

// Files of one name in several folders are of several hosts, whatever these are called.
func TestFoldersOfHosts(t *testing.T) {
	const lsdev = "en0 Available  Standard Ethernet Network Interface\n"
	parts, _, _ := readJoined(t, "==> db/lsdev-Cc-if.txt <==\n"+lsdev+"\n==> web7/lsdev-Cc-if.txt <==\n"+lsdev)
	var got []string
	for _, p := range parts {
		got = append(got, p.Host)
	}
	if !slices.Equal(got, []string{"db", "web7"}) {
		t.Errorf("hosts %q, want db and web7", got)
	}
}
