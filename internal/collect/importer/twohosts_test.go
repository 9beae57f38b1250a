package importer_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// pprinted is a text as Python's pprint breaks it: a literal for each line.
func pprinted(text string) string {
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\\n'\n             '")
}

// Outputs of two hosts in one text in which no word says so are refused, whichever sign shows it; one host's are not.
func TestTwoHostsWithoutWords(t *testing.T) {
	port := func(name, mac, address string) string {
		return name + "      Link encap:Ethernet  HWaddr " + mac + "\n          inet addr:" + address + "  Bcast:192.0.2.255  Mask:255.255.255.0\n" +
			"          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n\n"
	}
	whole := func(device string) string {
		return "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n" +
			"2: " + device + ": <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    altname x" + device + "\n"
	}
	aix := "# ifconfig -a\nen0: flags=1e080863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT>\n" +
		"        inet 192.0.2.15 netmask 0xffffff00 broadcast 192.0.2.255\n         tcp_sendspace 262144 tcp_recvspace 262144 rfc1323 1\n"
	for name, c := range map[string]struct {
		text  string
		hosts int
	}{
		"masked MACs, one port twice": {port("eth0", "AA:FF:DD:CC:55:QA", "192.0.2.48") + port("eth0", "A2:A0:D9:BB:67:XX", "192.0.2.116"), 0},
		"two ports":                   {port("eth0", "AA:FF:DD:CC:55:QA", "192.0.2.48") + port("eth1", "A2:A0:D9:BB:67:XX", "192.0.2.116"), 1},
		"AIX and Linux":               {port("eth0", "02:00:00:00:00:01", "192.0.2.48") + aix, 0},
		"other devices":               {"# ip addr\n" + whole("eth0") + "# ip addr\n" + whole("enp3s0"), 0},
		"the same devices":            {"# ip addr\n" + whole("eth0") + "# ip addr\n" + whole("eth0"), 1},
		"lparstat of two systems":     {"# lparstat -i\nOnline Virtual CPUs : 2\nMaximum Physical CPUs in system : 16\n\nMode : Capped\nMaximum Physical CPUs in system : 64\n", 0},
		"netstat -s of both":          {"Tcp:\n    369404024 segments received\n    11357 segments retransmitted\nicmp:\n        4069305 calls to icmp_error\n        0 errors not generated because old message was icmp\n", 0},
		"a port's virtual functions":  {"# ip link\n" + whole("eth0") + "    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n    vf 0     link/ether 02:00:00:00:00:77 brd ff:ff:ff:ff:ff:ff, spoof checking on\n", 1},
		"of one host, as it says":     {"root@web7:~# ip addr\n" + whole("eth0") + "root@web7:~# ip addr\n" + whole("enp3s0"), 1},
	} {
		in := put(t, map[string]string{"saved.txt": c.text})
		r, err := importer.Import(t.Context(), []string{in}, filepath.Join(t.TempDir(), "out"), importer.Options{})
		if len(r.Hosts) != c.hosts || (err != nil) != (c.hosts == 0) {
			t.Errorf("%s: got %d hosts, want %d: %v", name, len(r.Hosts), c.hosts, err)
		}
	}
}

// Two hosts' answers in one text, in the forms of tools and of people, are of two hosts, each with its own.
func TestTwoHostsInOneText(t *testing.T) {
	table := func(mac, ip string) string {
		return "Name  Mtu   Network     Address                 Ipkts     Ierrs        Opkts     Oerrs  Coll\n" +
			"en0   1500  link#2      fa.c2.11.4c.20." + mac + "        8         0            7         0      0\n" +
			"en0   1500  192.0.2     192.0.2." + ip + "              8         0            7         0      0\n"
	}
	first, second := table("2", "15"), table("3", "16")
	addresses := map[string]string{"lpar7": "fa:c2:11:4c:20:02", "lpar8": "fa:c2:11:4c:20:03"}
	oneLine := func(text string) string { return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", `\n`) }
	for name, form := range map[string]string{
		"Salt":                   "HOST:\nINDENTED",
		"a script's blanks":      "HOST:\n  netstat -in: |\nMORE",
		"ansible -o":             "HOST | CHANGED | rc=0 | (stdout) ONELINE\n",
		"pssh":                   "[1] 08:00:00 [SUCCESS] HOST\nTEXT",
		"parallel --tag":         "TAGGED",
		"sections of INI":        "[HOST]\ncommand = netstat -in\n\nTEXT\n",
		"headings of one line":   "Host: HOST  User: root  Date: 2026-11-27\nCommand: netstat -in\nRC: 0\nOutput:\nTEXT\n",
		"sentences":              "Hello,\n\nnetstat -in on HOST shows:\n\nTEXT\n",
		"a script's words":       "Executing 'netstat -in' on host HOST...\nTEXT",
		"hosts in headings":      "##### netstat -in on HOST #####\nTEXT",
		"records":                "{\"HOST\": \"JSON\"}\n",
		"ssh of PowerShell":      "PS C:\\> ssh root@HOST netstat -in\nTEXT",
		"a traced loop":          "+ ssh HOST netstat -in\nTEXT",
		"psql -x":                "-[ RECORD 1 ]-----------------\nhost    | HOST\ncommand | netstat -in\noutput  | PSQL\n",
		"a dictionary of Python": "{'host': 'HOST', 'command': 'netstat -in', 'output': 'PYTHON'}\n",
		"pprint":                 "[{'host': 'HOST',\n  'command': 'netstat -in',\n  'output': ('PPRINT')}]\n",
		"Discord":                "[27-Nov-26 10:11 AM] oper\n`netstat -in` on HOST\n```\nTEXT```\n\n",
		"Slack":                  "oper  10:11 AM\nnetstat -in on HOST:\nTEXT\n",
		"SSHKit":                 "  INFO [0a1b2c3d] Running /usr/bin/env netstat -in as root@HOST\n DEBUG [0a1b2c3d] Command: /usr/bin/env netstat -in\nSSHKIT  INFO [0a1b2c3d] Finished in 0.512 seconds with exit status 0 (successful).\n",
		"a form's field":         "Created By: Anna\nHostname: HOST\n# netstat -in\nTEXT\n",
		"OneNote":                "HOST\nFriday, November 27, 2026\n10:12 AM\n\nnetstat -in\nTEXT\n",
		"bold hosts":             "**HOST** `netstat -in`:\n```\nTEXT```\n",
		"a command and a host":   "netstat -in on HOST:\n\nTEXT\n",
		"Vagrant":                "==> HOST: Running provisioner: shell...\nVAGRANT",
		"MCollective":            "HOST:\nINDENTED\n",
		"Nornir": "netstat -in*********************************************************************\n* HOST ** changed : False *******************************************************\n" +
			"vvvv netstat -in ** changed : False vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv INFO\nTEXT^^^^ END netstat -in ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n",
		"sides":                  "On the HOST side:\n\nTEXT\n",
		"words of German":        "Ausgabe von HOST:\n\nTEXT\n",
		"a login from elsewhere": "oper@bastion:~$ ssh HOST\nLast login: Fri Nov 27 10:11:12 2026 from 192.0.2.200\n$ netstat -in\nTEXT$ exit\nlogout\nConnection to HOST closed.\n",
		"prompts of a word":      "HOST% netstat -in\nTEXT",
		"lines of one frame":     "Q: What does netstat -in say on HOST?\nA:\nTEXT\n",
		"titles in a box":        "+------------------+\n| HOST            |\n+------------------+\n>>> netstat -in\nTEXT",
		"tags of a build":        "TAGS",
		"records of a sender":    "{\"agent\": {\"hostname\": \"HOST\"}, \"command\": \"netstat -in\", \"output\": \"JSON\"}\n",
		"a value of Ruby":        "{\"HOST\"=>{\"netstat -in\"=>\"JSON\"}}\n",
		"a value of Perl":        "$VAR1 = {\n  'HOST' => {\n    'netstat -in' => 'TEXT'\n  }\n};\n",
		"a value of PHP":         "array (\n  'HOST' => \n  array (\n    'netstat -in' => 'TEXT',\n  ),\n)\n",
		"a page of definitions":  "<dl><dt>HOST</dt><dd><tt>netstat -in</tt><pre>TEXT</pre></dd></dl>\n",
		"journals put together":  "Nov 27 08:00:01 HOST check[1]: # netstat -in\nJOURNAL",
	} {
		var b strings.Builder
		for host, text := range map[string]string{"lpar7": first, "lpar8": second} {
			b.WriteString(strings.NewReplacer("TAGS", before("[NORMAL] 10:11:12 [oper@"+host+" 1-sh][NORMAL] ", "# netstat -in\n"+text), "PSQL", strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "   +\n        | "), "PYTHON", oneLine(text), "PPRINT", pprinted(text),
				"SSHKIT", before(" DEBUG [0a1b2c3d] \t", text), "VAGRANT", before("    "+host+": ", text), "HOST", host, "INDENTED", before("    ", text), "MORE", before("    ", text), "ONELINE", oneLine(text),
				"JSON", oneLine(text), "TAGGED", before(host+"\t", text), "JOURNAL", before("Nov 27 08:00:01 "+host+" check[1]: ", text), "TEXT", text).Replace(form))
		}
		t.Run(name, func(t *testing.T) {
			r, fleet := imported(t, importer.Options{}, put(t, map[string]string{"saved.txt": b.String()}))
			if got := slices.Sorted(maps.Keys(found(r))); !slices.Equal(got, []string{"lpar7", "lpar8"}) {
				t.Errorf("%s: got hosts %v, want lpar7 and lpar8", name, got)
				return
			}
			for _, h := range fleet.Hosts {
				want := addresses[h.Name]
				if e := h.Elements["en0"]; e == nil || e.MAC != want {
					t.Errorf("%s: %s has en0 %v, want it with the MAC %s", name, h.Name, e != nil, want)
				}
			}
		})
	}
}
