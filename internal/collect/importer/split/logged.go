package split

import (
	"bytes"
	"encoding/json"
	"strings"
)

// lineFields are the fields in which programs that log in JSON keep a line, in the order in which they are looked for.
var lineFields = []string{"message", "msg", "log", "line", "MESSAGE", "text"}

// logged are the texts of a log in JSON with an object a line, one for each host that it names: what a container, a journal or
// a collector printed line by line. None if a text is no such log.
func logged(text []byte) (list []Piece) {
	at := map[string]int{} // by host
	n, lines := 0, 0
	for l := range bytes.Lines(text) {
		n++
		if len(bytes.TrimSpace(l)) == 0 {
			continue
		}
		var v map[string]any
		if json.Unmarshal(l, &v) != nil {
			return nil
		}
		said, found := lineOf(v)
		if !found {
			return nil
		}
		host := hostOf(v)
		i, seen := at[host]
		if !seen {
			i = len(list)
			at[host] = i
			list = append(list, Piece{Host: host, Line: n})
		}
		list[i].Text = append(list[i].Text, strings.TrimRight(said, "\r\n")+"\n"...)
		lines++
	}
	if lines < leastMarked || len(list) > maxPieces {
		return nil
	}
	return list
}

// lineOf is the line that an object of a log holds. False if it holds none, or several lines.
func lineOf(v map[string]any) (line string, found bool) {
	for _, name := range lineFields {
		if s, ok := v[name].(string); ok {
			return s, !strings.Contains(strings.TrimRight(s, "\r\n"), "\n")
		}
	}
	return "", false
}

// hostOf is the host that a record names; empty if it names none.
func hostOf(v map[string]any) string {
	for _, name := range hostFields {
		named := v[name]
		if of, ok := named.(map[string]any); ok { // {"host": {"name": "web7"}}
			named = of["name"]
			if named == nil {
				named = of["hostname"]
			}
		}
		if s, ok := named.(string); ok && alone.MatchString(s) {
			return s
		}
	}
	for _, name := range senders {
		if of, ok := v[name].(map[string]any); ok { // {"agent": {"hostname": "web7"}}
			if host := hostOf(of); host != "" {
				return host
			}
		}
	}
	return ""
}

// senders are the fields in which programs that gather records say who sent one.
var senders = []string{"agent", "beat", "source", "sender", "origin", "labels", "metadata", "meta"}
