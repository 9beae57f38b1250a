package normalize

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// printed holds what the commands printed: tables, indentation by tabs and by
// blanks, lines with colons, blank lines.
const printed = `# lsattr -El ent0
jumbo_frames   no   Request jumbo frames                 True
max_buf_small  2048 Maximum Small Buffers                True
# entstat ent0
ETHERNET STATISTICS (ent0) :
Device Type: Virtual I/O Ethernet Adapter (l-lan)

Driver Flags: Up Broadcast Running
	Simplex 64BitSupport
     12 packets "kept", <UP,BROADCAST>
end
`

// each applies a change to every line.
func each(change func(i int, l string) string) string {
	lines := strings.Split(strings.TrimSuffix(printed, "\n"), "\n")
	for i, l := range lines {
		lines[i] = change(i, l)
	}
	return strings.Join(lines, "\n") + "\n"
}

func before(mark string) string {
	return each(func(_ int, l string) string { return mark + l })
}

func utf16Of(s string, mark, little bool) string {
	var b []byte
	if mark {
		s = "\ufeff" + s
	}
	for _, u := range utf16.Encode([]rune(s)) {
		hi, lo := byte(u>>8), byte(u)
		if little {
			hi, lo = lo, hi
		}
		b = append(b, hi, lo)
	}
	return string(b)
}

func TestUndone(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		noted bool
	}{
		"hard blanks":             {strings.ReplaceAll(printed, "  ", "\u00a0 "), true},
		"hard blanks of Windows":  {strings.ReplaceAll(printed, "  ", "\xa0 "), true},
		"quotation marks":         {strings.NewReplacer(` "`, " \u201c", `",`, "\u201d,").Replace(printed), true},
		"marks of Windows":        {strings.NewReplacer(` "`, " \x93", `",`, "\x94,").Replace(printed), true},
		"invisible letters":       {strings.ReplaceAll(printed, "ent0", "en\u200bt0"), true},
		"mail quoted":             {before("> "), true},
		"colours shown by cat -v": {strings.ReplaceAll(printed, "ent0", "^[[1ment0^[[0m"), true},
		"colours without escape":  {strings.ReplaceAll(printed, "ent0", "[1;31ment0[0m"), true},
		"in a wiki":               {"<syntaxhighlight lang=\"console\">\n" + printed + "</syntaxhighlight>\n", true},
		"in a forum":              {"[code]" + printed + "[/code]\n", true},
		"in MoinMoin":             {"{{{\n" + printed + "}}}\n", true},
		"in a ticket":             {"```console\n" + printed + "```\n", true},
		"code over lines":         {"`" + strings.TrimSuffix(printed, "\n") + "`\n", true},
		"code that was cut off":   {"`" + printed, true},
		"one mark of a quote":     {strings.Replace(printed, "Driver Flags", "> Driver Flags", 1), true},
		"an editor's screen":      {printed + "~\n~\n\"session.log\" 12L, 345C                              1,1           All\n", true},
		"in another ticket":       {"{code:title=a}\r\n" + printed + "{code}\n", true},
		"quoted without a blank":  {before(">"), true},
		"quoted twice":            {before("> > "), true},
		"an example of Org":       {"#+BEGIN_EXAMPLE\n" + printed + "#+END_EXAMPLE\n", true},
		"a literal block":         {".. code-block:: console\n" + printed + "::\n", true},
		"CR CR LF":                {strings.ReplaceAll(printed, "\n", "\r\r\n"), false},
		"CR only":                 {strings.ReplaceAll(printed, "\n", "\r"), true},
		"some CR LF":              {strings.Replace(printed, "\n", "\r\n", 3), false},
		"UTF-8 with a mark":       {"\ufeff" + printed, false},
		"UTF-16, little":          {utf16Of(printed, true, true), false},
		"UTF-16, big":             {utf16Of(printed, true, false), false},
		"UTF-16 without a mark":   {utf16Of(printed, false, true), true},
		"a bell":                  {strings.Replace(printed, "lsattr", "\x07lsattr", 1), false},
		"a form feed":             {"\f" + printed, false},
		"a line typed again":      {strings.Repeat("x", 300) + strings.Repeat("\b \b", 300) + printed, true},
		"a typing error":          {strings.Replace(printed, "lsattr", "lsatrü\b \b\b \btr", 1), true},
		"a pager, erased":         {strings.Replace(printed, "Device", "--More--\r\x1b[KDevice", 1), false},
		"a pager, written over":   {strings.Replace(printed, "Device", "--More--\r        \rDevice", 1), false},
		"bracketed paste":         {strings.NewReplacer("# lsattr", "\x1b[?2004h# lsattr", "ETHERNET", "\x1b[?2004l\rETHERNET").Replace(printed), false},
		"returns before lines":    {strings.Replace(printed, "\nETHERNET", "\n\rETHERNET", 1), false},
		"a page":                  {"<pre>" + strings.NewReplacer("<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(printed) + "</pre>", true},
		"a shift of characters":   {strings.Replace(printed, "ent0", "ent0\x0f", 1), false},
	} {
		got := Text([]byte(c.text))
		text := strings.Trim(string(got.Text), "\n") + "\n" // what was a mark's line is blank: lines keep their numbers
		if diff := cmp.Diff(printed, text); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
		if (len(got.Notes) > 0) != c.noted || got.Refused != "" {
			t.Errorf("%s: got notes %q, refused %q", name, got.Notes, got.Refused)
		}
	}
}

// What may have changed the values is refused, with what to do.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a pager, half erased":  {strings.Replace(printed, "Device", "--More--\r    \rDevice", 1), "col -b"},
		"one that moves":        {strings.Replace(printed, "lsattr", "lattr\b\b\b\bsattr", 1), "col -bx"},
		"corrected in the line": {strings.Replace(printed, "lsattr", "lattr\x1b[4D\x1b[1@s\x1b[4C", 1), "col -b"},
		"zero bytes":            {strings.Replace(printed, "\n", "\n\x00", 2), "zero bytes"},
	} {
		if got := Text([]byte(c.text)); !strings.Contains(got.Refused, c.want) || len(got.Text) > 0 {
			t.Errorf("%s: got %q and %d bytes, want it refused for %q", name, got.Refused, len(got.Text), c.want)
		}
	}
}

// What came undamaged stays as it is.
func TestKept(t *testing.T) {
	for name, text := range map[string]string{
		"printed":       printed,
		"in brackets":   strings.Repeat("ok: [mq5]\n", 4) + printed,
		"CR LF":         strings.ReplaceAll(printed, "\n", "\r\n"),
		"coloured":      strings.ReplaceAll(printed, "ent0", "\x1b[1ment0\x1b[0m"),
		"allowed":       "1\n2\n3\n4\n5\n",
		"ranges":        "1...4096 (+1)\n",
		"indented":      before("  "),
		"partitions":    "1:vios1:vioserver:Running:VIOS 4.1.0.10 \n2:lpar7:aixlinux:Running:AIX 7.3 7300-02-01-2346\n",
		"two columns":   "1:vios1\n2:lpar7\n3:lpar8\n",
		"ip -o":         "1: lo: <LOOPBACK,UP> mtu 65536\n2: eth0: <UP> mtu 1500\n3: eth1: <UP> mtu 1500\n",
		"no end":        strings.TrimSuffix(printed, "\n"),
		"prompts":       "> lsattr -El en0\nmtu 1500 x True\n> no -a\n",
		"blank lines":   "a: 1\n\nb: 2\n",
		"counts":        "tcp:\n\t1 packet sent\n\t2 packets received\n\t3 resets\n",
		"empty":         "",
		"blank":         "\n\n",
		"other letters": "Prozessoren für größere Lasten: 3\nZweite: 4\n",
		"Latin-1":       "Prozessoren f\xfcr: 3\n",
	} {
		got := Text([]byte(text))
		if diff := cmp.Diff(text, string(got.Text)); diff != "" || len(got.Notes) > 0 || got.Refused != "" {
			t.Errorf("%s: got notes %q, (-want +got):\n%s", name, got.Notes, diff)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte(printed))
	f.Add([]byte(before("> ")))
	f.Add([]byte(utf16Of(printed, true, true)))
	f.Add([]byte("[10:00:01] x\n\r\x1b[2Kc\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := Text(text)
		if r.Refused != "" && len(r.Text) > 0 {
			t.Errorf("refused for %q, with %q", r.Refused, r.Text)
		}
		if bytes.Count(r.Text, []byte("\n")) > bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r")) {
			t.Errorf("%q: got more lines than there were", text)
		}
	})
}
