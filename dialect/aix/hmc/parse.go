package hmc

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

var (
	headerShape = dialect.Lazy(`^[a-z_]\w*(?:[,:;|][a-z_]\w*)+\s*$`)
	hmcMessage  = dialect.Lazy(`^\s*(?:HSC[A-Z]{1,3}[0-9A-F]{4}\b|No results were found\.|An invalid |The following (?:command|attribute)|CIM_ERR|hscroot@)`)
)

// Parse reads name=value records, or those of -F under a --header;
// dialect.ErrNotRecognised if the text has neither nor a message.
func Parse(text []byte) (*List, error) { return parse(text, "") }

// ParseFields reads what -F printed for a list of names, with or without
// --header. The separator of the names is that of the values:
// "lpar_name,slot_num", "name:type_model:serial_num".
func ParseFields(text []byte, list string) (*List, error) { return parse(text, list) }

// named takes a list of names apart; false if it has two kinds of separators
// or a name twice.
func named(list string) (names []string, separator string, ok bool) {
	list = strings.TrimSpace(list)
	separator = ","
	if i := strings.IndexAny(list, ",:;|"); i >= 0 {
		separator = list[i : i+1]
	}
	names = strings.Split(list, separator)
	for i, n := range names {
		if !isName(n) || slices.Contains(names[:i], n) {
			return nil, "", false
		}
	}
	return names, separator, true
}

func parse(text []byte, list string) (*List, error) {
	l := &List{}
	if list != "" {
		var ok bool
		if l.Names, l.Separator, ok = named(list); !ok {
			return nil, fmt.Errorf("hmc: %.80q is no list of names: %w", list, dialect.ErrNotRecognised)
		}
	}
	s, err := printout.Open("hmc", text, &l.Report)
	if err != nil {
		return nil, err
	}
	l.end.crlf, l.end.noFinal = s.Ends()
	l.slots = make([]slot, 0, len(s.Lines))
	known := s.Messages
	for i := 0; i < len(s.Lines); i++ {
		line := s.Lines[i]
		switch {
		case s.Message[i] || s.Blank(i):
			l.slots = append(l.slots, slot{text: s.Raw[i]})
			continue
		case hmcMessage.MatchString(line):
			known++
			l.Warn(i+1, strings.TrimSpace(line))
			l.slots = append(l.slots, slot{text: s.Raw[i]})
			continue
		case !l.Header && len(l.Records) == 0 && l.heads(line):
			known++
			l.Header = true
			l.slots = append(l.slots, slot{text: s.Raw[i]})
			continue
		}
		n, r, ok := l.record(s, i)
		if !ok {
			l.slots = append(l.slots, slot{text: s.Raw[i]})
			l.Unread(i+1, s.Raw[i])
			continue
		}
		known++
		if _, odd := r.vlans(); len(odd) > 0 {
			l.Warn(i+1, fmt.Sprintf("VLAN ids that are no numbers: %q", odd))
		}
		l.Records = append(l.Records, r)
		l.slots = append(l.slots, slot{record: true})
		i += n - 1
	}
	if known == 0 {
		return nil, fmt.Errorf("hmc: %w", dialect.ErrNotRecognised)
	}
	return l, nil
}

// isName tells the name of a value: letters, digits, and what stands between
// their words.
func isName(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		case i > 0 && (c >= '0' && c <= '9' || c == ' ' || c == '.' || c == '-'):
		default:
			return false
		}
	}
	return text != ""
}

// heads says that a line is the one that --header prints, and takes its names.
func (l *List) heads(line string) bool {
	if l.Names != nil {
		return strings.TrimSpace(line) == strings.Join(l.Names, l.separator())
	}
	if !headerShape.MatchString(line) {
		return false
	}
	names, separator, ok := named(line)
	if ok {
		l.Names, l.Separator = names, separator
	}
	return ok
}

// maxLines is how many lines a record with quoted line ends may take.
const maxLines = 64

// mostFields are those that a record has room for at once.
const mostFields = 64

// record reads the record that starts at line i, and says how many lines it
// takes. It must print as it stood.
func (l *List) record(s *printout.Source, i int) (n int, r Record, ok bool) {
	line := s.Lines[i]
	for n = 1; ; n++ {
		r, ok = l.cut(line)
		if ok {
			l.scratch = l.append(l.scratch[:0], &r)
			if string(l.scratch) == line {
				break
			}
		}
		if i+n >= len(s.Lines) || n == maxLines || strings.Count(line, `"`)%2 == 0 || s.Paint[i] != nil || s.Paint[i+n] != nil {
			return 1, r, false
		}
		line += "\n" + s.Lines[i+n]
	}
	r.Line, r.paint = i+1, s.Paint[i]
	return n, r, true
}

// cut cuts a record into its fields.
func (l *List) cut(line string) (r Record, ok bool) {
	body := strings.TrimRight(line, " \t\r")
	if !strings.Contains(line, "\n") {
		r.tail = line[len(body):]
	} else {
		body = line
	}
	r.Fields = make([]Field, 0, min(strings.Count(body, l.separator())+1, mostFields))
	for k := 0; ; k++ {
		field, rest, more, whole := next(body, l.separator())
		if !whole {
			return r, false
		}
		text, quoted := field, strings.HasPrefix(field, `"`)
		if quoted {
			text = strings.ReplaceAll(field[1:len(field)-1], `""`, `"`)
		}
		f := Field{Value: text, quoted: quoted}
		if l.Names == nil {
			name, value, found := strings.Cut(text, "=")
			if !found || !isName(name) {
				return r, false
			}
			f.Name, f.Value = name, value
		} else {
			if k >= len(l.Names) {
				return r, false
			}
			f.Name = l.Names[k]
		}
		r.Fields = append(r.Fields, f)
		if !more {
			return r, l.Names == nil || len(r.Fields) == len(l.Names)
		}
		body = rest
	}
}

// next takes the first field of a line, with its quotes. whole is false if its
// quotes do not close.
func next(line, separator string) (field, rest string, more, whole bool) {
	if !strings.HasPrefix(line, `"`) {
		field, rest, more = strings.Cut(line, separator)
		return field, rest, more, true
	}
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			i++
			continue
		}
		switch {
		case i+1 == len(line):
			return line, "", false, true
		case line[i+1] == separator[0]:
			return line[:i+1], line[i+2:], true, true
		}
		return "", "", false, false
	}
	return "", "", false, false
}
