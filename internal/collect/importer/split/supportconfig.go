package split

import (
	"strings"

	"seaworthy/internal/parse"
)

var (
	// sectionLine heads a part of a file of supportconfig; the line below it has what the part is of.
	sectionLine = parse.Lazy(`^#==\[ ([A-Za-z][A-Za-z ]*) \]=*#?$`)
	// sectionFile is a file in that line: "# /var/log/messages - Last 500 Lines".
	sectionFile = parse.Lazy(`^(/\S+)(?: - .*)?$`)
)

// supportConfig parts a file of supportconfig.
//
//	#==[ Command ]======================================#
//	# /sbin/ip addr
func supportConfig(lines []string) *Cut {
	var marks []mark
	for i := 0; i+1 < len(lines); i++ {
		m := sectionLine.FindStringSubmatch(body(lines[i]))
		if m == nil {
			continue
		}
		of, named := strings.CutPrefix(body(lines[i+1]), "#")
		if !named {
			marks = append(marks, mark{i, i + 1, Piece{Title: m[1]}})
			continue
		}
		of = strings.TrimSpace(of)
		head := Piece{Title: m[1] + ": " + of}
		file := sectionFile.FindStringSubmatch(of)
		switch {
		case m[1] == "Command":
			head = Piece{Command: of}
		case file != nil:
			head = Piece{Command: "cat " + file[1]}
		}
		marks = append(marks, mark{i, i + 2, head})
		i++
	}
	return cutAt(Support, lines, marks)
}
