package split

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// byHost takes apart a text in which several hosts answer. Nil: no line says so.
func byHost(ctx context.Context, lines []string, hint detect.Hint) []Piece {
	if s := byLine(ctx, lines, hint); s != nil {
		return s
	}
	for _, way := range []func([]string) []Piece{oneLines, answered} {
		if s := way(lines); s != nil {
			return s
		}
	}
	if s := nested(ctx, lines, hint); s != nil {
		return s
	}
	return banners(ctx, lines, hint)
}

// byLine takes apart a text whose lines each say of which host they are. Nil: they do not.
func byLine(ctx context.Context, lines []string, hint detect.Hint) []Piece {
	if s := prefixed(ctx, lines, hint); s != nil {
		return s
	}
	if s := padded(ctx, lines, hint); s != nil {
		return s
	}
	if s := taggedLines(lines); s != nil && known(ctx, s, hint) {
		return s
	}
	return nil
}

// Crowded reports whether a text has more hosts, before its lines or in headings, than are taken apart.
func Crowded(text []byte) bool {
	lines := split(text)
	hosts := map[string]bool{}
	for _, l := range lines {
		if m := before.FindStringSubmatch(l); m != nil {
			hosts[m[1]] = true
		}
	}
	return len(hosts) > maxPieces || len(hostHeadings(lines)) > maxPieces
}

// MostHosts is how many hosts of one text are taken apart.
const MostHosts = maxPieces

// caption are words that a script puts before an answer of one word.
var caption = map[string]bool{
	"level": true, "version": true, "release": true, "hostname": true, "host": true, "node": true, "name": true, "model": true,
	"system": true, "output": true, "result": true, "date": true, "os": true, "uptime": true, "error": true, "warning": true, "note": true,
	"command": true, "cmd": true, "status": true, "title": true, "user": true, "time": true, "exit": true, "code": true,
	"info": true, "debug": true, "notice": true, "warn": true, "trace": true, "fatal": true, "critical": true,
}

// isTopic reports whether a word in a heading says what is below it, and not whose it is.
func isTopic(word string) bool { return topic.MatchString(word) || caption[strings.ToLower(word)] }

var topic = parse.Lazy(`(?i)^(?:before|after|old|new|now|then|initial|final|begin|start|end|first|second|last|` +
	`baseline|good|bad|slow|fast|` +
	`summary|results?|outputs?|notes?|details?|info|general|overview|networks?|networking|interfaces?|adapters?|addresses|routes?|routing|` +
	`links?|disks?|storage|memory|cpus?|processors?|kernel|hardware|software|firmware|drivers?|settings|tuning|tunables|statistics|stats|` +
	`counters|errors?|logs?|commands?|environment|config|configuration|description|background|problem|question|answer|solution|conclusion|` +
	`todo|findings|tests?|checks?|measurements?|benchmarks?|ping|iperf|files?|data|client|server|sender|receiver|source|target)$`)

// shells begin their messages with their own names: "sh: lsmcode: not found".
var shells = map[string]bool{"sh": true, "bash": true, "rbash": true, "ksh": true, "ksh93": true, "rksh": true, "zsh": true, "dash": true}

// known reports whether what some of the sections hold is an output, or several.
func known(ctx context.Context, list []Piece, hint detect.Hint) bool {
	if kept(list, hint) {
		return true
	}
	return slices.ContainsFunc(inner(ctx, list[:min(len(list), 3)], ""), func(p Piece) bool {
		asked := cmp.Or(p.Command, hint.Command)
		f, ok := detect.Text(p.Text, detect.Hint{Command: asked, File: hint.File})
		// Numbers alone are what lsattr -R lists, and what follows any label.
		return ok && (f.Known || p.Command != "") && (f.ID != "lsattr-Rl" || f.Attribute != "")
	})
}

// kept reports whether the sections of some hosts all hold one output that is known for what it is and not read: lscpu.
func kept(list []Piece, hint detect.Hint) bool {
	if len(list) == 0 || len(list) == 1 && !hostLike(list[0].Host) {
		return false
	}
	id := ""
	for _, p := range list[:min(len(list), 3)] {
		f, ok := detect.Text(p.Text, hint)
		if !ok || f.Known || id != "" && f.ID != id {
			return false
		}
		id = f.ID
	}
	return true
}

var (
	// HOST: lpar1, NODE lpar1, Host lpar1:, *** lpar1 ***
	labelled = parse.Lazy(`^(?:[=*#+~<>-]{2,}[ \t]*)?(?i:hosts?|node|server|lpar|partition|system|rechner|knoten|serveur|h[oô]te)` +
		`(?:[ \t]*:[ \t]*|` +
		`[ \t]+)([A-Za-z0-9][\w.-]*)[ \t]*:?(?:[ \t]*[=*#+~<>-]{2,})?$`)
	// hostLabel is a line that says the host's name and nothing else, as forms and tickets have one above what is of it.
	hostLabel = parse.Lazy(`^(?i:hostname)[ \t]*[:=][ \t]*([A-Za-z0-9][\w.-]*)$`)
	// lpar1 | CHANGED | rc=0 >>
	played = parse.Lazy(`^([A-Za-z0-9][\w.-]*) \| (?:CHANGED|SUCCESS|FAILED!?|UNREACHABLE!?)(?: \| rc=-?\d+(?: \| \(std(?:out|` +
		`err)\))?)? ?>>`)
	alone = parse.Lazy(`^[A-Za-z0-9][\w.-]*$`)
	adorn = parse.Lazy(`^([=*#+~<>-]{2,}[ \t]*|\[)([A-Za-z0-9][\w.-]*)([ \t]*[=*#+~<>-]*|\])$`)
)

// banners takes apart a text in which a heading says whose answer follows:
// dshbak, clcmd, clush -b, ansible, a loop with echo.
func banners(ctx context.Context, lines []string, hint detect.Hint) []Piece {
	heads := hostHeadings(lines)
	addListed(heads, lines, hint.Command)
	if len(heads) == 0 {
		return nil
	}
	var marks []mark
	for _, i := range slices.Sorted(maps.Keys(heads)) {
		marks = append(marks, heads[i])
	}
	list := between(lines, marks...)
	with := list
	if len(list) > 0 && list[0].Host == "" {
		with = list[1:]
	}
	if !known(ctx, with, hint) {
		return nil
	}
	return list
}

// ornamented are the numbers of lines by what is around a name in them, and by the name.
type ornamented map[string]map[string][]int

// noteOrnamented notes a word in a line among the names of hosts or, where it need not be one, among the loose words.
func noteOrnamented(names, loose ornamented, form, word string, line int) {
	to := names
	if !hostLike(word) {
		to = loose
	}
	if to[form] == nil {
		to[form] = map[string][]int{}
	}
	to[form][word] = append(to[form][word], line)
}

// hostHeadings finds the headings that name a host, by the number of their line.
func hostHeadings(lines []string) map[int]mark {
	heads := map[int]mark{}
	ornaments, loose := ornamented{}, ornamented{} // loose are words that are names of hosts only beside such
	ruler := func(i int) bool { return i >= 0 && i < len(lines) && isRuler(body(lines[i])) }
	for i, l := range lines {
		b := body(l)
		if b == "" || len(b) > 300 {
			continue
		}
		above, below := ruler(i-1), ruler(i+1)
		m := mark{i, i + 1, Piece{HostFrom: "heading"}}
		switch {
		case strings.Contains(b, ">>") && played.MatchString(b):
			m.Host, m.HostFrom = played.FindStringSubmatch(b)[1], "heading of ansible"
		case isLabelled(b) && (above || below || strings.HasPrefix(b, "HOST: ") || isRuler(b[:2]+b[:1])):
			m.Host = labelled.FindStringSubmatch(b)[1]
		case isHostCommand(b):
			at := hostCommand.FindStringSubmatch(b)
			m.Host, m.Command = at[1], at[2]
		case above && below && alone.MatchString(b) && hostLike(b):
			m.Host = b
		case hostLabel.MatchString(b):
			noteOrnamented(ornaments, ornaments, "hostname", hostLabel.FindStringSubmatch(b)[1], i)
			continue
		case isAddress(b) && standsAlone(lines, i) && detect.NamesProgram(firstBelow(lines, i)):
			noteOrnamented(ornaments, ornaments, "address", b, i)
			continue
		case above && below && boxed.MatchString(b):
			noteOrnamented(ornaments, loose, "box", boxed.FindStringSubmatch(b)[1], i)
			continue
		default:
			if m := adorn.FindStringSubmatch(b); m != nil && m[1]+m[3] != "<<<>>>" { // the sections of an agent are none
				noteOrnamented(ornaments, loose, m[1]+"\x00"+m[3], m[2], i)
			}
			continue
		}
		if below && m.HostFrom == "heading" {
			m.to++
			if above {
				m.from--
			}
		}
		heads[i] = m
	}
	addLoose(ornaments, loose, lines)
	addOrnamented(heads, ornaments, ruler)
	addListed(heads, lines, "")
	addSides(heads, lines)
	addFramed(heads, lines)
	return heads
}

// isAddress reports whether a line is the address of a host and nothing else.
func isAddress(line string) bool {
	_, err := netip.ParseAddr(strings.TrimSpace(line))
	return err == nil
}

// isLabelled reports whether a heading has the name of a host behind a word for one.
func isLabelled(line string) bool {
	m := labelled.FindStringSubmatch(line)
	return m != nil && !articles.MatchString(m[1]) // "Server side:"
}

// hostCommand is a heading with a host and the command that ran there: "[web7: ip addr]", "=== web7 | ip addr ===".
var hostCommand = parse.Lazy(`^(?:[=*#+~<>-]{2,}[ \t]*|\[)([A-Za-z0-9][\w.-]*)[ \t]*[:|»][ \t]+(\S.*?)(?:[ \t]*[=*#+~<>-]{2,}|\])$`)

// isHostCommand reports whether a line is such a heading.
func isHostCommand(line string) bool {
	m := hostCommand.FindStringSubmatch(line)
	return m != nil && typed(m[2]) && !isTopic(m[1]) && detect.ParseCommand(m[1]).ID == "" && !detect.IsDevice(strings.ToLower(m[1]))
}

// addLoose adds words between the same ornaments as the names of hosts, where the same stands below them: a loop printed both.
func addLoose(ornaments, loose map[string]map[string][]int, lines []string) {
	for form, names := range ornaments {
		var known []int
		for _, at := range names {
			known = append(known, at[0])
		}
		words := map[int]string{}
		for word, at := range loose[form] {
			words[at[0]] = word
		}
		for _, i := range alikeBelow(lines, known, words) {
			names[words[i]] = loose[form][words[i]]
		}
	}
}

// alikeBelow are the lines with words that may be names of hosts, below which the same command stands as below a known one, or any
// command where one stands below each known one.
func alikeBelow(lines []string, known []int, words map[int]string) (list []int) {
	below := map[string]bool{}
	for _, i := range known {
		if line := firstBelow(lines, i); detect.NamesProgram(line) {
			below[line] = true
		}
	}
	if len(below) == 0 {
		return nil
	}
	above := !slices.ContainsFunc(known, func(i int) bool { return !beginsCommand(firstBelow(lines, i)) })
	for i, word := range words {
		line := firstBelow(lines, i)
		same := below[line] || above && mayName(word) && beginsCommand(line)
		if same && detect.ParseCommand(word).ID == "" && !caption[strings.ToLower(word)] {
			list = append(list, i)
		}
	}
	return list
}

// beginsCommand reports whether a line is a heading or a prompt with a command.
func beginsCommand(line string) bool { return commandOf(line) != "" || isPrompt(line) }

// firstBelow is the first line below one that has something in it, without rulers and what marks a block.
func firstBelow(lines []string, i int) string {
	for _, l := range lines[i+1:] {
		b := strings.TrimSpace(body(l))
		if b != "" && !fence.MatchString(b) && !isRuler(b) {
			return b
		}
	}
	return ""
}

// addOrnamented adds headings that are a name between ornaments, where the ornaments
// are around several names.
func addOrnamented(heads map[int]mark, ornaments map[string]map[string][]int, ruler func(int) bool) {
	for _, names := range ornaments {
		// each once: hosts, not the parts of one
		once := !slices.ContainsFunc(slices.Collect(maps.Values(names)), func(at []int) bool { return len(at) > 1 })
		for name, at := range names {
			if once && len(names) > 1 {
				m := mark{at[0], at[0] + 1, Piece{Host: name, HostFrom: "heading"}}
				if ruler(m.from-1) && ruler(m.to) {
					m.from--
					m.to++
				}
				heads[at[0]] = m
			}
		}
	}
}

var (
	// boxed is a name in the middle of a box of signs.
	boxed = parse.Lazy(`^[#*|=+][ \t]*([A-Za-z0-9][\w.-]*)[ \t]*[#*|=+]$`)
	// loop is a shell's loop over hosts: "for h in lpar1 lpar2; do", "foreach ($h in 'lpar1','lpar2')".
	loop     = parse.Lazy(`\b(?:for|foreach)[ \t]*\(?[ \t]*\$?\w+[ \t]+in[ \t]+((?:["']?[A-Za-z][\w.-]*["']?[ \t,]*)+?)[ \t]*(?:;|\)|\n|$)`)
	loopWord = parse.Lazy(`[A-Za-z][\w.-]*`)
)

// addListed adds the lines that are nothing but the name of a host over which a loop goes, in the text or in the command that printed it.
func addListed(heads map[int]mark, lines []string, command string) {
	listed := map[string]bool{}
	for _, l := range append(lines[:len(lines):len(lines)], command) {
		if len(l) > 600 || !strings.Contains(l, " in ") {
			continue
		}
		if m := loop.FindStringSubmatch(l); m != nil && strings.Contains(l, "$") {
			for _, w := range loopWord.Regexp().FindAllString(m[1], -1) {
				listed[w] = detect.ParseCommand(w).ID == "" && !detect.IsDevice(strings.ToLower(w))
			}
		}
	}
	if len(listed) < 2 {
		return
	}
	for i, l := range lines {
		b := strings.Trim(body(l), "=*#+~<>-[]: \t")
		if listed[b] && heads[i].Host == "" {
			heads[i] = mark{i, i + 1, Piece{Host: b, HostFrom: "heading"}}
		}
	}
}

// oneLine is what ansible -o prints of a host: all in one line.
var oneLine = parse.Lazy(`^([A-Za-z0-9][\w.-]*) \| (?:CHANGED|SUCCESS|FAILED!?) \| rc=-?\d+ \| \(stdout\) (.*?)(?: ?\(stderr\) .*)?$`)

// unescaped makes of one line those that were printed.
var unescaped = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "")

// oneLines takes apart a text in which each host answers in a single line. Nil: it is none.
func oneLines(lines []string) (list []Piece) {
	asked := "" // what the line above them had run
	for i, l := range lines {
		m := oneLine.FindStringSubmatch(body(l))
		if m == nil {
			if _, _, command, ok := prompt(body(l)); ok && typed(command) {
				asked = command
			} else if typed(body(l)) {
				asked = body(l)
			}
			continue
		}
		text := strings.TrimSuffix(unescaped.Replace(m[2]), "\n") + "\n"
		list = append(list, Piece{Host: m[1], HostFrom: "heading of ansible", Command: asked, Line: i + 1, Text: []byte(text)})
	}
	if len(list)*2 < len(lines) {
		return nil
	}
	return list
}

// answer is the first line of what a host answered, behind its name: "  lpar1 done | stdout: text".
var answer = parse.Lazy(`^ {2,}([A-Za-z0-9][\w.-]*) (?:done|ok|changed|failed) \| (?:stdout|stderr|msg): ?(.*)$`)

// answered takes apart a text in which each host's answer begins behind its name, below the command, as ansible's unixy callback
// prints it. Nil: it is none.
func answered(lines []string) (list []Piece) {
	asked := ""
	for i, l := range lines {
		b := body(l)
		if m := answer.FindStringSubmatch(b); m != nil {
			list = append(list, Piece{Host: m[1], HostFrom: "heading of ansible", Command: asked, Line: i + 1, Text: []byte(m[2] + "\n")})
			continue
		}
		task, named := strings.CutSuffix(b, "...")
		switch {
		case named && typed(task):
			asked = task
		case strings.HasPrefix(b, "- Play recap"):
			return list
		case len(list) > 0:
			p := &list[len(list)-1]
			p.Text = append(p.Text, l...)
		}
	}
	return list
}

// hostLike reports whether a word may be a host's name: not a device, a program or
// a word of a script's own headings.
func hostLike(word string) bool {
	low := strings.ToLower(word)
	if detect.ParseCommand(low).ID != "" || detect.IsDevice(low) || strings.Contains(low, "_-") && detect.NamesProgram(low) {
		return false
	}
	if low[0] >= '0' && low[0] <= '9' { // a level, unless it is an address
		_, err := netip.ParseAddr(low)
		return err == nil
	}
	return strings.ContainsAny(low, "0123456789")
}
