package split

import (
	"regexp"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// People put the same lines of another host, or of another time, below their words: "on the other server it is:". Where words
// stand between the lines of an output, and what follows begins with a line that was there before, it is another output.

// againAt is the first and the last line of the words in an output below which it begins once more; ok is false if there are none.
func againAt(lines []string, f *detect.Found, host string) (from, to int, ok bool) {
	if f == nil || !f.Known || len(f.Report.Unknown) == 0 {
		return 0, 0, false
	}
	strange := strangeIn(f)
	seen := map[string]bool{}
	from = -1
	other := false // the words are a heading of another machine
	for i, l := range lines {
		b := plainOf(l)
		switch {
		case b == "":
		case strange[i]:
			if from < 0 && len(seen) > 0 && (isSpoken(b) || meansMachine(body(l), host)) {
				from, other = i, meansMachine(body(l), host)
			}
		case from >= 0 && (other || seen[withoutValues(b)]):
			return from, i, true
		default:
			seen[withoutValues(b)] = true
			from = -1
		}
	}
	return 0, 0, false
}

// machineHeading is a heading of people that means a machine: "### Host interface", "On the hypervisor:", "宿主机：".
var machineHeading = parse.Lazy(`(?i)^(?:#{1,6}[ \t]+(?:\S+[ \t]+){0,3}?|[*_]{0,2}(?:[\pL]+[ \t]+){0,3}?)` +
	`(?:(host|hypervisor|guest|gast|client|server|master|worker|controller|peer|router|gateway|hôte|serveur|servidor|rechner|` +
	`хост\pL*|сервер\pL*|узл\pL*|宿主机|主机|服务器|客户端|虚拟机|节点)|(vm[-_]?\d+|node[-_]?\d+|lpar[-_]?\d+|vios?[-_]?\d+))` +
	`(?:[ \t]+[^:：.]{1,40})?[ \t]*(?:\([^()]*\))?[*_]{0,2}[:：]?[*_]{0,2}$`)

// meansMachine reports whether a line is a heading that means another machine than a host.
func meansMachine(line, host string) bool {
	b := strings.TrimSpace(line)
	m := machineHeading.FindStringSubmatch(b)
	if m == nil || len(b) > longestSide {
		return false
	}
	bare := strings.TrimRight(b, "*_")
	marked := strings.HasPrefix(b, "#") || strings.HasSuffix(bare, ":") || strings.HasSuffix(bare, "：")
	return marked && (m[2] == "" || !sameName(m[2], host))
}

// isSpoken reports whether a line is a sentence, or words that end in a colon.
func isSpoken(line string) bool {
	return isSentence(line) || strings.HasSuffix(line, ":") && !holdsFigures(line) && strings.Trim(line, ": ") != ""
}

// aValue is a number that stands alone, or a word behind an equals sign.
var aValue = regexp.MustCompile(`(^|[\s:=(,])-?\d[\d.]*|=\s*\S+`)

// withoutValues is a line without what differs from one reading to the next.
func withoutValues(line string) string {
	return aValue.ReplaceAllString(strings.Trim(line, "\x60"), "${1}0")
}

// mostAgain is how often an output is cut where it begins once more: the rest is looked at each time.
const mostAgain = 40

// partedAgain is a piece cut at words below which its output begins once more: the first reading, the words, and the others.
func (c *Cut) partedAgain(p Piece, lines []string, f *detect.Found) []Piece {
	if c.again == mostAgain {
		return nil
	}
	from, to, ok := againAt(lines, f, p.Host)
	if !ok {
		return nil
	}
	first, second := p, p
	first.Text = []byte(strings.Join(lines[:from], ""))
	second.Text, second.Line = []byte(strings.Join(lines[to:], "")), p.Line+to
	second.Again = true
	if second.HostFrom == "" || second.HostFrom == "prompt" { // below words the prompt above them says nothing
		second.Host, second.HostFrom = "", ""
	}
	words := p.note(lines[from:to], p.Line+from)
	words.Host, words.HostFrom = "", ""
	return []Piece{first, words, second}
}

// markOtherMachines takes the name of the prompt above from outputs that stand below a heading of another machine, without a prompt
// of their own.
func (c *Cut) markOtherMachines() {
	var last *Piece // the output above
	other := false
	for i := range c.Pieces {
		p := &c.Pieces[i]
		heads := last != nil && last.Host != "" && p.Command == "" && meansMachine(body(lastLine(p.Text)), last.Host)
		if p.Note || heads {
			other = heads
			continue
		}
		own := last == nil || p.Command != "" && p.Command != last.Command
		if other && !own && sameName(p.Host, last.Host) && (p.HostFrom == "" || p.HostFrom == "prompt") {
			p.Host, p.HostFrom, p.Again = "", "", true
			continue
		}
		last, other = p, false
	}
}
