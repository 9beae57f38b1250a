package split

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/parse"
)

// result is the head of what ansible prints of one host, up to its JSON:
// "lpar1 | CHANGED => {", "ok: [lpar1] => {".
var result = parse.Lazy(`(?m)^(?:([A-Za-z0-9][\w.-]*) \| [A-Z]+!? =>|(?:ok|changed|failed|fatal|` +
	`skipping): \[([A-Za-z0-9][\w.-]*)\](?:: [A-Z]+!)? =>(?: \([^\n]*\) =>)?) `)

// records takes the outputs out of JSON: of ansible's results, of its JSON
// callback, or of anything else that keeps what a command printed as "stdout".
func records(ctx context.Context, text []byte) *Cut {
	head := bytes.TrimLeft(text, " \t\r\n")
	j := &jsonOutputs{ctx: ctx}
	switch {
	case len(head) > 0 && (head[0] == '{' || head[0] == '['):
		if decode.Fits("", head) != nil {
			return nil
		}
		d := json.NewDecoder(bytes.NewReader(head))
		for {
			var v any
			if d.Decode(&v) != nil {
				break // what stood before was read
			}
			j.walk(v, "", 0)
		}
	case bytes.Contains(text, []byte("=> {")):
		for _, m := range result.Regexp().FindAllSubmatchIndex(text, maxPieces) {
			var v any
			if json.NewDecoder(bytes.NewReader(text[m[1]:])).Decode(&v) != nil {
				continue
			}
			host := result.Regexp().Expand(nil, []byte("$1$2"), text, m)
			j.line = 1 + bytes.Count(text[:m[0]], []byte("\n"))
			j.walk(v, string(host), 0)
		}
	}
	if len(j.pieces) == 0 {
		return nil
	}
	return &Cut{Form: Records, Pieces: j.pieces}
}

type jsonOutputs struct {
	ctx    context.Context
	pieces []Piece
	line   int
}

const maxNested = 32

// walk gathers every object with an output in it; host is that of the objects
// around it.
func (j *jsonOutputs) walk(v any, host string, depth int) {
	if depth > maxNested || len(j.pieces) > maxPieces {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			j.walk(x, host, depth+1)
		}
	case map[string]any:
		for _, name := range []string{"inventory_hostname", "hostname", "host", "_host"} {
			if s, ok := v[name].(string); ok && alone.MatchString(s) {
				host = s
				break
			}
		}
		if text, found := output(v); found {
			j.add(text, command(v), host)
			return
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			of, named := v[k].(map[string]any)
			if k != "hosts" || !named {
				j.walk(v[k], host, depth+1)
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(of)) {
				j.walk(of[name], name, depth+1)
			}
		}
	}
}

func (j *jsonOutputs) add(text, command, host string) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	p := Piece{Text: []byte(text), Line: 1, Command: command, Host: host}
	if host != "" {
		p.HostFrom = "host of the JSON record"
	}
	for _, p := range inner(j.ctx, []Piece{p}, "") {
		p.Line, p.Sole = max(j.line, 1), false
		j.pieces = append(j.pieces, p)
	}
}

// output returns what a record says that a command printed. Ansible's debug puts it
// into msg, as one text or as a list of lines.
func output(v map[string]any) (text string, found bool) {
	for _, name := range []string{"stdout", "stdout_lines", "output", "msg"} {
		switch x := v[name].(type) {
		case []any:
			if lines, ok := words(x); ok && len(x) > 0 {
				return strings.Join(lines, "\n") + "\n", true
			}
		case string:
			if name == "stdout" || name == "output" || strings.Contains(x, "\n") {
				return x, true
			}
		}
	}
	return "", false
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

// command is the command line of a record: a text, or a list of its words.
func command(v map[string]any) string {
	for _, name := range []string{"cmd", "command", "_raw_params"} {
		switch x := v[name].(type) {
		case string:
			return x
		case []any:
			line, _ := words(x)
			return strings.Join(line, " ")
		}
	}
	return ""
}
