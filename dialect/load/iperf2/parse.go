package iperf2

import (
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/load/layout"
)

const number = `(\d+(?:\.\d+)?)`

var (
	clientSetup = dialect.Lazy(`^Client connecting to (\S+), TCP port (\d+)(.*)$`)
	serverSetup = dialect.Lazy(`^Server listening on TCP port (\d+)(.*)$`)
	windowLine  = dialect.Lazy(`^TCP window size:\s+` + number + `\s+([KMGT]?Bytes?)(?:\s+\((default|WARNING: requested\s+` + number + `\s+([KMGT]?Bytes?))\))?\s*$`)
	connection  = dialect.Lazy(`^\[\s*(\d+)\]\s+local\s+(\S+)\s+port\s+(\d+)\s+connected with\s+(\S+)\s+port\s+(\d+)(.*)$`)
	interval    = dialect.Lazy(`^\[\s*(\d+|SUM)\]\s+` + number + `-\s*` + number + `\s+sec\s+` + number + `\s+([KMGT]?Bytes?)\s+` + number + `\s+([KMGT]?(?:bits|Bytes)/sec)(.*)$`)
	plain       = dialect.Lazy(`^(?:-{20,}|\[ ?ID\]\s+Interval\s+Transfer\s+Bandwidth.*|Write buffer size:.*|Read buffer size:.*|TOS .*|\s*)$`)
)

// Parse reads the text of one run. It returns dialect.ErrNotRecognised if
// nothing in it is iperf's.
func Parse(text []byte) (*Output, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := dialect.Split(text)
	o := &Output{CRLF: t.CRLF, NoFinal: t.NoFinal}
	o.Report.Lines = len(t.Lines)
	known := 0
	for n, line := range t.Lines {
		l := parseLine(line)
		// A value that would print back differently is not one that was understood.
		if l.Text == "" && formatLine(l) != line {
			l = Line{Text: line}
		}
		switch {
		case l.Text == "" && line != "":
			known++
		case !plain.MatchString(line):
			o.Unread(n+1, line)
		}
		o.Rows = append(o.Rows, l)
	}
	if known == 0 {
		return nil, dialect.ErrNotRecognised
	}
	return o, nil
}

func parseLine(line string) Line {
	if v, gaps, ok := layout.Cut(interval, line); ok {
		return parseInterval(v, gaps, line)
	}
	if v, gaps, ok := layout.Cut(connection, line); ok {
		id, e1 := strconv.Atoi(v[0])
		local, e2 := strconv.Atoi(v[2])
		remote, e3 := strconv.Atoi(v[4])
		if e1 == nil && e2 == nil && e3 == nil {
			return Line{Connection: &Connection{ID: id, Local: v[1], LocalPort: local, Remote: v[3], RemotePort: remote, Rest: v[5], gaps: gaps}}
		}
	}
	if v, gaps, ok := layout.Cut(clientSetup, line); ok {
		if port, err := strconv.Atoi(v[1]); err == nil {
			return Line{Setup: &Setup{Peer: v[0], Port: port, Rest: v[2], gaps: gaps}}
		}
	}
	if v, gaps, ok := layout.Cut(serverSetup, line); ok {
		if port, err := strconv.Atoi(v[0]); err == nil {
			return Line{Setup: &Setup{Server: true, Port: port, Rest: v[1], gaps: gaps}}
		}
	}
	if m := windowLine.Regexp().FindStringSubmatchIndex(line); m != nil {
		return parseWindow(line, m)
	}
	return Line{Text: line}
}

func parseInterval(v []string, gaps layout.Gaps, line string) Line {
	i := &Interval{Sum: v[0] == "SUM", Rest: v[7], gaps: gaps}
	var err error
	if !i.Sum {
		i.ID, err = strconv.Atoi(v[0])
	}
	ok := err == nil
	for _, f := range []struct {
		n    *layout.Number
		text string
	}{{&i.Start, v[1]}, {&i.End, v[2]}, {&i.Transfer.Number, v[3]}, {&i.Bandwidth.Number, v[5]}} {
		n, good := layout.ParseNumber(f.text)
		*f.n, ok = n, ok && good
	}
	i.Transfer.Unit, i.Bandwidth.Unit = v[4], v[6]
	if !ok {
		return Line{Text: line}
	}
	return Line{Interval: i}
}

// parseWindow cuts by hand: one group stands inside another.
func parseWindow(line string, m []int) Line {
	part := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return line[m[2*i]:m[2*i+1]]
	}
	w := &Window{Default: part(3) == "default"}
	size, ok := layout.ParseNumber(part(1))
	w.Size = Amount{Number: size, Unit: part(2)}
	ends := []int{m[2], m[3], m[4], m[5]}
	if strings.HasPrefix(part(3), "WARNING") {
		asked, good := layout.ParseNumber(part(4))
		ok = ok && good
		w.Requested = &Amount{Number: asked, Unit: part(5)}
		ends = append(ends, m[8], m[9], m[10], m[11])
	}
	if !ok {
		return Line{Text: line}
	}
	last := 0
	for i := 0; i < len(ends); i += 2 {
		w.gaps = append(w.gaps, line[last:ends[i]])
		last = ends[i+1]
	}
	w.gaps = append(w.gaps, line[last:])
	return Line{Window: w}
}
