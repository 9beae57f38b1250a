package cut

import (
	"strings"

	"seaworthy/collect/importer/recognise"
	"seaworthy/dialect"
)

// promptShape is a prompt and what was typed behind it: "# cmd", "$ cmd",
// "root@host:/ # cmd", "[root@host ~]# cmd", "host:/home/padmin> cmd",
// "(0) root @ host: /".
var promptShape = dialect.Lazy(`^((?:\([\w. -]{1,20}\) ?)?\[?(?:[\w.-]{1,64} ?@ ?)?([\w.-]{1,255})?(?::? ?[~/][\w./~-]*|:)?\]?(?: \[[^\]]{1,40}\])? ?[#$>%])(?:[ \t]+(\S.*)|[ \t]*)$`)

// prompt takes a line apart; ok is false if it cannot be a prompt.
func prompt(line string) (head, host, command string, ok bool) {
	if len(line) > 600 || !strings.ContainsAny(line, "#$>%") {
		return
	}
	m := promptShape.FindStringSubmatch(line)
	if m == nil {
		return
	}
	return m[1], m[2], strings.TrimSpace(m[3]), true
}

// typed says that a line is a command a person or a script would run, with a
// program whose output is known.
func typed(command string) bool {
	c := recognise.ParseCommand(command)
	return c.ID != ""
}

// session parts a saved terminal session. A prompt is believed once a known
// command stands behind it; then the same prompt ends the output before it,
// whatever was typed.
func session(lines []string) *Cut {
	heads := map[string]int{}
	hosts := map[string]int{}
	for _, l := range lines {
		head, host, command, ok := prompt(body(l))
		if !ok || !typed(command) {
			continue
		}
		heads[shape(head)]++
		if host != "" && strings.ContainsAny(head, "@:[") {
			hosts[host]++
		}
	}
	if len(heads) == 0 {
		return nil
	}
	c := &Cut{Form: Session}
	most := 0
	for h, n := range hosts {
		if n > most || n == most && h < c.Host {
			most, c.Host, c.HostFrom = n, h, "prompt"
		}
	}
	p := pieces{line: 1}
	for i, l := range lines {
		head, host, command, ok := prompt(body(l))
		if ok && heads[shape(head)] > 0 && !comment(head, command) {
			now := Piece{Command: command}
			if hosts[host] > 0 {
				now.Host = host
			}
			p.begin(now, i+1)
			continue
		}
		p.add(l)
	}
	p.end()
	c.Pieces = p.list
	return c
}

// shape is a prompt without the folder it stands in.
var place = dialect.Lazy(`[~/][\w./~-]*|\(\d+\)`)

func shape(head string) string { return place.ReplaceAllString(head, "/") }

// comment says that "# words" inside an output is no prompt: a bare number
// sign also begins comments, so what follows must look like a command.
func comment(head, command string) bool {
	if command == "" || head != "#" && head != "%" && head != ">" {
		return false
	}
	first, _, _ := strings.Cut(command, " ")
	return !typed(command) && !programShape.MatchString(first)
}

var programShape = dialect.Lazy(`^(?:[./~]?[\w./-]*[a-z][\w./-]*)$`)
