package normalize

import (
	"html"
	"strings"
	"unicode/utf8"

	"seaworthy/dialect"
)

// lookalike gives the character that was typed for one that a word processor,
// a mail program or a web page put in its place.
func lookalike(r rune) (string, bool) {
	switch {
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return " ", true
	case r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff, r == 0xad, r == 0x2028, r == 0x2029:
		return "", true
	case r >= 0x2018 && r <= 0x201b, r == 0x2032:
		return "'", true
	case r >= 0x201c && r <= 0x201f, r == 0x2033:
		return `"`, true
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xfe63:
		return "-", true
	case r == 0x2026:
		return "...", true
	case r >= 0xff01 && r <= 0xff5e:
		return string(r - 0xfee0), true
	}
	return "", false
}

func (d *draft) lookalikes() bool {
	changed := false
	for i, l := range d.lines {
		if ascii(l) {
			continue
		}
		var b strings.Builder
		for at := 0; at < len(l); {
			r, n := utf8.DecodeRuneInString(l[at:])
			if s, ok := lookalike(r); ok && r != utf8.RuneError {
				b.WriteString(s)
				changed = true
			} else {
				b.WriteString(l[at : at+n])
			}
			at += n
		}
		d.lines[i] = b.String()
	}
	return changed && d.note("blanks, quotation marks, dashes and wide letters of a word processor or a page were replaced")
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

var (
	tag     = dialect.Lazy(`</?(?:pre|code|samp|tt|html|body|head|p|div|span|font|table|tbody|tr|td|b|i|u|strong|em)(?:[ \t][^<>]*)?/?>`)
	lineTag = dialect.Lazy(`<br[ \t]*/?>`)
	entity  = dialect.Lazy(`&(?:lt|gt|amp|quot|nbsp|apos|#[0-9]{1,5}|#x[0-9a-fA-F]{1,4});`)
	fence   = dialect.Lazy("^[ \t]*(?:```|~~~)[A-Za-z]{0,12}[ \t\r]*$|^\\{(?:code|noformat)(?::[^}]*)?\\}[ \t\r]*$")
)

// markup takes off the marks with which a page or a ticket says that a text is
// an output.
func (d *draft) markup() bool {
	tags, entities, fences := 0, 0, 0
	for _, l := range d.lines {
		if strings.IndexByte(l, '<') >= 0 && tag.MatchString(l) {
			tags++
		}
		if strings.IndexByte(l, '&') >= 0 && entity.MatchString(l) {
			entities++
		}
		if fence.MatchString(l) {
			fences++
		}
	}
	if tags == 0 && entities == 0 && fences == 0 {
		return false
	}
	gone := map[int]bool{}
	for i, l := range d.lines {
		if fence.MatchString(l) {
			gone[i] = true
			continue
		}
		t := l
		if tags > 0 {
			t = lineTag.ReplaceAllString(tag.ReplaceAllString(l, ""), "")
		}
		if entities > 0 {
			t = strings.ReplaceAll(html.UnescapeString(t), "\u00a0", " ")
		}
		if t != l && strings.TrimSpace(t) == "" && strings.TrimSpace(l) != "" {
			gone[i] = true
		}
		d.lines[i] = t
	}
	d.drop(func(i int) bool { return gone[i] })
	return d.note("the marks of a page or a ticket were taken off")
}

// pause is what a pager shows at the end of a screen.
var pause = dialect.Lazy(`^[ \t]*(?:--+ ?[Mm]ore ?--+(?: ?\(\d{1,3}%\))?|\[[Mm]ore\]|-- MORE --|--- more ---|\(END\)|Standard input|<space>|lines \d+-\d+(?:/\d+)?(?: \(END\))?)[ \t\r]*$`)

func (d *draft) pager() bool {
	n := d.drop(func(i int) bool { return len(d.lines[i]) < 60 && pause.MatchString(d.lines[i]) })
	return n > 0 && d.note("a pager's marks were taken out")
}

// password is the question of sudo, su and ssh.
var password = dialect.Lazy(`^(?:\[sudo\] password for \S+:|[\w.@-]+'s [Pp]assword:|Password:)[ \t\r]*$`)

func (d *draft) passwords() bool {
	n := d.drop(func(i int) bool { return len(d.lines[i]) < 120 && password.MatchString(d.lines[i]) })
	return n > 0 && d.note("questions for a password were taken out")
}

// doubled takes out the blank line that stands behind each.
func (d *draft) doubled() bool {
	if len(d.lines) < 6 {
		return false
	}
	full := 0
	for i, l := range d.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if i%2 == 1 {
			return false
		}
		full++
	}
	if full*4 < len(d.lines) {
		return false
	}
	d.drop(func(i int) bool { return i%2 == 1 })
	return d.note("a blank line behind each line was taken out")
}
