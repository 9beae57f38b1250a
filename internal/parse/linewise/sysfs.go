package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// FileLines holds what grep prints of several small files of /sys and /proc, one line of a file a line:
// "/sys/class/net/eth0/mtu:1500".
//
// A file that cannot be read, such as the speed of a device that is down, is left out by grep -s; what is not there is
// not known.
type FileLines struct {
	parse.Report
	Lines []*FileLine `json:"lines"`
}

// FileLine is one line of a file.
type FileLine struct {
	Path   string `json:"path" from:"path"`
	Value  string `json:"value" from:"value"`
	Number int    `json:"-" from:"#"` // 1-based line of the output
}

var filesOutput = &output[FileLines]{
	name: "sysfs",
	rows: []line[FileLines]{row(
		parse.Lazy(`^(?P<path>/[^ \t:]*):(?P<value>.*?)[ \t]*$`),
		func(f *FileLines) *[]*FileLine { return &f.Lines }, nil)},
	ended: true, // half a number is a wrong one
}

// ParseSysfs reads path:value lines; parse.ErrNotRecognised if no line is of a file.
func ParseSysfs(text []byte) (*FileLines, error) { return filesOutput.parse(text) }

// Below lists the lines of files below a folder, with their paths from there.
// A file of several lines is there once a line.
func (f *FileLines) Below(folder string) []FileLine {
	var out []FileLine
	for _, l := range f.Lines {
		if rest, ok := strings.CutPrefix(l.Path, strings.TrimSuffix(folder, "/")+"/"); ok {
			out = append(out, FileLine{Path: rest, Value: l.Value, Number: l.Number})
		}
	}
	return out
}
