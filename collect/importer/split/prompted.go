package split

import (
	"regexp"
	"strings"

	"seaworthy/collect/importer/detect"
	"seaworthy/dialect"
)

var (
	promptEnd  = dialect.Lazy(`[#$%>\]:+|)][ \t]*$`)
	numberPart = dialect.Lazy(`[0-9]+`)
	shellWord  = dialect.Lazy(`^(?:exit|logout|echo|set|date|cd)\b`)
	wordPart   = dialect.Lazy(`[A-Za-z0-9]`)
	folderPart = dialect.Lazy(`[~/][\w./~-]*`)
	stamp      = dialect.Lazy(`^\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.,]+Z?\]?[ \t]+`)
	// host:, host[, [host: and user@host at the front of a prompt
	hostFront = dialect.Lazy(`^[\[(]?(?:[\w.-]+ ?@ ?)?([A-Za-z][\w.-]*)[:\[\])/ ]`)
)

// prompted parts a session whose prompts have a form of their own: whatever
// stands before commands again and again, differs only in numbers and folders,
// and ends as prompts end. "+ cmd" of a traced script is one of them.
func prompted(lines []string) *Cut {
	forms := map[string]int{}
	for _, l := range lines {
		b := body(l)
		if at, ok := commandAt(b); ok {
			forms[formOf(b[:at])]++
		}
	}
	var heads []*regexp.Regexp
	for form, n := range forms {
		if n > 1 {
			heads = append(heads, headOf(form))
		}
	}
	if len(heads) == 0 || len(heads) > 20 {
		return nil
	}
	c := &Cut{Form: Session}
	p := pieces{line: 1}
	for i, l := range lines {
		b := body(l)
		head := ""
		for _, h := range heads {
			if m := h.FindString(b); len(m) > len(head) {
				head = m
			}
		}
		if head == "" || !wordPart.MatchString(head) && !typed(b[len(head):]) && !shellWord.MatchString(b[len(head):]) {
			p.add(l) // "+ sys0" is an output's as well
			continue
		}
		host := hostIn(head)
		if c.Host == "" && host != "" {
			c.Host, c.HostFrom = host, "prompt"
		}
		p.begin(Piece{Command: strings.TrimSpace(b[len(head):]), Host: host}, i+1)
	}
	p.end()
	c.Pieces = p.list
	return c
}

// commandAt is where a command line with arguments begins behind a prompt.
func commandAt(line string) (at int, ok bool) {
	if len(line) > 600 || !detect.NamesProgram(line) {
		return 0, false
	}
	for i := 1; i < len(line); i++ {
		if line[i-1] != ' ' && line[i-1] != '\t' || line[i] == ' ' || line[i] == '\t' {
			continue
		}
		if !promptEnd.MatchString(line[:i]) {
			continue
		}
		first, _, _ := strings.Cut(line[i:], " ")
		if !detect.NamesProgram(first) {
			continue
		}
		if command, ok := commandOf(line[i:]); ok && command == strings.TrimSpace(line[i:]) {
			return i, true
		}
	}
	return 0, false
}

// formOf is a prompt without what changes from one to the next.
func formOf(head string) string {
	return numberPart.ReplaceAllString(folderPart.ReplaceAllString(strings.TrimSpace(head), "/"), "0")
}

// headOf finds a prompt of a form at the start of a line.
func headOf(form string) *regexp.Regexp {
	e := regexp.QuoteMeta(form)
	e = strings.ReplaceAll(e, "0", `[0-9]+`)
	e = strings.ReplaceAll(e, "/", `[~/][\w./~-]*`)
	return regexp.MustCompile(`^[ \t]*` + e + `(?:[ \t]+|$)`)
}

// hostIn is the host that a prompt names, past the time that a terminal
// program put before it.
func hostIn(head string) string {
	head = stamp.ReplaceAllString(strings.TrimSpace(head), "")
	if _, host, _, ok := prompt(head); ok && host != "" {
		return host
	}
	if m := hostFront.FindStringSubmatch(head); m != nil && strings.ContainsAny(head, "@:[") && !spoken.MatchString(head) {
		return m[1]
	}
	return ""
}

// spoken is the front of a date or of a sentence, not a prompt's.
var spoken = dialect.Lazy(`^[\[(]?[A-Za-z]+ +[A-Za-z0-9]+ `)
