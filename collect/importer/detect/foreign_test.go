package detect

import (
	"strings"
	"testing"
)

func TestUnread(t *testing.T) {
	for text, want := range map[string]string{
		"ent0  Verf\u00fcgbar 00-00 2-Port-Adapter\n":                    "LC_ALL=C",
		"ent1  \u4f7f\u7528\u53ef\u80fd  (l-lan)\n":                      "LC_ALL=C",
		"Configuration du syst\u00e8me : type=Shared lcpu=8\n":           "LC_ALL=C",
		"ent0 here and there\n":                                          "",
		"caf\u00e9\n":                                                    "",
		"%PDF-1.4\n%\xe2\xe3":                                            "a PDF",
		"{\\rtf1\\ansi mtu 1500}":                                        "an RTF document",
		"<?xml version=\"1.0\"?><w:document><w:t>mtu</w:t></w:document>": "word processor",
		"\xfd7zXZ\x00\x00":                                               "an xz archive",
	} {
		got := Unread([]byte(text))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q in it", text, got, want)
		}
	}
}
