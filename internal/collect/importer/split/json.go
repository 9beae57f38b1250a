package split

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sort"
	"strings"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/normalize"
	"seaworthy/internal/parse"
)

// result is the head of what ansible prints of one host, up to its JSON:
// "lpar1 | CHANGED => {", "ok: [lpar1] => {".
var result = parse.Lazy(`(?m)^(?:([A-Za-z0-9][\w.-]*) \| [A-Z]+!? =>|(?:ok|changed|failed|fatal|` +
	`skipping): \[([A-Za-z0-9][\w.-]*)\](?:: [A-Z]+!)? =>(?: \((?:item=)?([^\n]*)\) =>)?) `)

// records takes the outputs out of JSON, YAML, XML or CSV: of ansible's results, of its JSON
// callback, or of anything else that keeps what a command printed as "stdout" or below the command.
func records(ctx context.Context, text []byte) *Cut {
	head := bytes.TrimLeft(text, " \t\r\n")
	j := &recordOutputs{ctx: ctx}
	if bytes.IndexByte(text, 0x1b) >= 0 && bytes.Contains(text, []byte("=> {")) {
		text = []byte(parse.StripEscapes(string(text))) // ansible colours each line
	}
	switch {
	case len(head) > 0 && (head[0] == '{' || head[0] == '['):
		if decode.Fits("", head) != nil {
			return nil
		}
		j.at = linesInJSON(text)
		j.jsonRecords(head)
	case looksPrinted(head):
		j.walk(fromPython(head), around{}, 0)
	case bytes.Contains(text, []byte("=> {")):
		j.jsonResults(text)
	case resultYAML.Match(text):
		j.printed = true
		j.yamlResults(text)
	default:
		j.printed = true
		v, at := fromYAML(text)
		j.at = at
		j.walk(v, around{}, 0)
		v, at = fromXML(text)
		j.at = at
		j.walk(v, around{}, 0)
		rows := fromCSV(text)
		if len(rows) == 0 {
			rows = fromMarkdown(text)
		}
		if len(rows) == 0 && bytes.Contains(text, []byte("-[ RECORD ")) {
			rows = fromRecords(text)
		}
		for _, r := range rows {
			j.line = r.line
			j.walk(r.fields, around{}, 0)
		}
	}
	if len(j.pieces) == 0 {
		return nil
	}
	return &Cut{Form: Records, Pieces: j.pieces}
}

// jsonRecords gathers the outputs of JSON documents, one after the other, or of a value as Python prints it.
func (j *recordOutputs) jsonRecords(text []byte) {
	list := logged(text)
	for _, p := range list {
		j.line = p.Line
		j.add(p)
	}
	if len(list) > 0 {
		return
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var v any
		if d.Decode(&v) != nil {
			break // what stood before was read
		}
		j.walk(v, around{}, 0)
	}
	if len(j.pieces) == 0 {
		j.at = nil
		j.walk(fromPython(text), around{}, 0)
	}
}

// jsonResults gathers the outputs of ansible's results in JSON.
func (j *recordOutputs) jsonResults(text []byte) {
	tasks := tasksIn(text)
	for _, m := range result.Regexp().FindAllSubmatchIndex(text, maxPieces) {
		var v any
		if json.NewDecoder(bytes.NewReader(text[m[1]:])).Decode(&v) != nil {
			continue
		}
		host := result.Regexp().Expand(nil, []byte("$1$2"), text, m)
		command := tasks.command(m[0])
		if item := string(result.Regexp().Expand(nil, []byte("$3"), text, m)); typed(item) {
			command = item
		}
		j.line = 1 + bytes.Count(text[:m[0]], []byte("\n"))
		j.walk(v, around{string(host), command}, 0)
	}
}

// taskName is the head of a task of ansible, behind the name of its role.
var taskName = parse.Lazy(`(?m)^TASK \[(?:[\w./-]+ : )?([^\]\n]*)\]`)

// task is one of a play: where its head stands, and the command that it is named after, if it is.
type task struct {
	at      int
	command string
}

type tasks []task

// tasksIn are the tasks of a play.
func tasksIn(text []byte) (list tasks) {
	for _, m := range taskName.Regexp().FindAllSubmatchIndex(text, maxPieces) {
		t := task{at: m[0]}
		if name := string(text[m[2]:m[3]]); typed(name) {
			t.command = name
		}
		list = append(list, t)
	}
	return list
}

// command is the one that the task of a result is named after, or the task before it: ansible shows what a task registered in
// the next one.
func (list tasks) command(result int) string {
	n := sort.Search(len(list), func(i int) bool { return list[i].at > result })
	for _, t := range slices.Backward(list[max(0, n-2):n]) {
		if t.command != "" {
			return t.command
		}
	}
	return ""
}

// resultYAML is the head of what ansible prints of one host above its result in YAML, as its callbacks for people do.
var resultYAML = parse.Lazy(`(?m)^(?:ok|changed|failed|fatal): \[([A-Za-z0-9][\w.-]*)\](?:: [A-Z]+!)? =>` +
	`(?: \((?:item=)?([^\n]*)\) =>)?(?: changed=\w+)?[ \t]*\r?\n` +
	`(?:[ \t]+\S[^\n]*\n?|[ \t\r]*\n)+`)

// yamlResults gathers the outputs of ansible's results in YAML.
func (j *recordOutputs) yamlResults(text []byte) {
	tasks := tasksIn(text)
	for _, m := range resultYAML.Regexp().FindAllSubmatchIndex(text, maxPieces) {
		_, block, _ := bytes.Cut(text[m[0]:m[1]], []byte("\n"))
		v, _ := fromYAML(block)
		if v == nil {
			continue
		}
		j.line = 2 + bytes.Count(text[:m[0]], []byte("\n"))
		command := tasks.command(m[0])
		if m[4] >= 0 && typed(string(text[m[4]:m[5]])) {
			command = string(text[m[4]:m[5]])
		}
		j.walk(v, around{string(text[m[2]:m[3]]), command}, 0)
	}
}

// recordOutputs gathers the outputs of records.
type recordOutputs struct {
	ctx    context.Context
	pieces []Piece
	line   int
	at     textLines // where the texts of the records begin, if that is known
	// printed says that the text of a record stands in lines as it was printed.
	printed bool
}

// around is what the objects around a record say of it.
type around struct{ host, command string }

const maxNested = 32

// walk gathers every object with an output in it.
func (j *recordOutputs) walk(v any, by around, depth int) {
	if depth > maxNested || len(j.pieces) > maxPieces {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			j.walk(x, by, depth+1)
		}
	case string:
		j.wrapped(v, by)
	case map[string]any:
		defer j.about(v, len(j.pieces))
		by = around{host: cmp.Or(hostOf(v), by.host), command: cmp.Or(command(v), by.command)}
		if text, found := output(v); found {
			j.add(Piece{Text: []byte(text), Command: by.command, Host: by.host})
			return
		}
		if j.labelled(v, by) {
			j.fields(v, by, depth, func(x any) bool { return !holdsText(x) })
			return
		}
		j.fields(v, by, depth, func(any) bool { return true })
	}
}

// about adds the title of a record, as of a ticket, to the outputs that were found in it since there were some number of them: it may
// name the host.
func (j *recordOutputs) about(v map[string]any, had int) {
	for _, name := range titleFields {
		title, ok := v[name].(string)
		if !ok || len(j.pieces) == had || strings.TrimSpace(title) == "" || strings.Contains(title, "\n") {
			continue
		}
		note := Piece{Note: true, Text: []byte("Subject: " + title + "\n"), Line: j.pieces[had].Line}
		j.pieces = slices.Insert(j.pieces, had, note)
		return
	}
}

// titleFields are the fields in which tickets keep what they are about.
var titleFields = []string{"summary", "subject", "title", "short_description", "short description", "betreff", "zusammenfassung", "titel"}

// fields walks the fields of an object that are wanted. Objects below "hosts", or below nothing but names of hosts, are each
// of that host.
func (j *recordOutputs) fields(v map[string]any, by around, depth int, wanted func(any) bool) {
	hosts := allHosts(v)
	for _, k := range slices.Sorted(maps.Keys(v)) {
		of, named := v[k].(map[string]any)
		switch {
		case hosts && named:
			j.walk(of, around{host: k, command: by.command}, depth+1)
		case k == "hosts" && named:
			for _, name := range slices.Sorted(maps.Keys(of)) {
				j.walk(of[name], around{host: name, command: by.command}, depth+1)
			}
		case wanted(v[k]):
			j.walk(v[k], by, depth+1)
		}
	}
}

// holdsText reports whether a value is a text, or a list of lines.
func holdsText(v any) bool {
	text, _ := textOf(v)
	return text != ""
}

// wrapped gathers the outputs in a text that is none itself: a message, a page, a ticket.
func (j *recordOutputs) wrapped(text string, by around) {
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return
	}
	plain := normalize.Text([]byte(text))
	if plain.Refused != "" {
		return
	}
	c := flush(j.ctx, plain.Text, "", true, mostMarkings-1)
	if c.value("").lines == 0 {
		return
	}
	line := cmp.Or(j.line, j.at.take(text), 1)
	for _, p := range c.Pieces {
		if p.Host == "" && c.Host != "" {
			p.Host, p.HostFrom = c.Host, c.HostFrom
		}
		if p.Host == "" && by.host != "" {
			p.Host, p.HostFrom = by.host, "host of the record"
		}
		if c.Form == Whole {
			p.Command = cmp.Or(p.Command, by.command)
		}
		within := p.Line
		p.Line, p.Sole = line, false
		if j.printed {
			p.Line += within - 1
		}
		j.pieces = append(j.pieces, p)
	}
}

// labelled gathers the texts of an object that stand below the command that printed them, below a word for what they are, or
// below the host. Of an object that has one of them, every longer text is one. False if it has none.
func (j *recordOutputs) labelled(v map[string]any, by around) bool {
	var list []Piece
	known := false
	for _, k := range slices.Sorted(maps.Keys(v)) {
		text, several := textOf(v[k])
		call := detect.ParseCommand(k)
		if strings.TrimSpace(text) == "" || !several && call.Program != "uname" && call.ID == "" {
			continue
		}
		p := Piece{Text: []byte(strings.TrimRight(text, " \t\r\n") + "\n"), Title: k, Host: by.host}
		_, found := detect.Text(p.Text, detect.Hint{Command: k})
		if !found && by.command != "" {
			_, found = detect.Text(p.Text, detect.Hint{Command: by.command})
		}
		switch {
		case call.ID == "" && found && by.host == "" && alone.MatchString(k) && hostLike(k) && !step.MatchString(k):
			p.Command, p.Title, p.Host = by.command, "", k
		case call.ID != "" || detect.Other(k) != "" && by.command == "":
			p.Command, p.Title = k, ""
		default:
			p.Command = by.command
		}
		known = known || found
		list = append(list, p)
	}
	if !known {
		return false
	}
	for _, p := range list {
		j.add(p)
	}
	return true
}

// textOf is the text of a value, which may be a list of lines, and whether it has several lines.
func textOf(v any) (text string, several bool) {
	switch x := v.(type) {
	case string:
		return x, strings.Contains(strings.TrimSpace(x), "\n")
	case []any:
		lines, ok := words(x)
		if ok {
			return joined(lines), len(lines) > 1
		}
	}
	return "", false
}

// step is a name with a number that no host has.
var step = parse.Lazy(`(?i)^(?:step|task|item|cmd|command|run|test|output|result|check|play|part|port|queue|cpu|slot|v)[-_]?\d+$`)

// allHosts reports whether the names of an object are those of hosts, each with an object of its own. One below which texts stand
// under the commands that printed them need not look like a host's.
func allHosts(v map[string]any) bool {
	for k, x := range v {
		of, ok := x.(map[string]any)
		if !ok || k == "" || !alone.MatchString(k) || step.MatchString(k) || !hostLike(k) && (isTopic(k) || !byCommand(of)) {
			return false
		}
	}
	return len(v) > 0
}

// byCommand reports whether the fields of an object are texts below the commands that printed them.
func byCommand(v map[string]any) bool {
	for k, x := range v {
		if text, _ := textOf(x); text == "" || !typed(k) && detect.Other(k) == "" || !strings.Contains(k, " ") && !typed(k) {
			return false
		}
	}
	return len(v) > 0
}

func (j *recordOutputs) add(p Piece) {
	if shown, ok := bytes.CutPrefix(bytes.TrimSpace(p.Text), codeMark); ok {
		p.Text = bytes.TrimSuffix(shown, codeMark)
	}
	if len(p.Text) == 0 || p.Text[len(p.Text)-1] != '\n' {
		p.Text = append(p.Text, '\n')
	}
	p.Line = 1
	if p.Host != "" {
		p.HostFrom = "host of the record"
	}
	line := cmp.Or(j.line, j.at.take(string(p.Text)), 1)
	for _, q := range inner(j.ctx, []Piece{p}, "") {
		within := q.Line
		q.Line, q.Sole = line, false
		if j.printed {
			q.Line += within - 1
		}
		j.pieces = append(j.pieces, q)
	}
}

// codeMark stands around what a message shows as it is.
var codeMark = []byte("```")

// The fields of a record, in the order in which they are looked for.
var (
	hostFields = []string{"inventory_hostname", "hostname", "host", "_host", "server", "node", "machine", "target", "minion", "lpar",
		"rechner", "serveur", "servidor"}
	commandFields = []string{"cmd", "command", "_raw_params", "command_line", "commandline", "cmdline", "line",
		"befehl", "commande", "comando"}
	outputFields = []string{"stdout", "stdout_lines", "output", "msg", "ausgabe", "result", "response", "sortie", "salida"}
)

// output returns what a record says that a command printed. Ansible's debug puts it
// into msg, or below the variable's name, as one text or as a list of lines.
func output(v map[string]any) (text string, found bool) {
	names := outputFields
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if strings.HasSuffix(k, ".stdout") || strings.HasSuffix(k, ".stdout_lines") {
			names = append(slices.Clip(names), k)
		}
	}
	for _, name := range names {
		switch x := v[name].(type) {
		case []any:
			if lines, ok := words(x); ok && len(x) > 0 {
				return joined(lines), true
			}
		case string:
			if name == "stdout" || name == "output" || name == "ausgabe" || name == "sortie" || name == "salida" || strings.Contains(x, "\n") {
				return x, true
			}
		}
	}
	return "", false
}

// joined is a text of lines, which may have their ends.
func joined(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimSuffix(l, "\n") + "\n")
	}
	return b.String()
}

// words are a list's texts; false if something else is in it.
func words(list []any) (out []string, ok bool) {
	for _, x := range list {
		s, ok := x.(string)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// command is the command line of a record: a text or a list of its words in a field that is named so, else a line in another
// field that is one with its arguments.
func command(v map[string]any) string {
	for _, name := range commandFields {
		switch x := v[name].(type) {
		case string:
			return x
		case []any:
			line, _ := words(x)
			return strings.Join(line, " ")
		}
	}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		line, several := textOf(v[k])
		line = strings.TrimLeft(strings.TrimSpace(line), "!%$# ") // of a notebook's cell, of a prompt
		if !several && typed(line) && strings.Contains(line, " ") && (commandLine(line) || detect.ParseCommand(line).Host != "") {
			return line
		}
	}
	return ""
}
