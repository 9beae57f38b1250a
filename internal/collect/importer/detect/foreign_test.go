package detect

import (
	"strings"
	"testing"
)

func TestUnread(t *testing.T) {
	for text, want := range map[string]string{
		"ent0  Verf\u00fcgbar 00-00 2-Port-Adapter\n":          "LC_ALL=C",
		"ent0  Verf\xfcgbar 00-00 2-Port-Adapter\n":            "LC_ALL=C",
		"ent1  \u4f7f\u7528\u53ef\u80fd  (l-lan)\n":            "LC_ALL=C",
		"Configuration du syst\u00e8me : type=Shared lcpu=8\n": "LC_ALL=C",
		"ent0 here and there\n":                                "",
		"caf\u00e9\n":                                          "",
		"%PDF-1.4\n%\xe2\xe3":                                  "a PDF",
		"OS\n  Hostname: web7\n  Distro:   [redhat-release] Red Hat Enterprise Linux release 8.8 (Ootpa)\n": "import the sosreport itself",
		"ETHTOOL\n  Interface Status:\n    eth0   link=up 1000Mb/s full (autoneg=Y)\n":                      "import the sosreport itself",
		"<?xml version=\"1.0\"?><w:document><w:t>mtu</w:t></w:document>":                                    "word processor",
		"     1\tmtu 1500\n     2\tmtu_bypass on\n     3\tstate up\n":                                       "line numbers",
		"[10:00:01] mtu\n[10:00:02] on\n[10:00:03] up\n":                                                    "time before each line",
		"\u2502 mtu 1500 \u2502\n\u2502 on       \u2502\n\u2502 up       \u2502\n":                          "frame",
		"en0: flags=1e08 &lt;UP&gt;\n":                                                                      "page or a ticket",
		"```\nsome words\n```\n":                                                                            "page or a ticket",
		"one\n\ntwo\n\nthree\n\nfour\n":                                                                     "blank line behind each",
		"\xfd7zXZ\x00\x00":                                                                                  "an xz archive",
		"7z\xbc\xaf\x27\x1c\x00\x04":                                                                        "a 7z archive: unpack it (7z x FILE)",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":                                                                  "HMC Scanner's table",
	} {
		got := Unread([]byte(text))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q in it", text, got, want)
		}
	}
}
