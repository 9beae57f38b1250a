package split

import (
	"context"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// Salt prints what each host answers below its name, four blanks further to the right, scripts often two. What a function
// returns in parts stands below the part's name, four blanks further still:
//
//	web7:
//	    ----------
//	    retcode:
//	        0
//	    stdout:
//	        Linux web7 6.1.0
const nestedBy = "    "

var (
	nestedHost = parse.Lazy(`^([A-Za-z0-9][\w.-]*):(?: [|>][-+1-9]*)?$`)
	nestedRule = "----------"
	// nestedState are the parts that are no output.
	nestedState = map[string]bool{"pid": true, "retcode": true, "result": true, "success": true, "jid": true, "__jid__": true,
		"duration": true}
)

// nested takes apart a text in which hosts answer as Salt shows it. Nil: it is none.
func nested(ctx context.Context, lines []string, hint detect.Hint) []Piece {
	var list []Piece
	by := ""
	elsewhere := hint.Command != "" && detect.ParseCommand(hint.Command).Elsewhere
	for i, l := range lines {
		b := body(l)
		if by == "" && len(list) > 0 && strings.HasPrefix(l, " ") {
			by = l[:min(len(l)-len(strings.TrimLeft(l, " ")), len(nestedBy))]
		}
		switch host := nestedHost.FindStringSubmatch(b); {
		case host != nil && b == strings.TrimRight(l, "\r\n"):
			if !elsewhere && !hostLike(host[1]) && !strings.ContainsAny(host[1], ".-") {
				return nil
			}
			list = append(list, Piece{Host: host[1], HostFrom: "heading", Line: i + 2})
		case len(list) == 0 && b == "":
		case len(list) == 0, b != "" && (len(by) < 2 || !strings.HasPrefix(l, by)):
			return nil
		default:
			p := &list[len(list)-1]
			p.Text = append(p.Text, strings.TrimPrefix(l, by)...)
		}
	}
	var out []Piece
	for _, p := range list {
		if parts := nestedParts(p); len(parts) > 0 {
			out = append(out, parts...)
			continue
		}
		if len(p.Text) > 0 {
			out = append(out, p)
		}
	}
	if len(out) == 0 || !known(ctx, out, hint) {
		return nil
	}
	return out
}

// nestedParts are the parts of one host's answer; none if it is a single text.
func nestedParts(p Piece) (out []Piece) {
	lines := split(p.Text)
	if len(lines) == 0 || body(lines[0]) != nestedRule {
		return nil
	}
	state := true
	for i, l := range lines[1:] {
		name, isName := strings.CutSuffix(body(l), ":")
		switch {
		case isName && !strings.HasPrefix(l, " "):
			state = nestedState[name]
			if !state {
				part := Piece{Host: p.Host, HostFrom: p.HostFrom, Line: p.Line + i + 2}
				if typed(name) {
					part.Command = name
				}
				out = append(out, part)
			}
		case !state && len(out) > 0:
			part := &out[len(out)-1]
			part.Text = append(part.Text, strings.TrimPrefix(l, nestedBy)...)
		}
	}
	return out
}
