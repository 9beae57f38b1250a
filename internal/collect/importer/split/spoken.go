package split

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// People say in their own words of which host what follows is: "here is what db4 says:", "und vom db5:". Where the words between
// the outputs of a text name several hosts, one after the other, the outputs below each are of that host.

// Bounds of a line of words that names a host.
const (
	longestSpoken = 120
	mostSpoken    = 14
	longestWords  = 40 // lines
)

// placeWord stands before the name of the host that words are about.
var placeWord = parse.Lazy(`(?i)(?:^|[^\pL])(?:on|of|from|at|in|auf|von|vom|aus|bei|beim|der|des|sur|de|du|depuis|en|del|em|su|dal|server|host|` +
	`node|lpar|vios|system|machine|box|partition|rechner|serveur|servidor|knoten)[ \t]*[:=]?[ \t]*[\x60*_"'(\[]*$`)

// opposite stands before the name of a host that is the other end of what words are about.
var opposite = parse.Lazy(`(?i)(?:^|[^\pL])(?:to|with|against|versus|vs|and|or|than|between|via|through|zu|zum|mit|gegen|und|zwischen|nach|vers|avec|` +
	`et|contra|y|con|like|unlike|not)[ \t]+[\x60*_"'(\[]*$`)

// sayHosts gives the pieces below words that name a host that host, where words name several and nothing else names any.
func (c *Cut) sayHosts() {
	if c.Host != "" || slices.ContainsFunc(c.Pieces, func(p Piece) bool { return p.Host != "" }) {
		return
	}
	said := make([]string, len(c.Pieces)) // the host that each piece names
	frames := map[string]bool{}           // of the lines that name one
	names := map[string]bool{}
	for i, p := range c.Pieces {
		if p.words() {
			said[i] = saidIn(p, frames)
		}
		if said[i] != "" {
			names[strings.ToLower(said[i])] = true
		}
	}
	for i, p := range c.Pieces { // a name without a number, in the words around one that has one
		if said[i] == "" && p.words() {
			said[i] = alike(p, frames)
		}
		if said[i] != "" {
			names[strings.ToLower(said[i])] = true
		}
	}
	if len(names) < 2 || !c.eachAbove(said) {
		return
	}
	host := ""
	for i := range c.Pieces {
		if said[i] != "" {
			host = said[i]
		}
		if c.Pieces[i].Host = host; host != "" {
			c.Pieces[i].HostFrom = "words above it"
		}
	}
}

// words reports whether a piece is nothing but what people write.
func (p Piece) words() bool {
	switch {
	case p.Command != "" || p.Title != "":
		return false
	case p.Note, p.Preface:
		return true
	}
	lines := split(p.Text)
	for _, l := range lines {
		b := plainOf(l)
		if b != "" && holdsFigures(b) && !framing.MatchString(b) {
			return false
		}
	}
	return len(lines) <= longestWords
}

// eachAbove reports whether words name a host before the first output, and each name that they give stands above an output.
func (c *Cut) eachAbove(said []string) bool {
	open, above := "", map[string]bool{}
	for i, p := range c.Pieces {
		switch {
		case said[i] != "":
			open = strings.ToLower(said[i])
			above[open] = above[open] || false
		case p.words():
		case open == "":
			return false
		default:
			above[open] = true
		}
	}
	return !slices.Contains(slices.Collect(maps.Values(above)), false)
}

// saidIn is the host that words name in the last of their lines that names one; empty if none does, or if nothing says which.
func saidIn(p Piece, frames map[string]bool) string {
	for _, l := range slices.Backward(split(p.Text)) {
		host, _ := saidBy(plainOf(l))
		if host == "" {
			continue
		}
		b := strings.TrimSpace(body(l))
		frames[frameOf(b, host, strings.Index(b, host))] = true
		return host
	}
	return ""
}

// saidBy is the only word of a line that may be a host's name, where the line says that something is of it, and where it stands.
func saidBy(line string) (host string, at int) {
	if line == "" || len(line) > longestSpoken || len(strings.Fields(line)) > mostSpoken || holdsFigures(line) {
		return "", 0
	}
	for _, m := range hostWord.Regexp().FindAllStringIndex(line, -1) {
		word := line[m[0]:m[1]]
		if !hostLike(word) || noHost.MatchString(word) || countedWord.MatchString(word) || insideWord.MatchString(line[:m[0]]) {
			continue
		}
		if host != "" && !strings.EqualFold(word, host) {
			return "", 0
		}
		host, at = word, m[0]
	}
	if host == "" {
		return "", 0
	}
	front, end := line[:at], strings.Trim(line[at+len(host):], "\x60*_\"')] \t")
	first := strings.Trim(front, "#*=_-~>[(\x60\"' \t.0123456789") == ""
	last := end == "" || strings.Trim(end, ":：.-=#*~<。") == ""
	switch {
	case opposite.MatchString(front):
	case placeWord.MatchString(front) && (last || strings.HasSuffix(line, ":") || strings.HasPrefix(end, "(")),
		first && (last || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")), labelBefore.MatchString(front) && (last || strings.HasPrefix(end, "(")),
		strings.HasSuffix(line, ":") && last:
		return host, at
	}
	return "", 0
}

// labelBefore is a word with a colon before the name of a host: "Client: web7".
var labelBefore = parse.Lazy(`(?i)^[#*=_> -]*[\pL][\pL ]{1,30}[ \t]*[:=][ \t]*[\x60*_"'(\[]*$`)

// frameOf is a line with a place for the host's name.
func frameOf(line, host string, at int) string {
	return strings.Join(strings.Fields(framedDigits.ReplaceAllString(line[:at], "0")+"\x00"+framedDigits.ReplaceAllString(line[at+len(host):], "0")), " ")
}

// alike is the word that stands where the name of a host stands in another line of the same words.
func alike(p Piece, frames map[string]bool) string {
	for _, l := range slices.Backward(split(p.Text)) {
		b := strings.Join(strings.Fields(framedDigits.ReplaceAllString(body(l), "0")), " ")
		for f := range frames {
			before, behind, _ := strings.Cut(f, "\x00")
			name, ok := strings.CutPrefix(b, before)
			if ok {
				name, ok = strings.CutSuffix(name, behind)
			}
			if ok && len(before)+len(behind) > 1 && alone.MatchString(name) && len(name) > 2 && !isTopic(name) && !articles.MatchString(name) &&
				detect.ParseCommand(name).ID == "" && !detect.IsDevice(strings.ToLower(name)) {
				return name
			}
		}
		if m := announced.FindStringSubmatch(b); m != nil && !isTopic(m[1]) && !articles.MatchString(m[1]) && !passingWord.MatchString(m[1]) &&
			detect.ParseCommand(m[1]).ID == "" && !detect.IsDevice(m[1]) {
			return m[1]
		}
	}
	return ""
}

var (
	// announced is a line that ends in the name of a host without a number: "and this is from hanadb:".
	announced = parse.Lazy(`^(?:[\pL'’,]+[ \t]+){0,6}(?:on|from|of|auf|von|vom|aus|sur|de|du|en|del)[ \t]+(?i:(?:the|server|host|node|lpar|dem|le|el)[ \t]+)?` +
		`[\x60*_"']*([a-z][a-z-]{3,30})[\x60*_"']*[ \t]*:$`)
	// passingWord is a time or a place that such a line may end in as well.
	passingWord = parse.Lazy(`(?i)^(?:yesterday|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening|night|noon|earlier|later|week|` +
		`boot|site|support|production|prod|staging|development|monitoring|console|root|shell|system|partition|frame|rack|switch|gestern|heute|` +
		`montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|hier|aujourd'hui|ayer|hoy|above|below|command|commands|script)$`)
)

// noHost are words with a number that name a product, a model, a protocol, a ticket or a time, and no host.
var noHost = regexp.MustCompile(`(?i)^(?:aix|vios|rhel|sles|suse|ubuntu|debian|centos|fedora|rocky|alma|ol|el|fc|windows|power|ppc|pseries|p|z|mtu|ipv|tcp|rfc|` +
	`ts|cs|case|pmr|sr|inc|req|chg|prb|bug|bz|day|kw|week|run|test|step|part|fw|sp|tl|ml|hmc_?v|python|java|db2_?v|nfsv?|smb|tls|ssl|ieee|gbe?|mbit|` +
	`gbit|kb|mb|gb|ms|port|vlan|level|version|release|rev|phase|round|page|sheet|table)[-_.]?v?\d[\d.]*[a-z]{0,2}$|` +
	`^(?:[esl]\d{3,4}[a-z]?|[ail]c?922|x\d{3,4}|[a-z]{3}\d{5,})$`)
