package split

import (
	"strings"

	"seaworthy/collect/importer/detect"
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

// isPrompt says that a line is a prompt with a known command behind it.
func isPrompt(line string) bool {
	if !strings.ContainsAny(line, "#$>%") || !detect.NamesProgram(line) {
		return false
	}
	_, _, command, ok := prompt(body(line))
	return ok && typed(command)
}

// typed says that a line is a command a person or a script would run, with a
// program whose output is known.
func typed(command string) bool {
	c := detect.ParseCommand(command)
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
	above, owner := twoLines(lines, heads)
	if owner != "" {
		hosts[owner]++
	}
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
		if above != "" && i+1 < len(lines) && formOf(body(l)) == above {
			if head, _, command, ok := prompt(body(lines[i+1])); ok && heads[shape(head)] > 0 && !comment(head, command) {
				continue
			}
		}
		p.add(l)
	}
	p.end()
	c.Pieces = p.list
	return c
}

// twoLines finds the first line of prompts that take two: what stands before
// most of them, "(0) root @ lpar1: /" above "# cmd". The host is the one it
// names.
func twoLines(lines []string, heads map[string]int) (above, host string) {
	counts := map[string]int{}
	first := map[string]string{}
	all := 0
	for i := 1; i < len(lines); i++ {
		head, _, command, ok := prompt(body(lines[i]))
		if !ok || heads[shape(head)] == 0 || comment(head, command) {
			continue
		}
		all++
		if b := body(lines[i-1]); b != "" {
			counts[formOf(b)]++
			first[formOf(b)] = b
		}
	}
	for form, n := range counts {
		if n < 2 || n*5 < all*4 || isRuler(form) {
			continue
		}
		if m := loggedIn.FindStringSubmatch(first[form]); m != nil {
			return form, m[1]
		}
	}
	return "", ""
}

// loggedIn is who and where, as a prompt says it.
var loggedIn = dialect.Lazy(`[\w.-]+ ?@ ?([A-Za-z0-9][\w.-]*)`)

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
