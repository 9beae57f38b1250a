package recognise

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// mending is a text with its layout put back.
type mending struct {
	text   []byte
	how    string
	better func(now, before *Found) bool
}

// mended are the readings of a text that may be truer than the one that it
// gives as it stands: tables whose blanks an editor made tabs, and lines that a
// terminal broke at its edge.
func mended(text []byte) []mending {
	var list []mending
	if t := untabbed(text); t != nil {
		list = append(list, mending{t, "tabs were taken for the blanks up to the next eighth column", func(now, before *Found) bool {
			return columns[now.ID] && doubts(now) <= doubts(before)
		}})
		text = t
	}
	if t := dedented(text); t != nil {
		list = append(list, mending{t, "blanks before all lines were taken off", func(now, before *Found) bool {
			return doubts(now) < doubts(before)
		}})
	}
	if t, joined := unbroken(text); t != nil {
		list = append(list, mending{t, "lines that a terminal broke at its edge were joined", func(now, before *Found) bool {
			return doubts(now)+joined <= doubts(before) // each line joined must end a doubt
		}})
	}
	return list
}

// columns are the outputs that are tables, which no command prints with tabs.
var columns = map[string]bool{
	"lsattr-El": true, "lsattr-Dl": true, "lsdev-dev-attr": true, "lsdev-Cc-adapter": true, "lsdev-Cc-if": true, "lsdev": true,
	"lsdev-slots": true, "no-L": true, "no-a": true, "netstat-in": true, "netstat-rn": true, "errpt": true, "lsmap": true,
	"lsmap-all-net": true, "lscfg": true, "lparstat": true, "lparstat-H": true, "lparstat-i": true, "rules-diff": true,
}

// doubts is how much of a text was not understood, or not for certain.
func doubts(f *Found) int {
	n := len(f.Report.Warnings)
	for _, l := range f.Report.Unknown {
		if strings.TrimSpace(l.Text) != "" {
			n++
		}
	}
	return n
}

// untabbed is a text with blanks for its tabs; nil if no tab stands behind a
// word.
func untabbed(text []byte) []byte {
	if bytes.IndexByte(text, '\t') < 0 {
		return nil
	}
	var b bytes.Buffer
	inside := false
	column := 0
	word := false
	for _, c := range string(text) {
		switch c {
		case '\n':
			column, word = 0, false
			b.WriteByte('\n')
		case '\t':
			inside = inside || word
			n := 8 - column%8
			column += n
			b.WriteString("        "[:n])
		default:
			if c != ' ' {
				word = true
			}
			column++
			b.WriteRune(c)
		}
	}
	if !inside || !utf8.Valid(text) {
		return nil
	}
	return b.Bytes()
}

// dedented is a text without the blanks that stand before all its lines; nil if
// none do.
func dedented(text []byte) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	common, first := "", true
	for _, l := range lines {
		body := strings.TrimLeft(l, " \t")
		if strings.TrimSpace(body) == "" {
			continue
		}
		lead := l[:len(l)-len(body)]
		if first {
			common, first = lead, false
		}
		for !strings.HasPrefix(lead, common) {
			common = common[:len(common)-1]
		}
	}
	if common == "" {
		return nil
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, common)
	}
	return []byte(strings.Join(lines, ""))
}

// narrowest is the least width of a terminal.
const narrowest = 60

// unbroken is a text with the lines joined that fill a terminal's width to its
// last column, and how many they are; nil if none does, or one is longer.
func unbroken(text []byte) (out []byte, joined int) {
	lines := strings.SplitAfter(string(text), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(strings.TrimRight(l, "\r\n")))
	}
	if width < narrowest {
		return nil, 0
	}
	var b strings.Builder
	for i, l := range lines {
		whole := strings.TrimRight(l, "\r\n")
		ruler := strings.Trim(whole, "-=*") == ""
		if utf8.RuneCountInString(whole) == width && !ruler && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" {
			b.WriteString(whole)
			joined++
			continue
		}
		b.WriteString(l)
	}
	if joined == 0 {
		return nil, 0
	}
	return []byte(b.String()), joined
}
