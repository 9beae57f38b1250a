package split

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// A frame is a line of people or of a program with a place for the name of a host: "Q: What does ip addr say on ?", "1. ?".
// Lines of one frame with several names say of which hosts the outputs below them are, whatever their words mean.

var (
	// hostWord may be a host's name in a line: letters and a digit.
	hostWord = parse.Lazy(`[A-Za-z][\w-]*\d[\w-]*(?:\.[A-Za-z][\w-]*)*`)
	// countedWord are words that count things and name no host.
	countedWord = parse.Lazy(`(?i)^(?:comment|reply|message|note|run|sample|case|ticket|item|line|day|loop|attempt|iteration|round|try|page|` +
		`part|figure|fig|table|listing|annex|file|output|log|snippet|block|cell|utf|ipv|x86|amd|h|v|rx|tx|tcp|udp|cpu|numa|node-exporter|` +
		`python|sha|md|iperf|ethernet|link|net|irq|queue|vlan|vol|kb|mb|gb|pod|job|task|id|pid|uid|en|ent|eth)[-_]?\d+\w{0,3}$|` +
		`^[qau][-_]?\d+\w?$|` +
		`^(?:vnet|tap|tun|virbr|vmbr|fwbr|fwln|fwpr|veth|ens|eno|enp|enx|enP|wlan|wlp|br|docker|bond|team|dummy|ib|vxlan|gre|cali|` +
		`ovs|fcs|hdisk|sea|vhost)[\dps]\w*$`)
	// insideWord is what makes a word one of a path, of a value or of a longer word; titleOf is a title's name before it.
	insideWord = parse.Lazy(`(?:\w/|[.\-_=\d])$`)
	titleOf    = parse.Lazy(`(?i)(?:title|name|host|node|server)=$`)
	// behindLabel is a word behind one that tells of a host, which need have no digit; articles are none.
	behindLabel = parse.Lazy(`(?i)\b(?:(?:connect(?:ed|ing)|log(?:ged|ging) (?:in|on)) to|host|server|node|machine|on|from)[ \t]*[:= ][ \t]*` +
		`([A-Za-z][\w-]+(?:\.[\w-]+)*)`)
	// behindCommand is a word in parentheses behind a command, which is marked as such: "lsattr -El ent0 (hanadb):".
	behindCommand = parse.Lazy(`^[#=*> -]*\x01[ \t]*[(\[]([A-Za-z][\w.-]{2,})[)\]][ \t]*:?$`)
	articles      = parse.Lazy(`(?i)^(?:the|a|an|this|that|each|all|both|my|our|its|it|here|there|other|another|one|` +
		`which|what|and|or|is|now|for|with|` +
		`disk|boot|line|host|server|node|machine|side|end|client|port|link|device|interface|adapter|name|mon|tue|wed|thu|fri|sat|sun)$`)
	// labelWord are words of lines that say whose outputs follow, also directly below another line.
	// platformWord differs between hosts: "web7 (AIX 7.2)".
	platformWord  = parse.Lazy(`(?i)\b(?:aix|vios|linux|rhel|sles|red hat|suse|ubuntu)\b`)
	platformGroup = parse.Lazy(`(?i)\([^()]*\b(?:aix|vios|linux|rhel|sles|red hat|suse|ubuntu)\b[^()]*\)`)
	labelWord     = parse.Lazy(`(?i)^(?:host|hostname|server|node|machine|system|lpar(?:[ \t]*[:=#]|[ \t]+[\w.-]+[ \t]*:?$)|` +
		`computer|pscomputername)\b|@.*password:|[Ll]ast login`)
	framedDigits = parse.Lazy(`\d+`)
)

// Bounds of lines that are looked at, and of the lines of one host below one frame.
const (
	longestFramed = 160
	mostWords     = 12
)

// framed is a line that may say whose the outputs below it are.
type framed struct{ frame, host, command string }

// framedAt takes a line apart; ok is false if it is none.
func framedAt(lines []string, i int, command string) (f framed, ok bool) {
	b := body(lines[i])
	if b == "" || len(b) > longestFramed || len(strings.Fields(b)) > mostWords || gaps(strings.TrimSpace(b)) > 1 {
		return f, false
	}
	rest := platformGroup.ReplaceAllString(b, "(os)")
	if command != "" {
		rest = strings.Replace(rest, command, "\x01", 1)
	}
	alone := standsAlone(lines, i)
	alone = alone || hostWord.Regexp().FindString(b) == b && i+1 < len(lines) && strings.Contains(body(lines[i+1]), " ")
	if !alone && command == "" && !labelWord.MatchString(b) && !strings.ContainsAny(b[:1], framedMarks) {
		return f, false
	}
	at := -1
	for _, m := range hostWord.Regexp().FindAllStringIndex(rest, -1) {
		word := rest[m[0]:m[1]]
		if !hostLike(word) || countedWord.MatchString(word) || insideWord.MatchString(rest[:m[0]]) && !titleOf.MatchString(rest[:m[0]]) {
			continue
		}
		if at >= 0 && word != f.host {
			return f, false // two names: which is meant, nothing says
		}
		if at < 0 {
			at = m[0]
		}
		f.host = word
	}
	if at < 0 {
		m := behindLabel.FindStringSubmatch(rest)
		if m == nil {
			m = behindCommand.FindStringSubmatch(rest)
		}
		if m == nil || caption[strings.ToLower(m[1])] || detect.ParseCommand(m[1]).ID != "" || articles.MatchString(m[1]) ||
			isTopic(m[1]) || passingWord.MatchString(m[1]) {
			return f, false
		}
		f.host = m[1]
	}
	before, _, _ := strings.Cut(rest, f.host)
	if strings.HasSuffix(before, "   ") && !strings.ContainsAny(before, ":=") { // a column of an output
		return f, false
	}
	f.frame = frameAround(strings.ReplaceAll(rest, f.host, "\x00"))
	f.command = command
	return f, true
}

// frameAround is a line without what differs from host to host: numbers and platforms.
func frameAround(line string) string {
	line = platformWord.ReplaceAllString(platformGroup.ReplaceAllString(line, "(os)"), "os")
	return strings.Join(strings.Fields(framedDigits.ReplaceAllString(line, "0")), " ")
}

// mayHold reports whether a word of a line may be a host's name, as far as that costs little.
func mayHold(line string) bool {
	return hostWord.MatchString(line) || behindLabel.MatchString(line) || strings.ContainsAny(line, "([") && detect.NamesProgram(line)
}

// mayFrame reports whether a line may be framed, as far as that costs little.
func mayFrame(lines []string, i int) bool {
	b := body(lines[i])
	switch {
	case b == "":
		return false
	case standsAlone(lines, i), !strings.Contains(b, " "), strings.ContainsAny(b[:1], framedMarks):
		return true
	}
	return detect.NamesProgram(b) || labelWord.MatchString(b)
}

// framedMarks begin lines that may say whose outputs follow, also directly below another line.
const framedMarks = "#=*-<[(/{|│║"

// commandWithin is the command line in a line of people: "What does ip addr say on web7?". Empty if there is none.
func commandWithin(line string) string {
	if len(line) > longestFramed || !detect.NamesProgram(line) {
		return ""
	}
	quoted, marked := quotedCommand(line)
	if marked && len(quoted) < len(line)-1 && commandOf(quoted) == quoted && placedAt.Regexp().FindStringIndex(quoted) == nil {
		return quoted
	}
	if at := placedAt.Regexp().FindStringIndex(line); at != nil {
		if detect.NamesProgram(line[:at[0]]) {
			line = line[:at[0]]
		} else {
			line = line[at[1]:]
		}
	}
	words := wordsAt.Regexp().FindAllStringIndex(line, -1)
	for i := range words {
		for j := min(len(words), i+mostWords) - 1; j > i; j-- {
			c := strings.TrimRight(line[words[i][0]:words[j][1]], ":?,;\"')]>")
			if commandOf(c) == c {
				return c
			}
		}
	}
	return ""
}

// placedAt is the word between a command and the host on which it ran.
var placedAt = parse.Lazy(`(?i)[ \t](?:on|at|from|auf|von|sur|en|em|na)[ \t]`)

var wordsAt = parse.Lazy(`[^\s"'()<>\x60]+`)

// addFramed adds the lines that have the place of a host's name in the same words, with different names.
func addFramed(heads map[int]mark, lines []string) {
	if len(heads) > 0 || len(lines) > maxPieces {
		return
	}
	command := remembered(commandWithin)
	at := map[int]framed{}
	hosts := map[string]map[string]bool{} // by frame
	for i := range lines {
		if len(lines[i]) > longestFramed+2 || !mayFrame(lines, i) || !mayHold(lines[i]) {
			continue
		}
		f, ok := framedAt(lines, i, command(body(lines[i])))
		if !ok {
			continue
		}
		at[i] = f
		if hosts[f.frame] == nil {
			hosts[f.frame] = map[string]bool{}
		}
		hosts[f.frame][f.host] = true
	}
	for i, f := range at {
		if f.command == "" && beginsOutput(body(lines[i])) {
			delete(at, i)
		}
	}
	// Of several frames, as of a title and of a line that says where each command ran, all must have the same names.
	names := map[string]bool{}
	for _, i := range slices.Sorted(maps.Keys(at)) {
		if f := at[i]; len(hosts[f.frame]) > 1 {
			if len(names) == 0 {
				names = hosts[f.frame]
			}
			if !maps.Equal(names, hosts[f.frame]) {
				delete(at, i)
			}
		} else if !names[f.host] {
			delete(at, i)
		}
	}
	if len(names) < 2 || len(names) > maxPieces || isOneOutput(lines) {
		return
	}
	for i, f := range at {
		heads[i] = mark{i, i + 1, Piece{Host: f.host, HostFrom: "heading", Command: f.command}}
	}
	for f := range hosts {
		if maps.Equal(names, hosts[f]) {
			addFilled(heads, lines, f)
		}
	}
}

// addFilled adds the lines of a frame with a word that is a host's name only beside the others: "hanadb (AIX 7.2)".
func addFilled(heads map[int]mark, lines []string, frame string) {
	before, behind, _ := strings.Cut(frame, "\x00")
	if len(strings.TrimSpace(before+behind)) < shortestFrame || strings.Count(frame, "\x00") != 1 || strings.Contains(frame, "\x01") {
		return
	}
	for i, l := range lines {
		if _, had := heads[i]; had || len(l) > longestFramed || !standsAlone(lines, i) {
			continue
		}
		name, ok := strings.CutPrefix(frameAround(body(l)), before)
		if ok {
			name, ok = strings.CutSuffix(name, behind)
		}
		if ok && mayName(name) && strings.Contains(l, name) {
			heads[i] = mark{i, i + 1, Piece{Host: name, HostFrom: "heading"}}
		}
	}
}

// shortestFrame is how much of a line must be the same around the names.
const shortestFrame = 3

// beginsOutput reports whether a line is an output's own. One that names its host need not be the first of that host's outputs.
func beginsOutput(line string) bool {
	return start(strings.TrimSpace(line)) != nil
}

// isOneOutput reports whether a codec knows every line of a text as one output.
func isOneOutput(lines []string) bool {
	f, ok := detect.Text([]byte(strings.Join(lines, "")), detect.Hint{})
	return ok && f.Known && len(f.Report.Unknown) == 0
}

// tag is what a program puts before each line of an output, with the place of a host's name in it.
type tag struct{ line *regexp.Regexp }

// tagOf makes the form of tags from a line: what stands before the name, the name, and what stands behind it up to the text.
func tagOf(line string) *tag {
	for _, m := range hostWord.Regexp().FindAllStringIndex(line[:min(len(line), longestCommon)], -1) {
		word := line[m[0]:m[1]]
		if !hostLike(word) || countedWord.MatchString(word) {
			continue
		}
		behind := tagEnd.Regexp().FindString(line[m[1]:])
		if behind == "" || m[0] == 0 && strings.HasPrefix(behind, ":") { // dsh's, which is read elsewhere
			continue
		}
		plain := func(s string) string {
			s = framedDigits.ReplaceAllString(regexp.QuoteMeta(s), `\d+`)
			return blanks.ReplaceAllString(s, `[ \t]*`)
		}
		before, after := plain(line[:m[0]]), plain(strings.TrimRight(behind, " "))
		e, err := regexp.Compile(`^` + before + `([A-Za-z][\w.-]*?)` + after + `(?: ?(.*))?$`)
		if err == nil {
			return &tag{e}
		}
	}
	return nil
}

var (
	tagEnd = parse.Lazy(`^(?:[-_ ]?\d{1,3}(?:-\w+)?)?[ \t]*(?:[\])>]|\([\w -]+\)|\[[\w -]+\])*[ \t]*(?:[|:>]|[\])]|->)(?:\[\w+\])?[ \t]`)
	blanks = parse.Lazy(` +`)
)

// mostUntagged is among how many lines the first with a tag of a host with a number is looked for.
const mostUntagged = 500

// taggedLines takes apart a text whose lines all begin with a tag that names a host. Nil: it is none.
func taggedLines(lines []string) (list []Piece) {
	var form *tag
	for _, l := range lines[:min(len(lines), mostUntagged)] {
		form = tagOf(body(l))
		if form != nil {
			break
		}
	}
	if form == nil {
		return nil
	}
	index := map[string]int{}
	all, tagged := 0, 0
	for i, l := range lines {
		bare := strings.TrimRight(l, "\r\n")
		if strings.TrimSpace(bare) == "" {
			continue
		}
		all++
		m := form.line.FindStringSubmatch(bare)
		if m == nil || !hostLike(m[1]) && !mayName(m[1]) {
			continue
		}
		tagged++
		at, seen := index[m[1]]
		if !seen {
			at = len(list)
			index[m[1]] = at
			list = append(list, Piece{Host: m[1], HostFrom: "name before each line", Line: i + 1})
		}
		list[at].Text = append(list[at].Text, m[2]+"\n"...)
	}
	if tagged < leastMarked || tagged*20 < all*19 || len(list) > maxPieces {
		return nil
	}
	return list
}
