package split

import (
	"strings"

	"seaworthy/collect/importer/detect"
	"seaworthy/dialect"
)

// deviceLine is what a script's loop over adapters writes between them:
// "--- ent0", "== en0 ==".
var deviceLine = dialect.Lazy(`^[ \t]*[=*#+~<>-]{2,}[ \t]*((?:ent|en|et)[0-9]{1,5})[ \t]*[=*#+~<>:-]*$`)

// deviceTitle is the device in a line that is a heading of it alone.
func deviceTitle(line string) string {
	if len(line) > 100 || !strings.Contains(line, "en") && !strings.Contains(line, "et") {
		return ""
	}
	if m := deviceLine.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// titles adds headings in a script's own words, in the ornaments of those that
// are commands: below "#### lsattr ####", "#### adapters ####" is one too.
func titles(lines []string, at map[int]string) {
	ornaments := map[string]bool{}
	for i, cmd := range at {
		before, _, found := strings.Cut(body(lines[i]), cmd)
		if o := strings.TrimSpace(before); cmd != "" && found && len(o) >= 3 && isRuler(o) {
			ornaments[before] = true
		}
	}
	for i, l := range lines {
		b := body(l)
		if _, head := at[i]; head || len(b) > 100 || isRuler(b) || deviceTitle(b) != "" {
			continue
		}
		for o := range ornaments {
			if rest, found := strings.CutPrefix(b, o); found && titleShape.MatchString(strings.TrimRight(rest, " \t=*#+~<>-")) {
				at[i] = ""
			}
		}
	}
}

// finer takes pieces apart that hold several outputs below one heading in a
// script's own words.
func finer(list []Piece) []Piece {
	var out []Piece
	for _, p := range list {
		hint := detect.Hint{Command: p.Command, File: p.Title}
		f, ok := detect.Text(p.Text, hint)
		if ok && unread(f) <= 5 {
			out = append(out, p)
			continue
		}
		c := follow(split(p.Text))
		if len(c.Pieces) < 2 || !better(c, f, p.Title) {
			out = append(out, p)
			continue
		}
		for _, x := range c.Pieces {
			x.Line += p.Line - 1
			out = append(out, x)
		}
	}
	return out
}
