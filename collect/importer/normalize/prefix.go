package normalize

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"seaworthy/dialect"
)

// quoted takes off the marks of a quoted mail. A mark in a few lines is a
// prompt; one in nearly all is not.
func (d *draft) quoted() bool {
	for _, mark := range []string{">", "|"} {
		lines := 0
		if !d.share(90, func(l string) bool {
			if !strings.HasPrefix(l, mark) {
				return false
			}
			lines++
			return true
		}) || lines < 2 && len(d.lines) > 1 {
			continue
		}
		d.cut(mark)
		return d.note("the quote marks of a mail were taken off")
	}
	return false
}

// cut takes a mark off the lines that have it, and the blank behind it if it
// stands behind each.
func (d *draft) cut(mark string) {
	for i, l := range d.lines {
		d.lines[i] = strings.TrimPrefix(l, mark)
	}
	d.blankOff(func(int) bool { return true })
}

// blankOff takes one blank off the front of the lines that a mark was taken
// off, if all of them that hold anything have it.
func (d *draft) blankOff(marked func(i int) bool) {
	for i, l := range d.lines {
		if marked(i) && l != "" && l[0] != ' ' && l[0] != '>' {
			return
		}
	}
	for i, l := range d.lines {
		if marked(i) {
			d.lines[i] = strings.TrimPrefix(l, " ")
		}
	}
}

var (
	number = dialect.Lazy(`^[ \t]*([0-9]{1,7})(\t|[:|)]| +|$)`)
	// ip -o numbers its interfaces itself.
	interfaceIndex = dialect.Lazy(`^[0-9]+: [\w.@-]+(?:: <| +(?:inet|link/))`)
)

// numbered takes off the line numbers of cat -n, grep -n, nl, less -N or an
// editor: one more from line to line.
func (d *draft) numbered() bool {
	last, rows, texts, blanks := -1, 0, 0, 1<<10
	for _, l := range d.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		m := number.FindStringSubmatch(l)
		if m == nil || interfaceIndex.MatchString(l) {
			return false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || last >= 0 && n != last+1 {
			return false
		}
		last = n
		rows++
		if len(m[0]) < len(l) {
			texts++
			if m[2][0] == ' ' {
				blanks = min(blanks, len(m[2]))
			}
		}
	}
	// Two lines that begin with numbers are too few, unless they are the first
	// two and as far from the margin as a numbering tool puts them. lsattr -R
	// lists numbers and nothing else.
	few := rows < 3 && blanks < 1<<10 && (last != rows || !strings.HasPrefix(d.lines[0], "  "))
	if rows < 2 && last != 1 || few || texts*2 < rows || d.records() {
		return false
	}
	had := make([]bool, len(d.lines))
	colon := false
	for i, l := range d.lines {
		m := number.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		had[i] = true
		rest := l[len(m[0]):]
		if strings.HasPrefix(m[2], " ") {
			rest = m[2][min(blanks, len(m[2])):] + rest
		}
		colon = colon || m[2] == ":" || m[2] == "|" || m[2] == ")"
		d.lines[i] = rest
	}
	if colon {
		d.blankOff(func(i int) bool { return had[i] })
	}
	return d.note("line numbers were taken off")
}

// records says that lines may be records with a number in front, as an HMC
// lists partitions by their ids: as many marks in each, words between them and
// no columns.
func (d *draft) records() bool {
	marks, rows, blanks := -1, 0, 0
	for _, l := range d.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		n := strings.Count(l, ":") + strings.Count(l, "|")
		if n == 0 || marks >= 0 && n != marks || strings.ContainsAny(l, "\t") || strings.Contains(strings.TrimSpace(l), "  ") {
			return false
		}
		marks = n
		rows++
		if strings.Contains(strings.TrimSpace(l), " ") {
			blanks++
		}
	}
	return rows > 1 && (marks > 1 || blanks < rows)
}

// stamp is the time that a terminal program, ts or a log puts before a line.
var stamp = dialect.Lazy(`^[\[(]?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}|[0-9]{2}[./][0-9]{2}[./][0-9]{2,4}|[A-Z][a-z]{2} [ 0-9][0-9]|)[ T]?[0-9]{2}[:.][0-9]{2}[:.][0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?[\])]?:?(?: \||$| |\t)`)

// stamped takes off the times before lines.
func (d *draft) stamped() bool {
	lines := 0
	if !d.share(95, func(l string) bool {
		if !stamp.MatchString(l) {
			return false
		}
		lines++
		return true
	}) || lines < 3 {
		return false
	}
	had := make([]bool, len(d.lines))
	for i, l := range d.lines {
		if m := stamp.Regexp().FindString(l); m != "" {
			d.lines[i], had[i] = l[len(m):], true
		}
	}
	d.blankOff(func(i int) bool { return had[i] })
	return d.note("the times before the lines were taken off")
}

// padded takes off the blanks with which a terminal fills its lines.
func (d *draft) padded() bool {
	lengths := map[int]int{}
	width := 0
	for _, l := range d.lines {
		if lengths[len(l)]++; strings.TrimSpace(l) != "" && lengths[len(l)] > lengths[width] {
			width = len(l)
		}
	}
	filled := false
	if width < 60 || !d.share(90, func(l string) bool {
		filled = filled || len(l) == width && strings.HasSuffix(l, "  ")
		return len(l) >= width
	}) || !filled {
		return false
	}
	for i, l := range d.lines {
		d.lines[i] = strings.TrimRight(l, " ")
	}
	return d.note("blanks that filled the lines were taken off")
}

// frames are the lines that terminals draw between panes.
const frames = "│┃║|"

// framed takes off the frame of a pane that was copied with its text.
func (d *draft) framed() bool {
	right, left := 0, 0
	at := func(s string, last bool) bool {
		s = strings.TrimSpace(s)
		r, _ := utf8.DecodeRuneInString(s)
		if last {
			r, _ = utf8.DecodeLastRuneInString(s)
		}
		return r != utf8.RuneError && strings.ContainsRune(frames, r)
	}
	all := 0
	for _, l := range d.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		all++
		if at(l, true) {
			right++
		}
		if at(l, false) {
			left++
		}
	}
	if all < 3 && strings.IndexByte(strings.Join(d.lines, ""), '|') >= 0 || right*100 < all*90 && left*100 < all*90 {
		return false
	}
	for i, l := range d.lines {
		if right*100 >= all*90 && at(l, true) {
			l = strings.TrimRight(l, " \t")
			_, n := utf8.DecodeLastRuneInString(l)
			l = strings.TrimRight(l[:len(l)-n], " \t")
		}
		if left*100 >= all*90 && at(l, false) {
			l = strings.TrimLeft(l, " \t")
			_, n := utf8.DecodeRuneInString(l)
			l = strings.TrimPrefix(l[n:], " ")
		}
		d.lines[i] = l
	}
	return d.note("the frame of a terminal's pane was taken off")
}
