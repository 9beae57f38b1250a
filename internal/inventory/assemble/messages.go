package assemble

import (
	"strings"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// messageFeed has what the log of a Linux kernel says.
type messageFeed struct{ *hostBuilder }

var messageRows = []row{
	{"dmesg", feeds(3, messageFeed.kernelLog)},
}

// kernelMessages are the patterns of the catalogue, compiled once.
var kernelMessages = sync.OnceValue(func() map[string]*parse.Pattern {
	patterns := map[string]*parse.Pattern{}
	for _, m := range knowledge.BuiltIn().Messages() {
		patterns[m.Fact] = parse.Lazy(m.Pattern)
	}
	return patterns
})

// leastOfLog is how many lines show that a log is not the few that somebody cut out of it.
const leastOfLog = 50

// atBoot is a line with which a log begins when the system starts.
var atBoot = parse.Lazy(`^(?:\[ *[01]\.\d+\]|.*\bLinux version \d)`)

// isWholeLog reports whether a log is whole, as far as anything shows: only then does a message that is not in it count as none.
func isWholeLog(o Output, messages []linewise.KernelMessage) bool {
	asked := strings.Contains(o.Command, "$(dmesg)") // collect's own, which leaves out what nothing counts
	return asked || len(messages) >= leastOfLog || len(messages) > 0 && atBoot.MatchString(messages[0].Text)
}

// kernelLog counts the lines of each kind of message. Several logs of a host add up.
func (b messageFeed) kernelLog(o Output, log *linewise.KernelLog) {
	if b.host.Platform != model.Linux {
		return
	}
	found := map[string][]int{}
	for _, m := range log.Messages() {
		text := []byte(m.Text)
		for fact, pattern := range kernelMessages() {
			if pattern.Match(text) { // looks for fixed words first: most of a long log has none
				found[fact] = append(found[fact], m.Line)
			}
		}
	}
	whole := isWholeLog(o, log.Messages())
	for fact := range kernelMessages() {
		lines := found[fact]
		if len(lines) == 0 && !whole { // the message may stand in the rest
			continue
		}
		before, counted := b.host.Figures[fact]
		switch {
		case !counted:
			b.count(o, fact, lines)
		case len(lines) > 0:
			b.count(o, fact, lines)
			b.figure(fact, before.Value+float64(len(lines)), b.host.Figures[fact].From)
		}
	}
}
