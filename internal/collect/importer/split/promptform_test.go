package split

import "testing"

// Prompts of administrators, with the host and what was typed; and lines of outputs and texts that are none.
func TestPromptForms(t *testing.T) {
	for line, want := range map[string][2]string{
		"{lpar1} / # oslevel -s":                                         {"lpar1", "oslevel -s"},
		"lpar1:[root]/> lsdev -Cc adapter":                               {"lpar1", "lsdev -Cc adapter"},
		"lpar1.root / => lscfg -vpl ent0":                                {"lpar1", "lscfg -vpl ent0"},
		`[CORP\oper@lpar1 tmp]$ netstat -in`:                             {"lpar1", "netstat -in"},
		"root@lpar1 [/tmp]> netstat -in":                                 {"lpar1", "netstat -in"},
		"<lpar1> / # netstat -in":                                        {"lpar1", "netstat -in"},
		"lpar1:oracle 8> mpstat":                                         {"lpar1", "mpstat"},
		"\t[root@web7 tmp]# ip addr":                                     {"web7", "ip addr"},
		"        root@web7:~# date":                                      {"web7", "date"},
		"    # lsattr -El ent2":                                          {"", "lsattr -El ent2"},
		"    # hostname":                                                 {"", "hostname"},
		"> $ oslevel -s":                                                 {"", "oslevel -s"},
		"    # of the adapters":                                          {"", ""},
		"    RX: bytes  packets > errors":                                {"", ""},
		"  # lsattr is a command of AIX":                                 {"", ""},
		"<performance> {enabled} / # of what":                            {"", ""},
		"{ \"ifname\": \"eth0\", \"mtu\": 1500 } # the first of several": {"", ""},
	} {
		_, host, command, ok := prompt(line)
		if ok != (want[1] != "") || ok && (host != want[0] || command != want[1]) {
			t.Errorf("%q: got host %q, command %q, %t, want %q", line, host, command, ok, want)
		}
	}
}

// The first line of a text in Markdown is its title; one about a program is none of its prompts either.
func TestTitlesAreNoPrompts(t *testing.T) {
	link := "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n"
	for _, title := range []string{"# lparstat on Linux displays lcpu=1\n\n", "# reduce the MTU of a tunnel\n\n", "words\n# iperf3 performance drops\n"} {
		c := session(split([]byte(title + "# ip addr\n" + link)))
		if c == nil || len(c.Pieces) > 2 || c.Pieces[len(c.Pieces)-1].Command != "ip addr" {
			t.Errorf("%q: got %+v, want the title above one output", title, c)
		}
	}
	c := session(split([]byte("# ethtool -k eth0\n\nFeatures for eth0:\nrx-checksumming: on\n")))
	if c == nil || c.Pieces[0].Command != "ethtool -k eth0" {
		t.Errorf("a command in the first line: got %+v", c)
	}
}
