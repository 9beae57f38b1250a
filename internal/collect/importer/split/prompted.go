package split

import (
	"cmp"
	"context"
	"strings"

	"seaworthy/internal/parse"
)

// prompted takes apart a text with prompts behind which nothing was typed, or
// nothing that is known: each part between two of them as if it stood alone. In
// a session, which has its own way, it only takes off those at the text's ends.
func prompted(ctx context.Context, lines []string, session bool, name string) *Cut {
	stops := stopsIn(lines, session)
	if len(stops) == 0 {
		return nil
	}
	c, sections, host := &Cut{Form: Session}, 0, ""
	var sole *Cut
	for i, s := range append([]mark{{}}, stops...) {
		to := len(lines)
		if i < len(stops) {
			to = stops[i].from
		}
		host = cmp.Or(host, s.Host)
		text := strings.Join(lines[s.to:to], "")
		if strings.TrimSpace(text) == "" {
			continue
		}
		inner := flush(ctx, []byte(text), name, false, mostMarkings)
		for i := range inner.Pieces {
			p := &inner.Pieces[i]
			p.Line += s.to
			if inner.Form == Whole {
				p.Command = s.Command
			}
			switch {
			case p.Host != "":
			case inner.Host == "":
				p.Host = s.Host
			case c.Host != "" && c.Host != inner.Host:
				p.Host, p.HostFrom = inner.Host, inner.HostFrom
			}
		}
		c.Pieces, c.Outdented = append(c.Pieces, inner.Pieces...), c.Outdented || inner.Outdented
		if c.Host == "" {
			c.Host, c.HostFrom, c.Time = inner.Host, inner.HostFrom, inner.Time
		}
		sections++
		if s.Command == "" {
			sole = inner
		}
		if len(c.Pieces) > maxPieces {
			return nil
		}
	}
	switch {
	case sections == 0:
		return nil
	case sections == 1 && sole != nil:
		c = sole
	}
	if c.Host == "" && host != "" {
		c.Host, c.HostFrom = host, "prompt"
	}
	return c
}

// stopsIn finds the prompts in a text. One that names user and host, or host and
// folder, is believed wherever it stands; another one where nothing follows it at
// the text's head or end, and then everywhere: "# words" is a comment.
func stopsIn(lines []string, session bool) (list []mark) {
	usual, outer := map[string]bool{}, map[int]bool{}
	at := func(i int) bool { // reports whether what comes next is still at the head or the end
		b := body(lines[i])
		head, _, command, ok := prompt(b)
		above := i+1 < len(lines) && isPrompt(body(lines[i+1])) // the first line of a prompt of two
		ok = ok && command == "" && ending.MatchString(head) && !above
		if ok {
			usual[formOf(head)], outer[i] = true, true
		}
		return ok || b == ""
	}
	for i := 0; i < len(lines) && at(i); i++ {
	}
	for i := len(lines) - 1; i >= 0 && at(i); i-- {
	}
	for i, l := range lines {
		if session && !outer[i] {
			continue
		}
		head, host, command, ok := prompt(body(l))
		if ok && (full(head) || usual[formOf(head)] && (command == "" || head == "$" || len(head) > 1)) {
			if !full(head) {
				host = "" // bash-5.1$ names none
			}
			list = append(list, mark{i, i + 1, Piece{Host: host, Command: command}})
		}
	}
	return list
}

var (
	fullShape = parse.Lazy(`^(?:` + clock + `)?\(?[\w.\[( )-]*[\w.-] ?@ ?[A-Za-z]|^\[?[A-Za-z][\w.-]*:[~/]`)
	// ending is a prompt that may end a text: no "100 %", no "-->".
	ending = parse.Lazy(`^(?:[#$>%]|[A-Za-z][\w.-]*[#$>%])$|@|[~/]`)
)
