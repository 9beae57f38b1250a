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
	text := string(l.append(nil, r))
	if l.end.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return r.paint.On(text)
}

// append prints a record as one line, but for line ends inside its values.
func (l *List) append(b []byte, r *Record) []byte {
	separator := l.separator()
	for i := range r.Fields {
		f := &r.Fields[i]
		if i > 0 {
			b = append(b, separator...)
		}
		name := ""
		if l.Names == nil {
			name = f.Name + "="
		}
		if !f.quoted && !needsQuotes(name, separator) && !needsQuotes(f.Value, separator) {
			b = append(append(b, name...), f.Value...)
			continue
		}
		b = append(b, '"')
		b = append(b, strings.ReplaceAll(name+f.Value, `"`, `""`)...)
		b = append(b, '"')
	}
	return append(b, r.tail...)
}

func needsQuotes(text, separator string) bool {
	return strings.Contains(text, separator) || strings.IndexByte(text, '"') >= 0 || strings.IndexByte(text, '\n') >= 0
}
