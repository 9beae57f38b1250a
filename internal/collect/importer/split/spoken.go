package split

import (
	"cmp"
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
	longestSpoken   = 120
	longestSentence = 400 // in which "outputs of" is looked for
	mostSpoken      = 14
	longestWords    = 40 // lines
	// One line in so many of those around messages may hold dates and counts.
	shareOfFigures = 4
)

// placeWord stands before the name of the host that words are about.
var placeWord = parse.Lazy(`(?i)(?:^|[^\pL])(?:on|of|from|at|in|auf|von|vom|aus|bei|beim|der|des|sur|de|du|depuis|en|del|em|su|` +
	`dal|server|host|node|lpar|vios|system|machine|box|partition|rechner|serveur|servidor|knoten)` +
	`(?:[ \t]+(?:my|our|the|mein(?:em)?|unser(?:em)?|dem|mon|notre|mi))?[ \t]*[:=]?[ \t]*[\x60*_"'«“„(\[]*$`)

// opposite stands before the name of a host that is the other end of what words are about.
var opposite = parse.Lazy(`(?i)(?:^|[^\pL])(?:to|with|against|versus|vs|and|or|than|between|via|through|zu|zum|mit|gegen|und|zwischen|` +
	`nach|vers|avec|et|contra|y|con|like|unlike|not)[ \t]+[\x60*_"'(\[]*$`)

// sayHosts gives the pieces below words that name a host that host, where words and prompts or outputs together name several.
func (c *Cut) sayHosts() {
	unnamed := func(p Piece) bool { return p.Host == "" && !p.Note }
	if c.Host != "" && c.HostFrom != "prompt" || !slices.ContainsFunc(c.Pieces, unnamed) {
		return
	}
	said := make([]string, len(c.Pieces)) // the host that each piece names
	frames := map[string]bool{}           // of the lines that name one
	names := map[string]bool{}
	words := make([]bool, len(c.Pieces))
	for i, p := range c.Pieces {
		words[i] = p.words(c.Form)
		if words[i] {
			said[i] = saidIn(p, frames)
		}
		if said[i] != "" {
			names[strings.ToLower(said[i])] = true
		}
	}
	for i, p := range c.Pieces { // a name without a number, in the words around one that has one
		if said[i] == "" && words[i] {
			said[i] = alike(p, frames)
		}
		if said[i] != "" {
			names[strings.ToLower(said[i])] = true
		}
	}
	if len(names) == 0 {
		return
	}
	own := c.ownNames(words, names)
	if len(names) == 1 && c.sayOther(said, words) {
		return
	}
	if len(names) < 2 || !eachAbove(said, own, words) {
		return
	}
	host, from := "", ""
	for i := range c.Pieces {
		switch {
		case said[i] != "":
			host, from = said[i], "words above it"
		case own[i] != "" && !sameName(own[i], host):
			host, from = own[i], "output above it"
		}
		if host != "" && (c.Pieces[i].Host == "" || words[i]) {
			c.Pieces[i].Host, c.Pieces[i].HostFrom = host, from
		}
	}
}

// sayOther gives the pieces below the only words that name a host that host, where outputs stand above them: those are of another one,
// as nobody says of which host something is where all is of one.
func (c *Cut) sayOther(said []string, words []bool) bool {
	at := -1
	for i := range c.Pieces {
		switch {
		case said[i] == "":
		case at >= 0: // the name comes again
			return false
		default:
			at = i
		}
	}
	if at < 0 || !strings.HasSuffix(strings.TrimRight(body(lastLine(c.Pieces[at].Text)), " *_\x60"), ":") {
		return false
	}
	isOutput := func(from, to int) bool { return slices.Contains(words[from:to], false) }
	if !isOutput(0, at) || !isOutput(at, len(words)) {
		return false
	}
	for i := range c.Pieces {
		p := &c.Pieces[i]
		if i < at {
			p.Host, p.HostFrom = "first-host", "output above the words that name another"
			continue
		}
		p.Host, p.HostFrom = said[at], "words above it"
	}
	return true
}

// ownNames are the hosts that prompts and outputs name themselves, by their pieces; they are added to the names. Outputs are asked
// only where words and prompts name a single host.
func (c *Cut) ownNames(words []bool, names map[string]bool) []string {
	own := make([]string, len(c.Pieces))
	add := func(i int, host string) {
		own[i] = host
		known := slices.ContainsFunc(slices.Collect(maps.Keys(names)), func(n string) bool { return sameName(n, host) })
		if !known {
			names[strings.ToLower(host)] = true
		}
	}
	for i, p := range c.Pieces {
		if !words[i] && p.Host != "" {
			add(i, p.Host)
		}
	}
	if len(names) > 1 {
		return own
	}
	for i, p := range c.Pieces {
		if words[i] || own[i] != "" {
			continue
		}
		f, ok := detect.Text(p.Text, detect.Hint{Command: p.Command, File: p.Title})
		if ok && f.Host != "" {
			add(i, f.Host)
		}
	}
	return own
}

// sameName reports whether two names of hosts differ in the domain and in capitals at most.
func sameName(a, b string) bool {
	a, _, _ = strings.Cut(strings.ToLower(a), ".")
	b, _, _ = strings.Cut(strings.ToLower(b), ".")
	return a == b
}

// words reports whether a piece is nothing but what people write: no output, and no figures. The title of a record is its field's.
func (p Piece) words(form Form) bool {
	switch {
	case p.Command != "" && (form != Records || typed(p.Command)), p.Title != "" && form != Records:
		return false
	case p.Note, p.Preface:
		return true
	}
	lines := split(p.Text)
	filled, figures := 0, 0
	for _, l := range lines {
		b := plainOf(l)
		if b == "" {
			continue
		}
		filled++
		if holdsFigures(b) && !framing.MatchString(b) {
			figures++
		}
	}
	if len(lines) > longestWords || figures*shareOfFigures > filled {
		return false
	}
	_, known := detect.Text(p.Text, detect.Hint{})
	return !known
}

// eachAbove reports whether the first output is of a host that words above it or itself name, and each name that words give stands
// above outputs, of which the first names no other host.
func eachAbove(said, own []string, words []bool) bool {
	open, fresh, above := "", false, map[string]bool{}
	for i := range said {
		switch {
		case said[i] != "":
			open, fresh = strings.ToLower(said[i]), true
			above[open] = above[open] || false
		case words[i]:
		case own[i] != "" && !sameName(own[i], open):
			if fresh {
				return false
			}
			open = strings.ToLower(own[i])
			above[open] = true
		case open == "":
			return false
		default:
			above[open], fresh = true, false
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

// introducing is how many of the last lines of words may say whose the output below them is.
const introducing = 3

// SaidAbove is the host that the last lines of words above an output name; empty if they name none, or several.
func SaidAbove(words []byte) (host string) {
	looked := 0
	for _, l := range slices.Backward(split(words)) {
		b := plainOf(l)
		if b == "" {
			continue
		}
		name, _ := saidBy(b)
		if name != "" && host != "" && !sameName(name, host) {
			return ""
		}
		host = cmp.Or(host, name)
		looked++
		if looked == introducing {
			break
		}
	}
	return host
}

// saidBy is the only word of a line that may be a host's name, where the line says that something is of it, and where it stands.
func saidBy(line string) (host string, at int) {
	if line == "" || len(line) > longestSentence || holdsFigures(line) {
		return "", 0
	}
	if m := outputsOf.Regexp().FindStringSubmatchIndex(line); m != nil {
		word := line[m[2]:m[3]]
		if hostLike(word) && !noHost.MatchString(word) && !detect.IsDevice(strings.ToLower(word)) {
			return word, m[2]
		}
	}
	if len(line) > longestSpoken || len(strings.Fields(line)) > mostSpoken {
		return "", 0
	}
	for _, m := range hostWord.Regexp().FindAllStringIndex(line, -1) {
		word := line[m[0]:m[1]]
		named := !noHost.MatchString(word) || machineBefore.MatchString(line[:m[0]])
		if !hostLike(word) || !named || countedWord.MatchString(word) || insideWord.MatchString(line[:m[0]]) {
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
		first && (last || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")),
		labelBefore.MatchString(front) && (last || strings.HasPrefix(end, "(")),
		strings.HasSuffix(line, ":") && last:
		return host, at
	}
	return "", 0
}

// outputsOf says whose outputs follow: "anbei die Ausgaben von db4.", "Outputs of lnxp9a as requested:".
var outputsOf = parse.Lazy(`(?i)\b(?:outputs?|results?|ausgaben?|sorties?|salidas?|sa[íi]das?|` +
	`what (?:you|was|were) (?:asked|requested|wanted)(?: for)?)[ \t]+(?:of|from|on|von|vom|de|du|del|do)[ \t]+` +
	`(?:(?:the|our|my|dem|der|le|la|el)[ \t]+)?(?:(?:host|server|node|lpar|vios|servidor|serveur|rechner|system)[ \t]*:?[ \t]+)?` +
	`[\x60*_"'<(\[]*([A-Za-z][\w-]*\d[\w-]*)\b`)

// machineBefore is a word that says that a host's name follows, whatever it looks like: "the server sles15a".
var machineBefore = parse.Lazy(`(?i)\b(?:hosts?|nodes?|server|machine|lpar|vios|partition|rechner|serveur|servidor|system)[ \t]*:?[ \t]+$`)

// labelBefore is a word with a colon before the name of a host: "Client: web7".
var labelBefore = parse.Lazy(`(?i)^[#*=_> -]*[\pL][\pL ]{1,30}[ \t]*[:=][ \t]*[\x60*_"'(\[]*$`)

// frameOf is a line with a place for the host's name.
func frameOf(line, host string, at int) string {
	return plainFrame(line[:at]) + "\x00" + plainFrame(line[at+len(host):])
}

// plainFrame is a part of a line without what differs from host to host: numbers, and remarks such as "(AIX 7.2)".
func plainFrame(s string) string {
	s = remark.Regexp().ReplaceAllString(counter.Regexp().ReplaceAllString(s, "0"), "()")
	return blanks.Regexp().ReplaceAllString(strings.ReplaceAll(s, "\t", " "), " ")
}

// counter is what counts the hosts of a text: numbers, single capitals.
var counter = parse.Lazy(`\d+|\b[A-Z]\b`)

// remark is what a line adds in parentheses.
var remark = parse.Lazy(`\([^()]*\)`)

// alike is the word that stands where the name of a host stands in another line of the same words.
func alike(p Piece, frames map[string]bool) string {
	if len(frames) == 0 {
		return ""
	}
	for _, l := range slices.Backward(split(p.Text)) {
		b := strings.TrimSpace(counter.Regexp().ReplaceAllString(body(l), "0"))
		b = blanks.Regexp().ReplaceAllString(strings.ReplaceAll(b, "\t", " "), " ")
		for f := range frames {
			if name := inFrame(b, f); name != "" {
				return name
			}
		}
		for _, as := range []*parse.Pattern{announced, roleName} {
			if m := as.FindStringSubmatch(b); m != nil && mayName(m[1]) && !passingWord.MatchString(m[1]) {
				return m[1]
			}
		}
	}
	return ""
}

// inFrame is the word that a line has where a frame has the name of a host; empty if the line is of another frame, or the word is none.
func inFrame(line, frame string) string {
	before, behind, _ := strings.Cut(frame, "\x00")
	for _, b := range []string{line, remark.Regexp().ReplaceAllString(line, "()")} {
		name, ok := strings.CutPrefix(b, before)
		if ok {
			name, ok = strings.CutSuffix(name, behind)
		}
		bare := strings.Trim(before+behind, "=*#+~<>-[]: ") == "" && (name != strings.ToLower(name) || greeting.MatchString(name))
		if ok && !bare && !strings.Contains(name, "0") && mayName(name) { // the line's numbers are zeros
			return name
		}
	}
	return ""
}

// mayName reports whether a word without a number may be a host's name, as far as it is no other word that stands in headings.
func mayName(word string) bool {
	if !alone.MatchString(word) || len(word) < 3 || strings.Contains(word, "_") || isTopic(word) || articles.MatchString(word) {
		return false
	}
	return detect.ParseCommand(word).ID == "" && !detect.IsDevice(strings.ToLower(word))
}

var (
	// announced is a line that ends in the name of a host without a number: "and this is from hanadb:".
	announced = parse.Lazy(`^(?:[\pL'’,]+[ \t]+){0,6}(?:on|from|of|auf|von|vom|aus|sur|de|du|en|del)[ \t]+` +
		`(?i:(?:the|server|host|node|lpar|dem|le|el)[ \t]+)?` +
		`[\x60*_"']*([a-z][a-z-]{3,30})[\x60*_"']*[ \t]*:$`)
	// roleName is a line that names the host of a role.
	roleName = parse.Lazy(`^[#*= ]*(?i:` + role + `|host|node|lpar)[ ]?[:=][ ]?([a-z][a-z-]{3,30})(?: \([^()]*\))?$`)
	// greeting is a word that people write alone on a line.
	greeting = parse.Lazy(`(?i)^(?:hello|hallo|moin|servus|bonjour|salut|hola|ciao|dear|thanks?|thx|danke|merci|gracias|` +
		`regards|cheers|done|okay|gr(?:ü|ue)(?:ß|ss)e|exit|logout|quit)$`)
	// passingWord is a time or a place that such a line may end in as well.
	passingWord = parse.Lazy(`(?i)^(?:yesterday|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening|night|` +
		`noon|earlier|later|week|boot|site|support|production|prod|staging|development|monitoring|console|root|shell|` +
		`system|partition|frame|rack|switch|gestern|heute|` +
		`montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|hier|aujourd'hui|ayer|hoy|above|below|command|commands|script)$`)
)

// noHost are words with a number that name a product, a model, a protocol, a ticket, a rate or a time, and no host.
var noHost = regexp.MustCompile(`(?i)^(?:rhel|sles|suse|ubuntu|debian|centos|fedora|rocky|alma|ol|el|fc)` +
	`[-_.]?v?\d[\d.]*(?:(?:sp|u|lts)\d*)?$|` +
	`^aix[-_.]?v?[4-7](?:[\d.]*|[\d.]*tl\d+.*)$|^vios[-_.]?v?\d+\.[\d.]+$|^(?:windows|power|ppc|` +
	`pseries|p|z|mtu|ipv|tcp|rfc|ts|cs|case|pmr|sr|inc|req|chg|prb|bug|bz|day|kw|cw|week|run|test|step|part|fw|sp|tl|ml|hmc_?v|` +
	`python|java|db2_?v|nfsv?|smb|tls|ssl|ieee|gbe?|mbit|gbit|kb|mb|gb|ms|port|vlan|level|version|release|rev|phase|round|page|sheet|` +
	`table)[-_.]?v?\d[\d.]*[a-z]{0,2}$|` +
	`^(?:q\d|[esl]\d{3,4}[a-z]?|[ail]c?922|x\d{3,4}|[a-z]{3}\d{5,}|\w*\d{1,3}(?:g|gb|gbe|mbit|gbit|ms|kb|mb|tb))$`)

// NamesNoHost reports whether a word with a number in it is one that people write of other things than hosts.
func NamesNoHost(word string) bool { return noHost.MatchString(word) }
