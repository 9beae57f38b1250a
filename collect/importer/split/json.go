package split

import (
	"bytes"
	"context"
	"encoding/json"
	"sort"
	"strings"

	"seaworthy/dialect"
)

// result is the head of what ansible prints of one host, up to its JSON:
// "lpar1 | CHANGED => {", "ok: [lpar1] => {".
var result = dialect.Lazy(`(?m)^(?:([A-Za-z0-9][\w.-]*) \| [A-Z]+!? =>|(?:ok|changed|failed|fatal|` +
	`skipping): \[([A-Za-z0-9][\w.-]*)\](?:: [A-Z]+!)? =>(?: \([^\n]*\) =>)?) `)

// records takes the outputs out of JSON: of ansible's results, of its JSON
// callback, or of anything else that keeps what a command printed as "stdout".
func records(ctx context.Context, text []byte) *Cut {
	head := bytes.TrimLeft(text, " \t\r\n")
	j := &jsonOutputs{ctx: ctx}
	switch {
	case len(head) > 0 && (head[0] == '{' || head[0] == '['):
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
			host := ""
			for _, g := range []int{2, 4} {
				if m[g] >= 0 {
					host = string(text[m[g]:m[g+1]])
				}
			}
			j.line = 1 + bytes.Count(text[:m[0]], []byte("\n"))
			j.walk(v, host, 0)
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

// maxNested bounds how deep JSON is followed.
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
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			if k != "hosts" {
				j.walk(v[k], host, depth+1)
				continue
			}
			of, ok := v[k].(map[string]any)
			if !ok {
				j.walk(v[k], host, depth+1)
				continue
			}
			names := make([]string, 0, len(of))
			for n := range of {
				names = append(names, n)
			}
			sort.Strings(names)
			for _, n := range names {
				j.walk(of[n], n, depth+1)
			}
		}
	}
}

func (j *jsonOutputs) add(text, command, host string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	p := Piece{Command: command, Host: host, Text: []byte(text), Line: max(j.line, 1)}
	if host != "" {
		p.HostFrom = "host of the JSON record"
	}
	for _, x := range parted(j.ctx, p.Text, split(p.Text), "").Pieces {
		if x.Command == "" {
			x.Command = p.Command
		}
		if x.Host == "" {
			x.Host, x.HostFrom = p.Host, p.HostFrom
		}
		x.Line = p.Line
		j.pieces = append(j.pieces, x)
	}
}

// output is what a record says that a command printed. Ansible's debug puts it
// into msg, as one text or as a list of lines.
func output(v map[string]any) (text string, found bool) {
	for _, name := range []string{"stdout", "stdout_lines", "output", "msg"} {
		switch x := v[name].(type) {
		case string:
			if name == "stdout" || strings.Contains(x, "\n") || name == "output" {
				return x, true
			}
		case []any:
			var b strings.Builder
			for _, l := range x {
				s, ok := l.(string)
				if !ok {
					b.Reset()
					break
				}
				b.WriteString(s)
				b.WriteByte('\n')
			}
			if b.Len() > 0 {
				return b.String(), true
			}
		}
	}
	return "", false
}

// command is the command line of a record: a text, or a list of its words.
func command(v map[string]any) string {
	for _, name := range []string{"cmd", "command", "_raw_params"} {
		switch x := v[name].(type) {
		case string:
			return x
		case []any:
			var words []string
			for _, w := range x {
				if s, ok := w.(string); ok {
					words = append(words, s)
				}
			}
			return strings.Join(words, " ")
		}
	}
	return ""
}
