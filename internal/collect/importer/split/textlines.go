package split

import (
	"bytes"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// textLines are the lines in which the texts of a file of records begin, by text, in their order.
type textLines map[string][]int

// add keeps where a text begins. A blank one is none.
func (t textLines) add(text string, line int) {
	plain := strings.TrimSpace(text)
	if plain == "" {
		return
	}
	before := text[:strings.Index(text, plain)]
	t[plain] = append(t[plain], line+strings.Count(before, "\n"))
}

// take gives the line of a text, or of the first one of a list of lines, and the next one when it is asked for again. Zero if
// it is not known.
func (t textLines) take(text string) int {
	plain := strings.TrimSpace(text)
	first, _, _ := strings.Cut(plain, "\n")
	for _, key := range []string{plain, first} {
		if lines := t[key]; len(lines) > 0 {
			if len(lines) > 1 {
				t[key] = lines[1:]
			}
			return lines[0]
		}
	}
	return 0
}

// addNode keeps where the texts of a YAML node begin. A block begins below its mark.
func (t textLines) addNode(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		line := n.Line
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line++
		}
		t.add(n.Value, line)
	}
	for _, inside := range n.Content {
		t.addNode(inside)
	}
}

// linesInJSON are the lines of the texts of one JSON text or several.
func linesInJSON(text []byte) textLines {
	t := textLines{}
	d := json.NewDecoder(bytes.NewReader(text))
	line, counted := 1, 0
	for {
		token, err := d.Token()
		if err != nil { // the end, or what is not read either
			return t
		}
		if s, ok := token.(string); ok {
			at := int(d.InputOffset())
			line += bytes.Count(text[counted:at], []byte("\n"))
			counted = at
			if plain := strings.TrimSpace(s); plain != "" {
				t[plain] = append(t[plain], line)
			}
		}
	}
}
