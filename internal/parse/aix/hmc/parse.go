package hmc

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// Of a value: letters, digits, and what may be between its words. Some begin with a number: 5250_application_capable.
	nameShape   = parse.Lazy(`^(?:[A-Za-z_]|[0-9]+[A-Za-z_])[\w .-]*$`)
	headerShape = parse.Lazy(`^(?:[a-z_]|[0-9]+[a-z_])\w*(?:[,:;|](?:[a-z_]|[0-9]+[a-z_])\w*)+\s*$`)
	hmcMessage  = parse.Lazy(`^\s*(?:HSC[A-Z]{1,3}[0-9A-F]{4}\b|No results were found\.|An invalid |` +
		`The following (?:command|attribute)|CIM_ERR|hscroot@)`)
)

// Parse reads name=value records, or those of -F under a --header;
// parse.ErrNotRecognised if the text has neither nor a message.
func Parse(text []byte) (*List, error) { return parseList(text, "") }

// ParseFields reads what -F printed for a list of names, with or without
// --header. The separator of the names is that of the values:
// "lpar_name,slot_num", "name:type_model:serial_num".
func ParseFields(text []byte, list string) (*List, error) { return parseList(text, list) }

// ColumnNames takes a list of names apart; false if it has two kinds of separators
// or a name twice.
func ColumnNames(list string) (names []string, separator string, ok bool) {
	list = strings.TrimSpace(list)
	separator = ","
	if i := strings.IndexAny(list, ",:;|"); i >= 0 {
		separator = list[i : i+1]
	}
	names = strings.Split(list, separator)
	for i, n := range names {
		if !nameShape.MatchString(n) || slices.Contains(names[:i], n) {
			return nil, "", false
		}
	}
	return names, separator, true
}

func parseList(text []byte, list string) (*List, error) {
	l := &List{separator: ","}
	if list != "" {
		var ok bool
		l.Names, l.separator, ok = ColumnNames(list)
		if !ok {
			return nil, fmt.Errorf("hmc: %.80q is not a list of names: %w", list, parse.ErrNotRecognised)
		}
	}
	l.field = fieldOf(l.separator)
	lines := parse.Lines(text, &l.Report)
	known := l.Messages
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case hmcMessage.MatchString(line.Text):
			known++
			l.Warn(line.Number, strings.TrimSpace(line.Text))
			continue
		case l.readHeader(line.Text):
			known++
			continue
		}
		r, n, ok := l.record(lines[i:])
		if !ok {
			l.NotUnderstood(line)
			continue
		}
		known++
		if _, odd := r.vlans(); len(odd) > 0 {
			l.Warn(line.Number, fmt.Sprintf("VLAN ids that are not numbers: %q", odd))
		}
		l.Records = append(l.Records, r)
		i += n - 1
	}
	return parse.Recognised(l, known > 0)
}

// readHeader reads the line that --header prints, before the first record, and takes
// its names.
func (l *List) readHeader(line string) bool {
	if l.Header || len(l.Records) > 0 {
		return false
	}
	if l.Names != nil {
		l.Header = strings.TrimSpace(line) == strings.Join(l.Names, l.separator)
		return l.Header
	}
	if !headerShape.MatchString(line) {
		return false
	}
	names, separator, ok := ColumnNames(line)
	if ok {
		l.Names, l.separator, l.field = names, separator, fieldOf(separator)
		l.Header = true
	}
	return ok
}

// maxLines is how many lines a record with quoted line ends may take.
const maxLines = 64

// record reads the record that starts at the first line, and says how many lines
// it takes.
func (l *List) record(lines []parse.Line) (r Record, n int, ok bool) {
	text := strings.TrimSpace(lines[0].Text)
	n = 1
	for ; ; n++ {
		r, ok = l.cut(text)
		if ok {
			r.Line = lines[0].Number
			return r, n, true
		}
		if n == len(lines) || n == maxLines || strings.Count(text, `"`)%2 == 0 {
			return r, 1, false
		}
		text += "\n" + lines[n].Text
	}
}

// fieldOf is a field in quotes, as scripts write it, name="a,b", or plain, and the separator behind it.
func fieldOf(separator string) *parse.Pattern {
	return parse.Lazy(strings.ReplaceAll(`(?s)^(?:"((?:[^"]|"")*)"|([^="S]*)="([^"]*)"|([^"S][^S]*|))([S]|$)`, "S", separator))
}

// cut cuts a record into its fields.
func (l *List) cut(text string) (r Record, ok bool) {
	for k := 0; ; k++ {
		m := l.field.FindStringSubmatch(text)
		if m == nil {
			return r, false
		}
		f := Field{Value: strings.ReplaceAll(m[1], `""`, `"`) + m[4]}
		if m[2] != "" {
			f.Value = m[2] + "=" + m[3]
		}
		switch {
		case l.Names == nil:
			f.Name, f.Value, ok = strings.Cut(f.Value, "=")
			f.Name = strings.TrimSpace(f.Name) // a copy may have blanks behind the commas
			if m[4] != "" {
				f.Value = strings.TrimSpace(f.Value)
			}
			if !ok || !nameShape.MatchString(f.Name) {
				return r, false
			}
		case k < len(l.Names):
			f.Name = l.Names[k]
		default:
			return r, false
		}
		r.Fields = append(r.Fields, f)
		if m[5] == "" {
			return r, l.Names == nil || len(r.Fields) == len(l.Names)
		}
		text = text[len(m[0]):]
		if l.Names == nil {
			text = strings.TrimLeft(text, " \t")
		}
	}
}
