package normalize

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// printed is what the commands printed: tables, indentation by tabs and by
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
	for name, text := range map[string]string{
		"mail quoted":            before("> "),
		"quoted without a blank": before(">"),
		"quoted twice":           before("> > "),
		"cat -n":                 each(func(i int, l string) string { return fmt.Sprintf("%6d\t%s", i+1, l) }),
		"grep -n":                each(func(i int, l string) string { return fmt.Sprintf("%d:%s", i+1, l) }),
		"numbers and a colon":    each(func(i int, l string) string { return fmt.Sprintf("%d: %s", i+101, l) }),
		"less -N":                each(func(i int, l string) string { return fmt.Sprintf("%7d %s", i+1, l) }),
		"an editor's numbers":    each(func(i int, l string) string { return fmt.Sprintf("%4d  %s", i+8, l) }),
		"ISO times":              each(func(i int, l string) string { return fmt.Sprintf("2025-11-21T10:00:%02d.123Z %s", i, l) }),
		"times in brackets":      each(func(i int, l string) string { return fmt.Sprintf("[10:00:%02d] %s", i, l) }),
		"times of ts":            each(func(i int, l string) string { return fmt.Sprintf("Nov 21 10:00:%02d %s", i, l) }),
		"numbers of a log":       each(func(i int, l string) string { return fmt.Sprintf("%d:[2025-11-21 10:00:%02d] %s", i+1, i, l) }),
		"a pane's right edge":    each(func(_ int, l string) string { return fmt.Sprintf("%-70s│", l) }),
		"a pane's both edges":    each(func(_ int, l string) string { return fmt.Sprintf("│ %-70s│", l) }),
		"blank lines between":    strings.ReplaceAll(printed, "\n", "\n\n"),
		"CR CR LF":               strings.ReplaceAll(printed, "\n", "\r\r\n"),
		"CR only":                strings.ReplaceAll(printed, "\n", "\r"),
		"some CR LF":             strings.Replace(printed, "\n", "\r\n", 3),
		"UTF-8 with a mark":      "\ufeff" + printed,
		"UTF-16, little":         utf16Of(printed, true, true),
		"UTF-16, big":            utf16Of(printed, true, false),
		"UTF-16 without a mark":  utf16Of(printed, false, true),
		"zero bytes":             strings.Replace(printed, "\n", "\n\x00", 2),
		"hard blanks":            strings.ReplaceAll(printed, "  ", "\u00a0 "),
		"hard blanks of Windows": strings.ReplaceAll(printed, "  ", "\xa0 "),
		"typographic marks":      strings.NewReplacer(` "`, " \u201c", `",`, "\u201d,", "-El", "\u2013El").Replace(printed),
		"marks of Windows":       strings.NewReplacer(` "`, " \x93", `",`, "\x94,", "-El", "\x96El").Replace(printed),
		"wide letters":           strings.ReplaceAll(printed, ":", "\uff1a"),
		"invisible letters":      strings.ReplaceAll(printed, "ent0", "en\u200bt0"),
		"markdown":               "```text\n" + printed + "```\n",
		"a ticket":               "{noformat}\n" + printed + "{noformat}\n",
		"a page":                 "<pre class=\"x\">\n" + strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;", "  ", "&nbsp; ").Replace(printed) + "</pre>\n",
		"a pager's lines":        strings.Replace(strings.Replace(printed, "\nDevice", "\n--More--(42%)\nDevice", 1), "\nend", "\n-- More --\nend", 1),
		"a pager, written over":  strings.Replace(printed, "Device", "--More--\r        \rDevice", 1),
		"a pager, erased":        strings.Replace(printed, "Device", "--More--\r\x1b[KDevice", 1),
		"a typing error":         strings.Replace(printed, "lsattr", "lsatr\b \btr", 1),
		"corrected in the line":  strings.Replace(printed, "lsattr", "lattr\x1b[4D\x1b[1@s\x1b[4C", 1),
		"a bell":                 strings.Replace(printed, "lsattr", "\x07lsattr", 1),
		"a form feed":            "\f" + strings.Replace(printed, "\n\nDriver", "\n\n\fDriver", 1),
		"sudo's question":        strings.Replace(printed, "\njumbo", "\n[sudo] password for adm: \njumbo", 1),
	} {
		got := Text([]byte(text))
		if diff := cmp.Diff(printed, string(got.Text)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
		if mute := map[string]bool{"UTF-8 with a mark": true, "UTF-16, little": true, "UTF-16, big": true, "CR CR LF": true, "some CR LF": true}; len(got.Notes) == 0 && !mute[name] && !strings.HasPrefix(name, "a form") {
			t.Errorf("%s: got no note of what was undone", name)
		}
	}
}

// What came undamaged stays as it is.
func TestKept(t *testing.T) {
	for name, text := range map[string]string{
		"printed":       printed,
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
		if diff := cmp.Diff(text, string(got.Text)); diff != "" || len(got.Notes) > 0 {
			t.Errorf("%s: got notes %q, (-want +got):\n%s", name, got.Notes, diff)
		}
	}
}

// Lines keep the numbers that they have in the file.
func TestLine(t *testing.T) {
	got := Text([]byte("```\none: 1\n--More--\ntwo: 2\n```\nthree: 3\n"))
	if want := "one: 1\ntwo: 2\nthree: 3\n"; string(got.Text) != want {
		t.Fatalf("got %q, want %q", got.Text, want)
	}
	for i, want := range []int{2, 4, 6} {
		if n := got.Line(i + 1); n != want {
			t.Errorf("line %d: got %d of the file, want %d", i+1, n, want)
		}
	}
}

// Cleaning makes no digit that was not there, and what it leaves is stable in
// size.
// A few bytes of a line can move a row of many thousands: such a line is no
// terminal's, and costs no more than others.
func TestMovedWithoutEnd(t *testing.T) {
	for _, move := range []string{"\x1b[1024@", "\x1b[1X", "\x1b[P", "\x1b[2K\x1b[60000Cx"} {
		line := ("\x1b[60000Cx\r" + strings.Repeat(move, maxRendered))[:maxRendered]
		if got := render(line); got != line {
			t.Errorf("%q, many times: got %d bytes, want the line as it was", move, len(got))
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte(printed))
	f.Add([]byte(before("> ")))
	f.Add([]byte(utf16Of(printed, true, true)))
	f.Add([]byte("1:a\n2:b\n3:\x1b[9999999C\b\r\x1b[2Kc\n"))
	f.Add([]byte("[10:00:01] x\n[10:00:02] y\n[10:00:03] \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := Text(text)
		n := bytes.Count(r.Text, []byte("\n")) + 1
		for i := range n {
			if at := r.Line(i + 1); at < 1 {
				t.Fatalf("line %d stands at %d", i+1, at)
			}
		}
	})
}
