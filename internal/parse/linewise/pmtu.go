package linewise

import "seaworthy/internal/parse"

// PathMTUs is pmtu display of AIX: the path MTU that was learnt, or given to a route, for each destination.
type PathMTUs struct {
	parse.Report
	Entries []*PathMTU `json:"entries,omitempty"`
}

// PathMTU is one destination.
type PathMTU struct {
	To        string  `json:"to" from:"to"`
	Gateway   string  `json:"gateway" from:"gateway"`
	Interface string  `json:"interface" from:"interface"`
	MTU       uint64  `json:"mtu" from:"mtu"` // bytes
	Refs      *uint64 `json:"refs,omitempty" from:"refs"`
	Line      int     `json:"-" from:"#"`
}

var pathMTUsOutput = &output[PathMTUs]{
	name:    "pmtu",
	heading: parse.Lazy(`^\s*dst +gw +If +pmtu +refcnt\b.*$`),
	again:   true,
	ignored: parse.Lazy(`^\s*-{5,}\s*$`),
	rows: []line[PathMTUs]{row(
		parse.Lazy(`^\s*(?P<to>[0-9A-Fa-f][0-9A-Fa-f.:%\w]*) +(?P<gateway>[0-9A-Fa-f.:][0-9A-Fa-f.:%\w]*) +(?P<interface>[a-z]+\d+)`+
			` +(?P<mtu>\d{1,6}) +(?P<refs>\d+)(?: +\d+)* *$`),
		func(t *PathMTUs) *[]*PathMTU { return &t.Entries }, nil)},
}

// ParsePathMTUs reads an output; parse.ErrNotRecognised without its heading.
func ParsePathMTUs(text []byte) (*PathMTUs, error) { return pathMTUsOutput.parse(text) }
