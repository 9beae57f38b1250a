package importer

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// valueFile is a file of the kernel that holds a value, and not a table.
var valueFile = parse.Lazy(`^/(?:sys/class/net/[^/]+/[^*?\s]+|proc/sys/[^*?\s]+)$`)

// What a file of values is at most: a longer text is something else.
const (
	mostValueLines = 64
	mostValueBytes = 8 << 10
)

// withPath gives a text that is what one file of values holds the name of the file before each line, as grep prints several
// of them: so one codec reads both. False if the command line prints no such file.
func withPath(command string, text []byte) ([]byte, bool) {
	file := detect.ParseCommand(command).File
	if !valueFile.MatchString(file) || len(text) > mostValueBytes || bytes.Count(text, []byte("\n")) > mostValueLines {
		return nil, false
	}
	var out []byte
	for l := range bytes.Lines(text) {
		value := bytes.TrimRight(l, " \t\r\n")
		if len(value) > 0 {
			out = fmt.Appendf(out, "%s:%s\n", file, value)
		}
	}
	return out, len(out) > 0
}

// values are the outputs of a reading that were made of files of one value, by what they are about: they become one
// output, as if grep had printed the files.
func values(parts []*part) map[string][]*part {
	out := map[string][]*part{}
	for _, p := range parts {
		if p.ofValue {
			out[slot(p)] = append(out[slot(p)], p)
		}
	}
	return out
}

// addValues adds the values of one slot as one output.
func addValues(w *collect.Writer, parts []*part) error {
	slices.SortStableFunc(parts, func(a, b *part) int { return a.when.Compare(b.when) })
	var text []byte
	for _, p := range parts {
		one, err := os.ReadFile(p.spill)
		if err != nil {
			return fmt.Errorf("import %s: %w", p.file.path, err)
		}
		text = append(text, one...)
	}
	r := recordOf(parts[0])
	r.Line = parts[0].found.Kind + " " + parts[0].found.Element
	if err := w.Add(r, text, nil); err != nil {
		return fmt.Errorf("import %s: %w", parts[0].file.path, err)
	}
	return nil
}
