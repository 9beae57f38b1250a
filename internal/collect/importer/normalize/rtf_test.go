package normalize

import (
	"strings"
	"testing"
)

// A document in RTF is read as what it shows, line by line.
func TestRTF(t *testing.T) {
	as := strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, "\t", `\tab `, "\n", "\\par\n")
	const head = "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Courier New;}}{\\*\\generator Editor 1;}\n\\uc1\\pard\\f0\\fs20 "
	for name, c := range map[string]struct{ text, want string }{
		"an output":             {head + as.Replace(printed) + "}", printed},
		"a line of two runs":    {head + "mtu {\\b 15}00\\line state\\~up\\par}", "mtu 1500\nstate up\n"},
		"letters by their code": {head + "J\\'f6rg \\u8220?x\\u8221? \\endash\\par}", "Jörg \"x\" –\n"},
		"a table":               {head + "ent0\\cell 9000\\cell\\row}", "ent0\t9000\t\n"},
		"one cut off":           {head + "mtu 1500\\par\nsta", "mtu 1500\nsta"},
		"too many groups":       {"{\\rtf1" + strings.Repeat("{", 2*mostRTFGroups), ""},
		"none":                  {printed, ""},
	} {
		got, ok := fromRTF([]byte(c.text))
		if name == "letters by their code" { // quotation marks are made plain later
			got = []byte(strings.NewReplacer("“", `"`, "”", `"`).Replace(string(got)))
		}
		if string(got) != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A document is read whatever is in it, and never grows.
func FuzzRTF(f *testing.F) {
	f.Add([]byte("{\\rtf1\\ansi\\u8220?x\\'f6{\\*\\x y}\\par\\uc-1\\u-5 z}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		out, ok := fromRTF(append([]byte(`{\rtf`), text...))
		if ok && len(out) > 3*len(text)+3 {
			t.Errorf("%d bytes of %d", len(out), len(text))
		}
	})
}
