package split

import (
	"html"
	"strings"

	"seaworthy/internal/parse"
)

// Of a table in Markdown: the line below its head, what parts its cells, and the ends of lines within one.
var (
	tableRule  = parse.Lazy(`^[ \t]*\|(?:[ \t]*:?-{3,}:?[ \t]*\|){2,}[ \t]*$`)
	cellEnd    = parse.Lazy(`(?i)<br ?/?>`)
	cellMarks  = "` *"
	escapedBar = "\x00"
)

// fromMarkdown are the rows of a table in Markdown whose cells hold several lines; nil if a text has none.
func fromMarkdown(text []byte) (rows []row) {
	if !cellEnd.Match(text) {
		return nil
	}
	var names []string
	lines := split(text)
	for i, l := range lines {
		cells := cellsOf(body(l))
		switch {
		case i+1 < len(lines) && tableRule.MatchString(body(lines[i+1])):
			names = nil
			for _, c := range cells {
				names = append(names, strings.ToLower(strings.Trim(c, cellMarks)))
			}
		case tableRule.MatchString(body(l)), len(cells) == 0, len(cells) != len(names):
		default:
			r := row{fields: map[string]any{}, line: i + 1}
			for k, c := range cells {
				if names[k] != "" {
					r.fields[names[k]] = cellText(c)
				}
			}
			rows = append(rows, r)
		}
		if len(rows) > maxPieces {
			return nil
		}
	}
	return rows
}

// cellsOf are the cells of a row; none if a line is none.
func cellsOf(line string) (cells []string) {
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, escapedBar)
	inner, ok := strings.CutPrefix(line, "|")
	if !ok {
		return nil
	}
	for c := range strings.SplitSeq(strings.TrimSuffix(inner, "|"), "|") {
		cells = append(cells, strings.ReplaceAll(strings.TrimSpace(c), escapedBar, "|"))
	}
	return cells
}

// cellText is what a cell shows: of one line, a word or a command without the marks around it.
func cellText(cell string) string {
	if !cellEnd.MatchString(cell) {
		return html.UnescapeString(strings.Trim(cell, cellMarks))
	}
	return html.UnescapeString(cellEnd.Regexp().ReplaceAllString(cell, "\n"))
}
