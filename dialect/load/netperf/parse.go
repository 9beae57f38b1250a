package netperf

import (
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/load/layout"
)

const number = `(\d+(?:\.\d+)?)`

var (
	banner    = dialect.Lazy(`^(MIGRATED )?(TCP STREAM|TCP REQUEST/RESPONSE) TEST(.*)$`)
	streamRow = dialect.Lazy(`^\s*(\d+)\s+(\d+)\s+(\d+)\s+` + number + `\s+` + number + `(\s.*)?$`)
	rrRow     = dialect.Lazy(`^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+` + number + `\s+` + number + `(\s.*)?$`)
	remoteRow = dialect.Lazy(`^\s*(\d+)\s+(\d+)\s*$`)
	heading   = dialect.Lazy(`^\s*$|^(?:Recv   Send|Socket Socket|Size   Size|Local /Remote|Socket Size|Send   Recv|bytes  [bB]ytes)`)
)

// Parse reads the text of one run. It returns dialect.ErrNotRecognised without
// the banner of one of the two tests.
func Parse(text []byte) (*Output, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	t := dialect.Split(text)
	o := &Output{CRLF: t.CRLF, NoFinal: t.NoFinal}
	o.Report.Lines = len(t.Lines)
	state := 0 // rows of numbers seen
	for n, line := range t.Lines {
		l := o.parseLine(line, &state)
		if l.Text == "" && formatLine(l) != line {
			l = Line{Text: line}
		}
		if l.Banner != nil && o.Test == "" {
			o.Test = l.Banner.Test
		}
		if m := unitInHeading.FindStringSubmatch(line); m != nil {
			o.Unit = strings.ReplaceAll(m[1], " ", "")
		}
		if l.Text != "" && !heading.MatchString(line) {
			o.Unread(n+1, line)
		}
		o.Rows = append(o.Rows, l)
	}
	if o.Test == "" {
		return nil, dialect.ErrNotRecognised
	}
	return o, nil
}

func (o *Output) parseLine(line string, rows *int) Line {
	if v, gaps, ok := layout.Cut(banner, line); ok {
		return Line{Banner: &Banner{Migrated: v[0] != "", Test: Test(v[1]), Rest: v[2], gaps: gaps}}
	}
	switch {
	case o.Test == Stream && *rows == 0:
		if v, gaps, ok := layout.Cut(streamRow, line); ok {
			r := &StreamRow{Rest: v[5], gaps: gaps}
			if integers(v[:3], &r.ReceiveSocket, &r.SendSocket, &r.Message) && numbers(v[3:5], &r.Seconds, &r.Throughput) {
				*rows = 1
				return Line{Stream: r}
			}
		}
	case o.Test == RequestResponse && *rows == 0:
		if v, gaps, ok := layout.Cut(rrRow, line); ok {
			r := &RRRow{Rest: v[6], gaps: gaps}
			if integers(v[:4], &r.SendSocket, &r.ReceiveSocket, &r.Request, &r.Response) && numbers(v[4:6], &r.Seconds, &r.Rate) {
				*rows = 1
				return Line{RR: r}
			}
		}
	case o.Test == RequestResponse && *rows == 1:
		if v, gaps, ok := layout.Cut(remoteRow, line); ok {
			r := &RemoteRow{gaps: gaps}
			if integers(v, &r.SendSocket, &r.ReceiveSocket) {
				*rows = 2
				return Line{Remote: r}
			}
		}
	}
	return Line{Text: line}
}

func integers(texts []string, to ...*int) bool {
	for i, s := range texts {
		n, err := strconv.Atoi(s)
		if err != nil {
			return false
		}
		*to[i] = n
	}
	return true
}

func numbers(texts []string, to ...*layout.Number) bool {
	for i, s := range texts {
		n, ok := layout.ParseNumber(s)
		if !ok {
			return false
		}
		*to[i] = n
	}
	return true
}
