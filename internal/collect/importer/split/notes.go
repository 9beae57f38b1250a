package split

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// Notes takes the words of people that stand before or behind outputs out of their pieces: each such text becomes a piece of its
// own, a note. What a command printed is never one: a line that a codec understands, or that holds figures as tables and lists
// do, stays where it is.
func (c *Cut) Notes(name string) {
	var list []Piece
	frames := headingFrames(c.Pieces)
	for i, p := range c.Pieces {
		var behind []Piece
		if i+1 < len(c.Pieces) {
			p, behind = withoutHeading(p, frames)
		}
		var parts []Piece
		for _, block := range answerIn(p) {
			parts = append(parts, withNotes(block, c, name)...)
		}
		parts = append(parts, behind...)
		if len(parts) > 1 {
			c.Found = nil
		}
		list = append(list, parts...)
	}
	if len(list) <= maxPieces {
		c.Pieces = list
	}
	c.markOtherMachines()
	c.markAdvised()
	known := slices.ContainsFunc(c.Pieces, func(p Piece) bool { return !p.Note })
	if !known { // a text of its own, and no note to an output
		for i := range c.Pieces {
			c.Pieces[i].Note = false
		}
		return
	}
	c.sayHosts()
	for i := range c.Pieces {
		p := &c.Pieces[i]
		p.Note = p.Note || p.Again && p.Host == ""
	}
}

// headingFrames are the frames of the lines at the ends of pieces that say whose what follows is.
func headingFrames(list []Piece) map[string]bool {
	frames := map[string]bool{}
	for _, p := range list {
		last := lastLine(p.Text)
		if !announces(last) {
			continue
		}
		host, _ := saidBy(plainOf(last))
		if host == "" {
			continue
		}
		b := strings.TrimSpace(body(last))
		frames[frameOf(b, host, strings.Index(b, host))] = true
	}
	return frames
}

// lastLine is the last line of a text with something in it.
func lastLine(text []byte) string {
	text = bytes.TrimRight(text, " \t\r\n")
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// announces reports whether a line may say whose what follows is, as far as its form shows.
func announces(line string) bool {
	b := body(line)
	return b != "" && len(b) <= longestSpoken && (strings.HasSuffix(b, ":") || strings.HasSuffix(b, ")") && roleOf.MatchString(b))
}

// roleOf is a line that names the host of a role: "Server: web7 (AIX 7.2)".
var roleOf = parse.Lazy(`^[#*= \t]*(?i:` + role + `|` + machine + `)[ \t]*[:=][ \t]*[A-Za-z][\w.-]*(?:[ \t]+\([^()]*\))?$`)

// withoutHeading is a piece without the words at its end that say whose what follows is, and those words.
func withoutHeading(p Piece, frames map[string]bool) (without Piece, heading []Piece) {
	if p.Note || p.Preface || !announces(lastLine(p.Text)) {
		return p, nil
	}
	lines := split(p.Text)
	last := len(lines) - 1
	for last > 0 && strings.TrimSpace(lines[last]) == "" {
		last--
	}
	if last == 0 {
		return p, nil
	}
	at := saidBehind(lines)
	if host, _ := saidBy(plainOf(lines[last])); host == "" {
		if strings.TrimSpace(lines[last-1]) != "" || alike(Piece{Text: []byte(lines[last])}, frames) == "" {
			return p, nil
		}
		at = last
	}
	if at == 0 || at > last {
		return p, nil
	}
	heading = []Piece{p.note(lines[at:], p.Line+at)}
	p.Text = []byte(strings.Join(lines[:at], ""))
	return p, heading
}

// longestNoted bounds a piece in which notes are looked for, in bytes.
const longestNoted = 1 << 20

// withNotes is a piece, and the notes before and behind it.
func withNotes(p Piece, c *Cut, name string) []Piece {
	if len(p.Text) > longestNoted || p.Preface {
		return []Piece{p}
	}
	hint := c.hintFor(p, name)
	lines := split(p.Text)
	if detect.ParseCommand(p.Command).ID == "sys-class-net" {
		return p.withoutWordsBelow(lines)
	}
	f, ok := c.Found, c.Found != nil
	if !ok {
		f, ok = detect.Text(p.Text, hint)
	}
	if again := c.partedAgain(p, lines, f); again != nil {
		without := *c
		without.Found = nil
		without.again++
		return append(again[:2:2], withNotes(again[2], &without, name)...)
	}
	switch {
	case ok && len(f.Report.Unknown) == 0:
		return []Piece{p}
	case !ok && p.Command == "" && isNote(lines):
		p.Note = true
		return []Piece{p}
	}
	if at := saidBehind(lines); at > 0 && at < len(lines) {
		behind := p.note(lines[at:], p.Line+at)
		p.Text = []byte(strings.Join(lines[:at], ""))
		without := *c
		without.Found = nil
		return append(withNotes(p, &without, name), behind)
	}
	var strange map[int]bool
	if ok {
		strange = strangeIn(f)
	}
	from, to := noteBefore(lines, strange), noteBehind(lines, strange)
	if from >= to || from == 0 && to == len(lines) {
		p.Note = !ok && c.Form == Headings && isNote(lines) // people write about a command as well
		return []Piece{p}
	}
	middle := []byte(strings.Join(lines[from:to], ""))
	g, found := detect.Text(middle, hint)
	if !found || ok && (g.ID != f.ID || readIn(g, middle) < readIn(f, p.Text)) {
		return []Piece{p}
	}
	var out []Piece
	if from > 0 {
		out = append(out, p.note(lines[:from], p.Line))
	}
	own := p
	own.Text, own.Line = middle, p.Line+from
	out = append(out, own)
	if to < len(lines) {
		out = append(out, p.note(lines[to:], p.Line+to))
	}
	return out
}

// hintFor holds what a text named so says of a piece of it.
func (c *Cut) hintFor(p Piece, name string) detect.Hint {
	if c.Form == Whole || len(c.Pieces) == 1 || p.Sole {
		return detect.Hint{Command: p.Command, File: name}
	}
	return detect.Hint{Command: p.Command, File: p.Title}
}

// strangeIn are the lines that the codec of an output does not know, by their index.
func strangeIn(f *detect.Found) map[int]bool {
	strange := map[int]bool{}
	for _, l := range f.Report.Unknown {
		strange[l.Number-1] = true
	}
	return strange
}

// withoutWordsBelow is a piece that a file of the kernel with a value filled, and the note that its lines are below a blank one.
func (p Piece) withoutWordsBelow(lines []string) []Piece {
	end := slices.IndexFunc(lines, func(l string) bool { return body(l) == "" })
	if end <= 0 || !areWords(lines[end:]) {
		return []Piece{p}
	}
	behind := p.note(lines[end:], p.Line+end)
	p.Text = []byte(strings.Join(lines[:end], ""))
	return []Piece{p, behind}
}

// readIn counts the lines with something in them that a codec knows.
func readIn(f *detect.Found, text []byte) int {
	if !f.Known {
		return 0
	}
	n := filled(text)
	for _, l := range f.Report.Unknown {
		if strings.TrimSpace(l.Text) != "" {
			n--
		}
	}
	return n
}

// plainOf is a line without its end and without what frames it.
func plainOf(line string) string {
	bare := strings.TrimSpace(body(line))
	if framed := strings.Trim(bare, "*|#│ \t"); framed != "" && len(framed) < len(bare)-1 {
		return framed
	}
	return bare
}

// note is a note beside a piece.
func (p Piece) note(lines []string, at int) Piece {
	return Piece{Host: p.Host, HostFrom: p.HostFrom, Time: p.Time, Note: true, Text: []byte(strings.Join(lines, "")), Line: at}
}

// isNote reports whether lines are nothing but words of people.
func isNote(lines []string) bool {
	filled, spoken := 0, 0
	for _, l := range lines {
		b := plainOf(l)
		switch {
		case b == "":
			continue
		case framing.MatchString(b), isSentence(b):
			spoken++
		case holdsFigures(b):
			return false
		}
		filled++
	}
	return spoken > 0 && spoken*3 >= filled
}

// noteBefore is the number of the first line behind the words at the head of a text. Strange are the lines that the codec of the
// output does not know; nil if no codec knows the text with the words in it.
func noteBefore(lines []string, strange map[int]bool) (end int) {
	words := false
	for i, l := range lines {
		b := plainOf(l)
		switch {
		case b == "":
			continue
		case strange != nil && !strange[i], holdsFigures(b) && !framing.MatchString(b):
			return end
		}
		words = words || isSentence(b) || framing.MatchString(b) || strange == nil && isCloser(b) && unicode.IsUpper([]rune(b)[0])
		if !words {
			return end
		}
		if strange == nil && !isSentence(b) && !framing.MatchString(b) && !isCloser(b) {
			return end
		}
		end = i + 1
	}
	return end
}

// saidBehind is the number of the first line of the words at the end of a text that name a host, below a blank line or the head of
// a message; the number of lines if there are none.
func saidBehind(lines []string) int {
	said, first := false, len(lines)
	for i, l := range slices.Backward(lines) {
		b := plainOf(l)
		begins := i > 0 && (plainOf(lines[i-1]) == "" || framing.MatchString(b) || adorn.MatchString(b))
		if b == "" {
			continue
		}
		host, _ := saidBy(b)
		if holdsFigures(b) && !framing.MatchString(b) {
			break
		}
		said = said || host != ""
		switch {
		case !said:
		case begins:
			first = i
		case first < len(lines) && !isSentence(b) && !framing.MatchString(b): // the paragraph above is no words
			return first
		}
	}
	return first
}

// noteBehind is the number of the first line of the words at the end of a text.
func noteBehind(lines []string, strange map[int]bool) int {
	begin, words := len(lines), false
	at := begin
	for i, l := range slices.Backward(lines) {
		b := plainOf(l)
		if b == "" {
			continue
		}
		if strange != nil && !strange[i] || holdsFigures(b) && !framing.MatchString(b) {
			break
		}
		spoken := isSentence(b) || framing.MatchString(b)
		if strange == nil && !spoken && !isCloser(b) {
			break
		}
		at = i
		if spoken || isCloser(b) {
			words, begin = true, at
		}
	}
	if !words {
		return len(lines)
	}
	return begin
}

var (
	// framing are lines that mails, tickets, chats, terminals and scripts put around what people write and paste.
	framing = parse.Lazy(`(?i)^(?:(?:from|sent|to|cc|bcc|subject|date|reply-to|attachments?|von|gesendet|an|betreff|datum|de|à|objet|` +
		`case|ticket|status|priority|severity|assignee|reporter|labels?|component|version|environment|content-[\w-]+|mime-version|` +
		`message-id|x-[\w-]+|login|login as|password|code|quote|output|stdout|stderr|rc|(?:exit|return) (?:code|status)):?(?:[ \t].*)?` +
		`|on .{6,120} wrote:|am .{6,120} schrieb .*:|le .{6,120} a écrit :` +
		`|[-=*_#~<>8. ]{2,}.{0,100}?[-=*_#~<>8. ]{0,}(?:comment|update|begin|end|start|cut|original message|forwarded|snip|output|steps?)\b.*` +
		`|[\[(<{]*(?:\.{3}|snip|snipped|cut|output omitted|omitted|truncated|skipped|etc)\b?[^\w]*` +
		`|[\[(<{]?\.{2,}[\])>}]?|…|--more--.*|\(end\)|lines \d+-\d+.*` +
		`|(?:\[?` + saidAt + `\]?)? ?(?:- )?<?[ @]?[a-z][\w. #-]{0,40}>?[,:]? ` +
		`\[?` + saidAt + `\]?:?` +
		`|\[?` + saidAt + `\]? ?(?:- )?<?[ @]?[a-z][\w. -]{0,40}(?:[>:] ?.*|#\d{4})` +
		`|(?:comment|update|reply|answer|message|post|anonymous|steps?)\b.{0,80}|last (?:login|unsuccessful login):.*` +
		`|script (?:started|done) on .*` +
		`|=~=~.*|aix version \d.*|copyright .*|\(c\) .*|microsoft windows .*|[*=#_-]{8,}|\[pipeline\].*|finished: [a-z]+` +
		`|exit|logout|connection to \S+ closed\.?` +
		`|starting pod/.*|to use host binaries, run .*|removing debug pod.*|pod ip: .*|defaulted container .*` +
		`|if you don't see a command prompt.*` +
		`|h[1-6]\. .*|#{1,6} \w.*|\d{1,2}[.)] [a-z].*|zzz \*{3}.*|\S+'s password:|-- ?)$`)
	// sentenceWord is a word of people's language, with the marks behind it.
	sentenceWord = parse.Lazy(`^["'(\[*_]*[\pL][\pL'’-]*["')\]*_]*[.,;:!?…]*$`)
	// closer is a line of a greeting or of a name: one to four words.
	closer = parse.Lazy(`^[\pL][\pL'’.-]*(?: [\pL][\pL'’.-]*){0,3}[,.!:]?$`)
	figure = parse.Lazy(`^[<>=+-]?\d[\d.,:/%x-]*[a-zA-Z/%]{0,6}[.,;:!?)]?$`)
)

// saidAt is when a message of a chat was sent.
const saidAt = `(?:\d{1,4}[-/.](?:\d{1,2}|[a-z]{3})[-/.]\d{1,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?`

// Of a sentence, most words are those of a language.
const (
	leastWords     = 4
	shareOfWords   = 70
	mostGaps       = 1
	mostFigures    = 2
	shortestSpoken = 2
)

// isSentence reports whether a line is one that a person wrote.
func isSentence(line string) bool {
	words := strings.Fields(line)
	plain, lower := 0, 0
	for _, w := range words {
		if sentenceWord.MatchString(w) {
			plain++
			if strings.ContainsFunc(w[:1], unicode.IsLower) {
				lower++
			}
		}
	}
	least := leastWords
	if strings.ContainsAny(line[len(line)-1:], ".!?:,") {
		least = shortestSpoken
	}
	return len(words) >= least && plain*100 >= len(words)*shareOfWords && lower >= min(least-1, 2) && gaps(line) <= mostGaps
}

// isCloser reports whether a line is a greeting or a name.
func isCloser(line string) bool { return closer.MatchString(line) && gaps(line) == 0 }

// holdsFigures reports whether a line holds values as outputs do: columns, a value behind a mark, more than a few numbers.
func holdsFigures(line string) bool {
	numbers := 0
	for _, w := range strings.Fields(line) {
		if figure.MatchString(w) {
			numbers++
		}
	}
	return numbers > mostFigures || gaps(line) > mostGaps || setting.MatchString(line)
}

// setting is a value behind its name.
var setting = parse.Lazy(`^[\w./ -]{1,60}(?:[:=]| = )[ \t]*[-+]?\d[\w.,%]*$|^\S+=\S+$`)

// gaps counts the places where columns begin.
func gaps(line string) (n int) {
	for i := 1; i+1 < len(line); i++ {
		wide := line[i] == '\t' || line[i] == ' ' && line[i-1] == ' '
		if wide && line[i+1] != ' ' && line[i+1] != '\t' {
			n++
		}
	}
	return n
}
