package linewise

import "seaworthy/internal/parse"

// FilesetList is the output of lslpp -Lc or lslpp -Lcq, or the table of lslpp -L.
type FilesetList struct {
	parse.Report
	Filesets []*Fileset `json:"filesets,omitempty"`
}

// Fileset is one line: what is installed, and at which level.
type Fileset struct {
	Name   string `json:"name" from:"name"`         // bos.net.tcp.client
	Level  string `json:"level" from:"level"`       // V.R.M.F: 7.2.5.101
	Fix    string `json:"fix,omitempty" from:"fix"` // state: C committed, A applied, B broken
	Locked bool   `json:"locked,omitempty"`         // by an interim fix
	Lock   string `json:"-" from:"locked"`          // 1 if it is
}

var filesetsOutput = &output[FilesetList]{
	name: "lslpp-Lc",
	ignored: parse.Lazy(`^#Package Name:Fileset:Level:.*$|^\s*Fileset +Level +State +Type +Description.*$|^\s*-{20,}\s*$` +
		`|^\s*(?:State|Type) codes: *$|^\s*(?:[A-Z?]|\?) -- .*$`),
	rows: []line[FilesetList]{row(
		parse.Lazy(`^[^:#\s][^:]*:(?P<name>[A-Za-z0-9][A-Za-z0-9_.+-]*):(?P<level>[0-9]+(?:\.[0-9]+){3})`+
			`:[^:]*:[^:]*:(?P<fix>[A-Z? ]?):[^:]*:[^:]*(?::[^:]*){5}:[^:]*:[^:]*:(?P<locked>[01 ]?):[^:]*(?::[^:]*)?$`),
		func(l *FilesetList) *[]*Fileset { return &l.Filesets }, func(f *Fileset) bool {
			f.Locked = f.Lock == "1"
			return true
		}), row(
		parse.Lazy(`^\s+(?P<name>[A-Za-z0-9][A-Za-z0-9_.+-]*) +(?P<level>[0-9]+(?:\.[0-9]+){3}) +(?P<fix>[A-Z?])(?: +.*)?$`),
		func(l *FilesetList) *[]*Fileset { return &l.Filesets }, nil)},
	message: true,
}

// ParseFilesets reads lslpp -Lc or -L; parse.ErrNotRecognised if no line is about a fileset and none is a message. RPM
// packages, which have no level of four numbers, are not understood.
func ParseFilesets(text []byte) (*FilesetList, error) { return filesetsOutput.parse(text) }
