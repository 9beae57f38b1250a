package hmc

import "strings"

// Format prints a list. Fields that hold the separator, a quote or a line
// end are quoted.
func Format(l *List) []byte {
	var lines []string
	next := 0
	for _, s := range l.slots {
		switch {
		case !s.record:
			lines = append(lines, s.text)
		case next < len(l.Records):
			lines = append(lines, l.line(next))
			next++
		}
	}
	if len(l.slots) == 0 && l.Header {
		lines = append(lines, strings.Join(l.Names, l.separator()))
	}
	for ; next < len(l.Records); next++ {
		lines = append(lines, l.line(next))
	}
	end := "\n"
	if l.end.crlf {
		end = "\r\n"
	}
	text := strings.Join(lines, end)
	if len(lines) > 0 && !l.end.noFinal {
		text += end
	}
	return []byte(text)
}

func (l *List) line(i int) string {
	r := &l.Records[i]
	text := l.print(r)
	if l.end.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return r.paint.On(text)
}

// print gives a record as one line, but for line ends inside its values.
func (l *List) print(r *Record) string {
	fields := make([]string, 0, len(r.Fields))
	for _, f := range r.Fields {
		text := f.Value
		if l.Names == nil {
			text = f.Name + "=" + f.Value
		}
		if f.quoted || strings.ContainsAny(text, l.separator()+"\"\n") {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		fields = append(fields, text)
	}
	return strings.Join(fields, l.separator()) + r.tail
}
