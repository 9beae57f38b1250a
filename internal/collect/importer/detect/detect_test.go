package detect

import (
	"strings"
	"testing"

	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/importertest"
)

// Prose, code and other commands' outputs are nothing that is known.
func TestOthers(t *testing.T) {
	for name, text := range map[string]string{
		"prose":      "The entstat command shows statistics.\nUse lsattr -El en0 to see the attributes of an interface.\n",
		"markdown":   "# Notes\n\n* entstat -d ent0: see below\n* mtu_bypass must be on\n",
		"json":       `{"schema":"seaworthy.findings/1","hosts":["lpar1"]}` + "\n",
		"go":         "package main\n\nfunc main() { println(1) }\n",
		"df":         "Filesystem    512-blocks      Free %Used    Iused %Iused Mounted on\n/dev/hd4          655360    330208   50%    12345    25% /\n",
		"ps":         "     UID     PID    PPID   C    STIME    TTY  TIME CMD\n    root       1       0   0   Jan 02      -  1:23 /etc/init\n",
		"hosts file": "127.0.0.1 loopback localhost\n10.1.1.1 lpar1\n",
		"ini":        "[default]\nname = value\n",
		"binary":     "\x7fELF\x02\x01\x01\x00\x00\x00",
		"blank":      " \n\n\t\n",
	} {
		if f, ok := Text([]byte(text), Hint{}); ok {
			t.Errorf("%s: taken for %s (%d of %d lines)", name, f.Kind, f.Understood(), f.Report.Lines)
		}
	}
}

// The command that is said to have printed a text does not make it one.
func TestHintIsNotBelieved(t *testing.T) {
	ifconfig := ""
	for _, o := range importertest.LPAR("lpar1", "10.1.1.11") {
		if o.Command == "ifconfig -a" {
			ifconfig = o.Text
		}
	}
	f, ok := Text([]byte(ifconfig), Hint{Command: "netstat -s", File: "entstat-d.ent0.txt"})
	if !ok || f.ID != "ifconfig-a" {
		t.Errorf("got %+v %v, want ifconfig -a", f, ok)
	}
	if f, ok := Text([]byte("some words\nand others\n"), Hint{Command: "ifconfig -a"}); ok {
		t.Errorf("words: taken for %s", f.Kind)
	}
}

// What prints alike is distinguished by the command line or the name alone.
func TestForms(t *testing.T) {
	text := []byte("alt_addr       0x000000000000 Alternate Ethernet Address True\nchksum_offload yes            Enable Checksum Offload    True\n")
	for _, c := range []struct {
		hint             Hint
		id, device, want string
	}{
		{Hint{Command: "lsattr -Dl ent3"}, "lsattr-Dl", "ent3", "lsattr -Dl ent3"},
		{Hint{Command: "/usr/sbin/lsattr -E -l ent3 -H"}, "lsattr-El", "ent3", "/usr/sbin/lsattr -E -l ent3 -H"},
		{Hint{File: "lsattr-Dl.ent3.txt"}, "lsattr-Dl", "ent3", "lsattr -Dl ent3"},
		{Hint{File: "lpar1_lsattr_ent12.out"}, "lsattr-El", "ent12", "lsattr -El ent12"},
		{Hint{File: "x-ent4.txt"}, "lsattr-El", "ent4", "lsattr -El ent4"},
		{Hint{}, "lsattr-El", "", "lsattr -El"},
	} {
		f, ok := Text(text, c.hint)
		if !ok || f.ID != c.id || f.Element != c.device || f.Command != c.want {
			t.Errorf("%+v: got %+v, want %s of %q by %q", c.hint, f, c.id, c.device, c.want)
		}
	}
}

// A VIOS heads all attributes of a device as AIX heads lsattr -EHl: the
// command line distinguishes them, and says which device it was.
func TestAllAttributesOfADevice(t *testing.T) {
	text := "attribute    value description                     user_settable\n\n" +
		"jumbo_frames no    Enable Gigabit Ethernet Jumbo Frames True\nlargesend    0     Enable Hardware Transmit TCP Resegmentation True\n"
	for line, want := range map[string]string{
		"lsdev -dev ent5 -attr": "lsdev-dev-attr ent5",
		"lsattr -EHl ent5":      "lsattr-El ent5",
		"":                      "lsattr-El ",
	} {
		f, ok := Text([]byte(text), Hint{Command: line})
		if !ok || f.ID+" "+f.Element != want {
			t.Errorf("%q: got %+v, want %s", line, f, want)
		}
	}
}

// Tables of neighbours are distinguished from other lists of addresses.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct{ command, text, id string }{
		{"", "  ? (10.0.0.9) at 0:9:6b:2e:1:7 [ethernet] stored in bucket 3\n\nThere are 1 entries in the arp table.\n", "arp-an"},
		{"arp -a", "There are 0 entries in the arp table.\n", "arp-an"},
		{"", "IP address       HW type     Flags       HW address            Mask     Device\n10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0\n", "proc-net-arp"},
	} {
		f, ok := Text([]byte(c.text), Hint{Command: c.command})
		if !ok || f.ID != c.id || len(f.Report.Unknown) > 0 {
			t.Errorf("%q: got %+v, want %s, all of it understood", c.text, f, c.id)
		}
	}
}

func TestParseCommand(t *testing.T) {
	for line, want := range map[string]Call{
		"entstat -d ent4":                                 {"entstat-d", "ent4", "", "entstat", "", "", "", false},
		"ioscli entstat -all ent5":                        {"entstat-all", "ent5", "", "entstat", "", "", "", false},
		"LC_ALL=C /usr/bin/netstat -ni | head":            {"netstat-in", "", "", "netstat", "", "", "", false},
		"netstat -v ent0":                                 {"netstat-v", "ent0", "", "netstat", "", "", "", false},
		"lsattr -Rl ent0 -a max_buf_small":                {"lsattr-Rl", "ent0", "max_buf_small", "lsattr", "", "", "", false},
		"lsdev -dev ent9 -attr adapter_reset":             {"lsdev-dev-attr", "ent9", "", "lsdev", "", "", "", false},
		"lsdev -Cc if":                                    {"lsdev-Cc-if", "", "", "lsdev", "", "", "", false},
		"lsmap -all -net -fmt :":                          {"lsmap-all-net", "", "", "lsmap", "", "", "", false},
		"ssh -p 22 root@lpar7 /usr/bin/entstat -d ent1":   {"entstat-d", "ent1", "", "entstat", "lpar7", "", "", true},
		`viosvrcmd -m S824 -p vios1 -c "lsmap -all -net"`: {"lsmap-all-net", "", "", "lsmap", "vios1", "", "", true},
		`pssh -i -H "root@lpar1" "lsattr -El ent5"`:       {"lsattr-El", "ent5", "", "lsattr", "lpar1", "", "", true},
		"salt 'lpar1' cmd.run 'netstat -in'":              {"netstat-in", "", "", "netstat", "lpar1", "", "", true},
		"salt '*' cmd.run 'netstat -in'":                  {"netstat-in", "", "", "netstat", "", "", "", true},
		"salt -L 'a,b' cmd.run 'netstat -in'":             {"netstat-in", "", "", "netstat", "", "", "", true},
		"ansible all -m raw -a 'netstat -in'":             {"netstat-in", "", "", "netstat", "", "", "", true},
		"plink -batch -pw secret root@lpar1 no -a":        {"no-a", "", "", "no", "lpar1", "", "", true},
		"oc debug node/worker1 -- chroot /host ip addr":   {"ip-addr", "", "", "ip", "worker1", "", "", true},
		"kubectl exec -n net pod/diag-7 -c c1 -- ip addr": {"ip-addr", "", "", "ip", "diag-7", "", "", true},
		`dsh -n lpar1,lpar2 "lsattr -El en0"`:             {"lsattr-El", "en0", "", "lsattr", "", "", "", true},
		`ansible aix -m shell -a 'entstat -d ent0'`:       {"entstat-d", "ent0", "", "entstat", "", "", "", true},
		`echo "lsattr -El ent5" | oem_setup_env`:          {"lsattr-El", "ent5", "", "lsattr", "", "", "", false},
		"clcmd netstat -in":                               {"netstat-in", "", "", "netstat", "", "", "", true},
		`su - root -c "no -a"`:                            {"no-a", "", "", "no", "", "", "", false},
		"ssh lpar7":                                       {"", "", "", "ssh", "", "", "", false},
		"ip -j -d addr":                                   {"ip-addr", "", "", "ip", "", "", "", false},
		"ethtool -k eth0":                                 {"ethtool-k", "eth0", "", "ethtool", "", "", "", false},
		"cat /proc/net/bonding/bond0":                     {"proc-net-bonding", "bond0", "", "cat", "", "", "/proc/net/bonding/bond0", false},
		"grep eth5 /proc/interrupts":                      {"proc-interrupts", "", "", "grep", "", "", "", false},
		"head -20 /proc/cpuinfo":                          {"cpuinfo", "", "", "head", "", "", "/proc/cpuinfo", false},
		"tail -n 3 /proc/sys/net/core/rmem_max":           {"", "", "", "tail", "", "", "/proc/sys/net/core/rmem_max", false},
		"grep rmem /proc/sys/net/core/rmem_max":           {"", "", "", "grep", "", "", "", false},
		"cat /etc/hosts":                                  {Program: "cat", File: "/etc/hosts"},
		"ip netns exec q-1 ip -d -j addr":                 {"ip-addr", "", "", "ip", "", "q-1", "", false},
		"ip -n q-1 -j link":                               {"ip-link", "", "", "ip", "", "q-1", "", false},
		"ps aux":                                          {"processes", "", "", "ps", "", "", "", false},
		"vmstat 5 3":                                      {"vmstat-rows", "", "", "vmstat", "", "", "", false},
		"vmstat -s":                                       {"vmstat", "", "", "vmstat", "", "", "", false},
		"time getent hosts b.example.com":                 {"lookup-time", "", "", "getent", "", "", "", false},
		"netstat -tulpn":                                  {"netstat-an", "", "", "netstat", "", "", "", false},
		"netstat -an -f inet | grep LISTEN":               {"netstat-an", "", "", "netstat", "", "", "", false},
		"netstat -st":                                     {"netstat-s", "", "", "netstat", "", "", "", false},
		"netstat -p tcp":                                  {"netstat-s", "", "", "netstat", "", "", "", false},
		"uname":                                           {"uname", "", "", "uname", "", "", "", false},
		"uname -r":                                        {"uname-r", "", "", "uname", "", "", "", false},
		"lsdev -Cc disk":                                  {"lsdev-Cc-other", "", "", "lsdev", "", "", "", false},
		"cat /sys/class/net/bond0/bonding/slaves":         {"sys-class-net", "bond0", "", "cat", "", "", "/sys/class/net/bond0/bonding/slaves", false},
		"ps -ef": {Program: "ps"},
		"":       {},
	} {
		if got := ParseCommand(line); got != want {
			t.Errorf("%q: got %+v, want %+v", line, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, o := range importertest.LPAR("lpar1", "10.1.1.11") {
		f.Add([]byte(o.Text), o.Command, o.File)
	}
	f.Add([]byte("lpar_name=a,lpar_id=1,port_vlan_id=1\n"), "lshwres", "x")
	f.Fuzz(func(t *testing.T, text []byte, command, file string) {
		found, ok := Text(text, Hint{Command: command, File: file})
		if !ok {
			return
		}
		if found.ID == "" || found.Kind == "" || found.Understood() < 0 || found.Understood() > found.Report.Lines {
			t.Errorf("got %+v", found)
		}
		if strings.ContainsAny(found.Host, " /\n") {
			t.Errorf("host %q is no name", found.Host)
		}
	})
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{"entstat -d ent0", "sudo /usr/sbin/lsattr -Rl ent0 -a max_buf_small | head", "ioscli lsdev -dev ent5 -attr", "x=1 netstat", ";", "'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if c := ParseCommand(line); c.ID != "" && (registry.Find(c.ID) == nil || c.Program == "") {
			t.Errorf("ParseCommand(%q): got %+v, want an entry of the registry and its program", line, c)
		}
	})
}

// What an HMC lists is known by its columns, wherever they stand.
func TestHMCLists(t *testing.T) {
	for _, c := range []struct{ command, text, id string }{
		{"", "name=s1,type_model=9009-22A,serial_num=12345AB,state=Operating\n", "hmc-lssyscfg-sys"},
		{"", "name,type_model,serial_num\ns1,9009-22A,12345AB\n", "hmc-lssyscfg-sys"},
		{"lssyscfg -r sys -F name:type_model:serial_num", "s1:9009-22A:12345AB\n", "hmc-lssyscfg-sys"},
		{"lshwres -r virtualio --rsubtype eth --level lpar -m s1 -F lpar_name,port_vlan_id", "lpar1,10\nlpar2,null\n", "hmc-lshwres-eth"},
		{"", "lpar_name,slot_num,vswitch,port_vlan_id\nlpar1,2,ETHERNET0,10\n", "hmc-lshwres-eth"},
		{"", "lpar_name=lpar1,lpar_id=3,slot_num=5,port_vlan_id=0,backing_devices=sriov/v/1/1/0\n", "hmc-lshwres-vnic"},
		{"", "adapter_id=1,lpar_name=lpar1,lpar_id=3,logical_port_id=27004001,port_vlan_id=0\n", "hmc-lshwres-sriov"},
		{"", "vnetwork=VLAN10-ETHERNET0,vlan_id=10,vswitch=ETHERNET0,tagged=1\n", "hmc-lshwres-vnetwork"},
		{"", "vswitch=ETHERNET0(Default),switch_mode=VEB,vlan_ids=none\n", "hmc-lshwres-vswitch"},
		{"lshwres -r virtualio --rsubtype eth -m s1", "No results were found.\n", "hmc-lshwres"},
	} {
		found, ok := Text([]byte(c.text), Hint{Command: c.command})
		if !ok || found.ID != c.id {
			t.Errorf("%s: %q: got %+v, want %s", c.command, c.text, found, c.id)
			continue
		}
		if c.command != "" && found.Command != c.command {
			t.Errorf("%s: got command %q: what was asked for is lost", c.command, found.Command)
		}
		if len(found.Report.Unknown) > 0 {
			t.Errorf("%s: not understood: %v", c.id, found.Report.Unknown)
		}
	}
}

// A command that only complained has answered nothing; what it said is kept.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ command, text, id, element string }{
		{"", "\nentstat: 0909-003 Unable to connect to device ent77, errno = 19\n", "entstat-d", "ent77"},
		{"entstat -d ent7", "entstat: 0909-002 Unable to open device ent7, errno = 13\n", "entstat-d", "ent7"},
		{"lsattr -El en9", "lsattr: 0514-519 The following device was not found in the customized\n\tdevice configuration database:\n\ten9\n", "lsattr-El", "en9"},
		{"seastat -d ent5", "ksh: seastat:  not found.\n", "seastat", "ent5"},
	} {
		found, ok := Text([]byte(c.text), Hint{Command: c.command})
		if !ok || found.ID != c.id || found.Element != c.element || len(found.Report.Warnings) != 1 {
			t.Errorf("%q: got %+v, want %s of %s with a warning", c.text, found, c.id, c.element)
		}
	}
	for _, text := range []string{"frobnicate: 0909-003 Unable to connect to device ent77\n", "entstat: all is well\n"} {
		if found, ok := Text([]byte(text), Hint{}); ok {
			t.Errorf("%q: got %+v, want nothing known", text, found)
		}
	}
}

// Forms that only their columns identify.
func TestColumns(t *testing.T) {
	for _, c := range []struct{ file, text, id, element string }{
		{"lsattr_F.en0.txt", "mtu:1500:Maximum IP Packet Size for This Device:True\nmtu_bypass:off:Enable/Disable largesend for virtual Ethernet:True\n", "lsattr-El", "en0"},
		{"x", "# Slot                  Description        Device(s)\nU9009.22A.12345AB-V1-C0     Virtual I/O Slot  vsa0\nU9009.22A.12345AB-V1-C2     Virtual I/O Slot  ent5\n", "lsdev-slots", ""},
	} {
		found, ok := Text([]byte(c.text), Hint{File: c.file})
		if !ok || found.ID != c.id || found.Element != c.element {
			t.Errorf("%s: got %+v, want %s of %q", c.file, found, c.id, c.element)
		}
	}
}

// A list of values has no mark of its own, and no other shape to be known by.
func TestListsOfValues(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		hint Hint
		id   string
	}{
		"behind a prompt": {"1\n2\n4\n8\n", Hint{Command: "lsattr -Rl ent0 -a queues_rx"}, "lsattr-Rl"},
		"in a file":       {"no\nyes\n", Hint{File: "lsattr-Rl.ent0.jumbo_frames.txt"}, "lsattr-Rl"},
		"no values":       {"\x85\x95\xa3\xf0\n", Hint{File: "lsattr-Rl.ent0.jumbo_frames.txt"}, ""},
		"alone":           {"1\n2\n4\n8\n", Hint{}, ""},
		"indented range":  {"    1...4096 (+1)\n", Hint{Command: "lsattr -Rl ent0 -a max_buf_tiny"}, "lsattr-Rl"},
	} {
		id, attribute := "", ""
		if f, ok := Text([]byte(c.text), c.hint); ok {
			id, attribute = f.ID, f.Attribute
		}
		if id != c.id || (id != "") != (attribute != "") {
			t.Errorf("%s: got %q of attribute %q, want %q", name, id, attribute, c.id)
		}
	}
}

// The forms of oslevel are not each other's.
func TestLevels(t *testing.T) {
	for text, want := range map[string]string{
		"7200-05-06-2320\n": "oslevel-s", "7200-05\n": "oslevel-r", "7.2.0.0\n": "oslevel",
		"Known Service Packs\n-------------------\n7200-05-06-2320\n7200-05-05-2246\n":    "oslevel-q",
		"7.2.0.0\nKnown Maintenance Levels\n------------------------\n7.2.0.0\n7.1.0.0\n": "oslevel-q",
	} {
		f, ok := Text([]byte(text), Hint{})
		if !ok || f.ID != want {
			t.Errorf("%q: got %+v, want %s", text, f, want)
		}
	}
}

// A text with a device's name and nothing else is none's statistics.
func TestEmptyStatistics(t *testing.T) {
	if f, ok := Text([]byte("ETHERNET STATISTICS (ent0) \u00ff\nDevice Type\u00ff x\n"), Hint{}); ok {
		t.Errorf("got %+v, want nothing", f)
	}
}

// Of the kinds of output that a text could be, most are ruled out without their expressions: an import of thousands
// of outputs takes milliseconds for each.
func TestFewExpressionsAreTried(t *testing.T) {
	tried, all := 0, 0
	for _, o := range importertest.LPAR("lpar1", "10.1.1.11") {
		for _, e := range registry.Entries() {
			all++
			if e.Mark != nil && e.Mark.Possible([]byte(o.Text)) {
				tried++
			}
		}
	}
	if tried*2 > all {
		t.Errorf("%d of %d expressions are tried, want half at most", tried, all)
	}
}
