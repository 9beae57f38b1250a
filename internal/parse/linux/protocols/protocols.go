// Package protocols reads the protocol counters of Linux as commands print them:
// netstat -s, which has a sentence for most, and nstat, as text or JSON. Counters
// have the kernel's names, "TcpExt.ListenOverflows", as in /proc/net/netstat.
package protocols

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"seaworthy/internal/parse"
)

// Counters is one output.
type Counters struct {
	parse.Report
	Values map[string]uint64 `json:"values"`
}

var (
	section = parse.Lazy(`^([A-Z][A-Za-z0-9]*):\s*$`)
	inside  = parse.Lazy(`^\s+\S`)
	named   = parse.Lazy(`^[A-Za-z][A-Za-z0-9_]*:$`)
)

// sentences are those of netstat -s for the counters that rules ask for, without
// the number, as net-tools wrote them before and since 2013.
//
//go:embed sentences.txt
var sentencesText string

var sentences = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(sentencesText) {
		sentence, name, _ := strings.Cut(strings.TrimSpace(line), ": ")
		names[sentence] = name
	}
	return names
})

// sections has the protocol of each sentence that only one has.
var sections = sync.OnceValue(func() map[string]string {
	of := map[string]string{}
	for sentence := range sentences() {
		protocol, phrase, _ := strings.Cut(sentence, " ")
		if _, twice := of[phrase]; twice {
			protocol = ""
		}
		of[phrase] = protocol
	}
	return of
})

// Parse reads netstat -s, also lines picked out of it, whose sentences tell the protocol. A counter that is zero is mostly
// not printed: it is not known then. Errors: parse.ErrNotRecognised if no section has a line.
func Parse(text []byte) (*Counters, error) {
	c := &Counters{}
	now := ""
	c.ReadComplete(text, func(l parse.Line) bool {
		words := strings.Fields(l.Text)
		switch {
		case section.Scan(l.Text, &now):
			return true
		case now == "":
			return len(words) > 1 && c.picked(words)
		}
		return inside.MatchString(l.Text) && c.line(now, words)
	})
	return parse.Recognised(c, c.Values != nil)
}

// extended are counters that only TcpExt has, which netstat prints by their names.
var extended = parse.Lazy(`^(?:TCP|Tcp)[A-Z]\w+:$`)

// datagrams are counters that only Udp has.
var datagrams = parse.Lazy(`^(?:Mem|Rcvbuf|Sndbuf)Errors:$`)

// picked keeps the number of a line without a section above it; false if its sentence is not one protocol's.
func (c *Counters) picked(words []string) bool {
	if len(words) == 2 && extended.MatchString(words[0]) {
		return c.line("TcpExt", words)
	}
	if len(words) == 2 && datagrams.MatchString(words[0]) {
		return c.line("Udp", words)
	}
	var phrase []string
	for _, w := range words {
		if _, err := strconv.ParseUint(w, 10, 64); err != nil {
			phrase = append(phrase, w)
		}
	}
	of := sections()[strings.TrimSuffix(strings.Join(phrase, " "), ".")]
	return of != "" && c.line(of, words)
}

// line keeps the one number of a line, if it has a name; false if it has none or several.
func (c *Counters) line(now string, words []string) bool {
	var rest []string
	var n *uint64
	for _, w := range words {
		v, err := strconv.ParseUint(w, 10, 64)
		switch {
		case err != nil:
			rest = append(rest, w)
		case n == nil:
			n = &v
		default:
			return false
		}
	}
	if n == nil {
		return strings.HasSuffix(words[len(words)-1], ":") // a title: ICMP input histogram
	}
	if c.Values == nil {
		c.Values = map[string]uint64{}
	}
	phrase := strings.TrimSuffix(strings.Join(rest, " "), ".")
	if name := sentences()[now+" "+phrase]; name != "" {
		c.Values[now+"."+name] = *n
	} else if len(rest) == 1 && named.MatchString(phrase) { // what netstat has no sentence for
		c.Values[now+"."+strings.TrimSuffix(phrase, ":")] = *n
	}
	return true
}
