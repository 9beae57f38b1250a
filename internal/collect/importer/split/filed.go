package split

import (
	"context"
	"path"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// fileLine is the line that tail and head print above each of several files; more and pr print a name between two rulers of
// colons.
var (
	fileLine  = parse.Lazy(`^==> ?(\S[^<>]*?) ?<==$`)
	colonLine = parse.Lazy(`^:{14}$`)
	fileEnd   = parse.Lazy(`\.(?:txt|log|out|lst|cmd|dat|csv|conf|cfg|output|report|before|after)$`)
)

// filed takes apart the files that a program printed one after the other, each below its name. Nil: the text is none.
func filed(ctx context.Context, lines []string, name string) *Cut {
	var marks []mark
	for i, l := range lines {
		b := body(l)
		if m := fileLine.FindStringSubmatch(b); m != nil && isFileName(m[1]) {
			marks = append(marks, mark{i, i + 1, Piece{Title: m[1]}})
			continue
		}
		if i > 0 && i+1 < len(lines) && colonLine.MatchString(body(lines[i-1])) && colonLine.MatchString(body(lines[i+1])) {
			marks = append(marks, mark{i - 1, i + 2, Piece{Title: b}})
		}
	}
	if len(marks) == 0 || len(marks) > maxPieces {
		return nil
	}
	list := between(lines, marks...)
	for i := range list {
		if file := list[i].Title; strings.HasPrefix(file, "/") {
			list[i].Command = "cat " + file
		}
	}
	return &Cut{Form: Headings, Pieces: inner(ctx, list, name)}
}

// isFileName reports whether a name is that of a file, and not of a host.
func isFileName(name string) bool {
	return strings.Contains(name, "/") || fileEnd.MatchString(name) || detect.NamesProgram(path.Base(name))
}
