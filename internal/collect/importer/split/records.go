package split

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// blockText is a line of YAML below which a text stands as it was printed.
var blockText = parse.Lazy(`(?m)^[ -]*(?:"[^"\n]*"|'[^'\n]*'|[^\s#:"'-][^:\n]*): [|>][-+1-9]*[ \t]*$`)

// fromYAML is the value of a YAML text that holds outputs, and where its texts begin; nil if a text is none.
func fromYAML(text []byte) (v any, at textLines) {
	if !blockText.Match(text) {
		return nil, nil
	}
	n, err := decode.Node("", text)
	if err != nil || n == nil {
		return nil, nil
	}
	if n.Decode(&v) != nil {
		return nil, nil
	}
	at = textLines{}
	decode.Texts(n, at.add)
	return v, at
}

// pageTag begins a page, whose text the tags are no part of.
var pageTag = parse.Lazy(`(?i)^<(?:!doctype html|html|head|body|pre|details|div|p|table)\b`)

// fromXML is the value of an XML text, and where its texts begin: an element is its text, or an object of its attributes, its
// elements and, as "output", its text. Nil if a text is none.
func fromXML(text []byte) (v any, at textLines) {
	head := bytes.TrimLeft(text, " \t\r\n")
	if len(head) == 0 || head[0] != '<' || pageTag.Match(head) {
		return nil, nil
	}
	d := xml.NewDecoder(bytes.NewReader(head))
	at = textLines{}
	skipped := bytes.Count(text[:len(text)-len(head)], []byte("\n"))
	root := &element{}
	open := []*element{root}
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(open) > maxNested {
			return nil, nil
		}
		here := open[len(open)-1]
		switch x := token.(type) {
		case xml.StartElement:
			inside := &element{fields: map[string]any{}}
			for _, a := range x.Attr {
				inside.fields[strings.ToLower(a.Name.Local)] = a.Value
			}
			open = append(open, inside)
		case xml.EndElement:
			open = open[:len(open)-1]
			open[len(open)-1].add(strings.ToLower(x.Name.Local), here.value(strings.ToLower(x.Name.Local)))
		case xml.CharData:
			at.add(string(x), skipped+line)
			here.text.Write(x)
		}
	}
	return root.list, at
}

// element is one of XML while it is read.
type element struct {
	fields map[string]any // attributes, and elements with a text only
	list   []any          // the other elements, in their order
	text   strings.Builder
}

// add takes an element that ended.
func (e *element) add(name string, v any) {
	text, plain := v.(string)
	if _, had := e.fields[name]; plain && !had && e.fields != nil {
		e.fields[name] = text
		return
	}
	if plain {
		v = map[string]any{name: text}
	}
	e.list = append(e.list, v)
}

// value is what an element holds. The name of a host's element is the host's.
func (e *element) value(name string) any {
	text := e.text.String()
	if len(e.fields) == 0 && len(e.list) == 0 {
		return text
	}
	if own, ok := e.fields["name"]; ok && (slices.Contains(hostFields, name) || strings.HasSuffix(name, "host")) {
		e.fields["hostname"] = own
	}
	if _, had := e.fields["output"]; !had && strings.TrimSpace(text) != "" {
		e.fields["output"] = text
	}
	if len(e.list) > 0 {
		e.fields["elements"] = e.list
	}
	return e.fields
}

// row is one of a table, and the line in which its output begins.
type row struct {
	fields map[string]any
	line   int
	lines  map[string]int // of each field
}

// fromCSV are the rows of a table with a column of outputs, and one of the commands or hosts; nil if a text is none.
func fromCSV(text []byte) (rows []row) {
	head, _, _ := bytes.Cut(text, []byte("\n"))
	for _, comma := range ",;\t" {
		d := csv.NewReader(bytes.NewReader(head))
		d.Comma = comma
		names, err := d.Read()
		if err != nil {
			continue
		}
		commands := 0
		for i, n := range names {
			names[i] = strings.TrimSpace(n)
			if commandLine(names[i]) {
				commands++
			} else {
				names[i] = strings.ToLower(names[i])
			}
		}
		if hostColumns(names) {
			return byHostColumn(rowsOf(text, comma, names), names)
		}
		contained := func(n string) bool { return slices.Contains(names, n) }
		if commands > 0 && slices.ContainsFunc(hostFields, contained) {
			return byColumn(rowsOf(text, comma, names))
		}
		if slices.ContainsFunc(titleFields, contained) && slices.ContainsFunc(bodyFields, contained) { // a list of tickets
			return rowsOf(text, comma, names)
		}
		lines := slices.IndexFunc(names, func(n string) bool { return n == "line" || n == "text" })
		if lines >= 0 && !slices.ContainsFunc(outputFields, contained) {
			names[lines] = outputOfLines
		}
		if !slices.ContainsFunc(outputFields, contained) || !slices.ContainsFunc(slices.Concat(commandFields, hostFields), contained) {
			continue
		}
		return together(rowsOf(text, comma, names))
	}
	return nil
}

// bodyFields are the columns in which lists of tickets have what people wrote.
var bodyFields = []string{"description", "comment", "comments", "body", "details", "work notes", "work_notes", "beschreibung", "kommentar"}

// byColumn are the outputs of a table with a row for each host and a column for each command: a row each.
func byColumn(rows []row) (list []row) {
	for _, r := range rows {
		host := hostOf(r.fields)
		for _, name := range slices.Sorted(maps.Keys(r.fields)) {
			if detect.ParseCommand(name).ID == "" && detect.Other(name) == "" || slices.Contains(hostFields, name) {
				continue
			}
			list = append(list, row{fields: map[string]any{"host": host, "command": name, outputOfLines: r.fields[name]}, line: r.lines[name]})
		}
	}
	return list
}

// hostColumns reports whether the names of columns are one for the commands, and those of several hosts of which one has a number.
func hostColumns(names []string) bool {
	if len(names) < 3 || !slices.Contains(commandFields, names[0]) {
		return false
	}
	for _, n := range names[1:] {
		if !alone.MatchString(n) || isTopic(n) || slices.Contains(outputFields, n) || slices.Contains(hostFields, n) {
			return false
		}
	}
	return slices.ContainsFunc(names[1:], hostLike)
}

// byHostColumn are the outputs of a table with a row for each command and a column for each host: a row each.
func byHostColumn(rows []row, names []string) (list []row) {
	for _, host := range names[1:] {
		for _, r := range rows {
			text, _ := r.fields[host].(string)
			if strings.TrimSpace(text) == "" {
				continue
			}
			fields := map[string]any{"host": host, "command": r.fields[names[0]], outputOfLines: text}
			list = append(list, row{fields: fields, line: r.lines[host]})
		}
	}
	return list
}

// outputOfLines is the field of a table with a row for each line of an output.
const outputOfLines = "output"

// together puts the rows together that follow each other with a line each of the same output.
func together(rows []row) (list []row) {
	for _, r := range rows {
		line, single := r.fields[outputOfLines].(string)
		if len(list) == 0 || !single || strings.Contains(line, "\n") || !sameBut(outputOfLines, list[len(list)-1].fields, r.fields) {
			list = append(list, r)
			continue
		}
		before := list[len(list)-1].fields
		before[outputOfLines] = before[outputOfLines].(string) + "\n" + line
	}
	return list
}

// sameBut reports whether two rows have the same texts in all fields but one, which both have.
func sameBut(name string, a, b map[string]any) bool {
	if _, has := a[name].(string); !has || len(a) != len(b) || len(a) == 1 {
		return false
	}
	for k, v := range a {
		if k != name && v != b[k] {
			return false
		}
	}
	return true
}

// rowsOf are the rows below the names of the columns. A damaged row ends the table.
func rowsOf(text []byte, comma rune, names []string) (rows []row) {
	d := csv.NewReader(bytes.NewReader(text))
	d.Comma, d.FieldsPerRecord, d.LazyQuotes = comma, -1, true
	for len(rows) < maxPieces {
		values, err := d.Read()
		if err != nil {
			break
		}
		r := row{fields: map[string]any{}, lines: map[string]int{}}
		for i, v := range values[:min(len(values), len(names))] {
			r.fields[names[i]] = v
			r.lines[names[i]], _ = d.FieldPos(i)
			if slices.Contains(outputFields, names[i]) {
				r.line = r.lines[names[i]]
			}
		}
		rows = append(rows, r)
	}
	return rows[min(1, len(rows)):]
}
