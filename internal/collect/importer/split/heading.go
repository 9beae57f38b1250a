package split

import (
	"path"
	"strings"
	"time"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

var (
	// ==== entstat -d ent0 ====, ### no -a, >>> lsdev, [lsattr -El en0],
	// Command: netstat -in, entstat -d ent0:
	decorated = parse.Lazy(`^[ \t]*(?:[=*#+~<>|:-]{2,}\[?[ \t]*|[■●◆◇□○▼▽・※]+[ \t]*|` +
		`(?i:command|cmd|output of|running|exec(?:uting)?|run|` +
		`befehl|kommando|ausgabe (?:von|des befehls)|commande|sortie de(?: la commande)?|r[ée]sultat de(?: la commande)?|` +
		`comando|salida de(?:l comando)?|resultado de(?:l comando)?|output del comando|コマンド)[ \t]*:?[ \t]+|` +
		`\[[ \t]*|"|\x60|#[ \t]*)?(\S.*?)(?:[ \t]*\]?[=*#+~<>|-]{2,}|[ \t]*\]|"|\x60|[ \t]*の(?:実行)?(?:結果|出力)|[ \t]*[:：])?[ \t]*$`)
	// options and names as a command line has them
	argument = parse.Lazy(`^(?:-{1,2}[A-Za-z][\w:=,-]*|[A-Za-z_]+[\w.:/-]*[0-9][\w.:/-]*|[0-9]{1,4}|\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?|` +
		`net(?:\.[a-z_][\w-]*){2,5}|adapter|if|link|addr|route|show|get|a|l|r|-\d{1,4}|/\S+|"[^"]*"|'[^']*'|sort|head|tail|more|grep|2>&1|\|)$`)
	// what may follow an option: -a modelname
	operandShape = parse.Lazy(`^[A-Za-z_][\w,.:-]{0,60}$`)
	// what a script's loop over adapters writes between them: "--- ent0", "== en0 =="
	deviceLine = parse.Lazy(`^[ \t]*[=*#+~<>-]{2,}[ \t]*((?:ent|en|et)[0-9]{1,5})[ \t]*[=*#+~<>:-]*$`)
)

// worded is a heading of a ticket in Markdown or a wiki's marks: "### `ip addr`", "h3. netstat -s", "2. **lsattr -El en0**:",
// "This is the output of `entstat -d ent0`:", or of perfpmr: "NETWORK OPTIONS (no -a)".
var worded = []*parse.Pattern{
	parse.Lazy("^[^`]{0,80}`([^`]+)`(?:[ \\t]+\\w+){0,3}[*_]{0,2}[ \\t]*:?[*_]{0,2}[ \\t]*$"),
	parse.Lazy(`^[^«»]{0,80}«[ \t]*([^«»]+?)[ \t]*»[ \t]*:?[ \t]*$`),
	parse.Lazy(`^[A-Z][\w /&.-]{0,80}\(([^()]+)\)[ \t]*:?[ \t]*$`),
	parse.Lazy(`^(?i:[\w ]{0,40}output of|command|running)[ \t]*:?[ \t]*(?:"([^"]+)"|'([^']+)')[ \t]*:?[ \t]*$`),
	parse.Lazy(`^[ \t]*(?:h[1-6]\.[ \t]+|#{1,6}[ \t]+|[*-][ \t]+|\d{1,2}[.)][ \t]+|\d{1,2}(?:\.\d{1,2}){1,3}\.?[ \t]+)?` +
		`[*_]{0,2}([^*]+?)[*_]{0,2}[ \t]*:?[*_]{0,2}[ \t]*$`),
}

// quotedCommand is what a heading in words names as the command, without the marks around it; else the line.
func quotedCommand(line string) (command string, marked bool) {
	if len(line) > 200 || !strings.ContainsAny(line, "`\"'*#.«(") {
		return line, false
	}
	for _, w := range worded {
		m := w.FindStringSubmatch(line)
		for _, group := range m[min(1, len(m)):] {
			if group != "" && typed(group) {
				return group, true
			}
		}
	}
	return line, false
}

// saying is what people write behind a command in a heading: "netstat -i output:", "netstat -r shows".
var saying = parse.Lazy(`(?i)[ \t]+(?:outputs?|results?|ausgabe|(?:shows|says|displays|prints|returns|gives|provides)` +
	`(?:[ \t]+(?:the following|following|this|as follows|me this)(?:[ \t]+outputs?)?)?)[ \t]*[:…]?[ \t]*$`)

// isRuler reports whether a line is nothing but dashes or the like.
func isRuler(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && strings.IndexByte("=-*#+~_", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

// deviceTitle is the device in a line that is a heading of it alone.
func deviceTitle(line string) string {
	if len(line) > 100 || !strings.Contains(line, "en") && !strings.Contains(line, "et") {
		return ""
	}
	if m := deviceLine.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// commandOf is the command line in a heading; empty if the line is none. It
// needs an option or a device: a bare word is too little to part a text.
func commandOf(line string) string {
	if len(line) > 300 || !detect.NamesProgram(line) || strings.HasPrefix(line, columnsOfSadf) {
		return ""
	}
	whole := line
	line, quoted := quotedCommand(saying.Regexp().ReplaceAllString(line, ""))
	quoted = quoted && strings.ContainsAny(whole, "`«")
	m := decorated.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	c := detect.ParseCommand(m[1])
	if c.ID == "" {
		return ""
	}
	words, seen := strings.Fields(m[1]), false
	for i, w := range words {
		if strings.HasPrefix(w, "|") && seen && !strings.Contains(strings.Join(words[i:], " "), "$") { // a script's lines have variables there
			break
		}
		switch {
		case !seen:
			seen = w[strings.LastIndexByte(w, '/')+1:] == c.Program
		case strings.HasPrefix(words[i-1], "-") && operandShape.MatchString(w):
		case !argument.MatchString(w) && !quoted:
			return ""
		}
	}
	if !seen || path.Base(words[len(words)-1]) == c.Program && c.Host == "" {
		return "" // no argument, or the program is inside another word: echo 'no -a' | oem_setup_env
	}
	return m[1]
}

// bareProgram knows a heading that is nothing but a program's name; empty if the line is none. Sure: ornaments or quotation
// marks are around it, or people run it without an argument.
func bareProgram(line string) (program string, sure bool) {
	if len(line) > 100 || !detect.NamesProgram(line) || strings.HasPrefix(line, columnsOfSadf) {
		return "", false
	}
	plain, marked := quotedCommand(line)
	m := decorated.FindStringSubmatch(plain)
	if m == nil || strings.ContainsAny(m[1], " \t") {
		return "", false
	}
	c := detect.ParseCommand(m[1])
	// "ip:" is a heading of netstat -s, and ip prints nothing without arguments.
	if c.ID == "" || c.Program == "ip" {
		return "", false
	}
	return m[1], marked || m[1] != strings.TrimSpace(line) || lonely[c.Program]
}

// lonely are programs that people run without an argument.
var lonely = map[string]bool{"hostname": true, "hostnamectl": true, "ioslevel": true, "oslevel": true, "prtconf": true, "lsconf": true,
	"errpt": true, "lscfg": true, "lscpu": true, "dmesg": true, "lspv": true, "lsvg": true, "lspci": true, "lsblk": true, "lsmod": true,
	"ifconfig": true, "iwconfig": true, "nmcli": true, "lparstat": true, "mpstat": true, "vmstat": true}

// capitalCommand is the command line in capitals at the beginning of a heading: "NETSTAT -v AT START OF RUN". Empty if there is
// none.
func capitalCommand(heading string) string {
	words := strings.Fields(heading)
	if len(words) < 2 || words[0] != strings.ToUpper(words[0]) || !strings.HasPrefix(words[1], "-") {
		return ""
	}
	line := strings.ToLower(words[0])
	for i, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && (!detect.IsDevice(w) || w != strings.ToLower(w) || i == 0) {
			break
		}
		line += " " + w
	}
	if !typed(line) {
		return ""
	}
	return line
}

// headings parts a text in which each output is below a line with its
// command, with or without rulers and ornaments.
func headings(lines []string) *Cut {
	at := map[int]string{}
	ruler := func(i int) bool { return i >= 0 && i < len(lines) && isRuler(body(lines[i])) }
	begins := func(i int) bool { return i == 0 || strings.TrimSpace(lines[i-1]) == "" || ruler(i-1) }
	ornaments := map[string]int{} // before command lines, and how often: "--- "
	command := remembered(commandOf)
	for i, l := range lines {
		b := body(l)
		if cmd := command(b); cmd != "" {
			at[i] = cmd
			if before, _, _ := strings.Cut(b, cmd); strings.TrimSpace(before) != "" {
				ornaments[before]++
			}
			continue
		}
		program, sure := bareProgram(b)
		if program == "" {
			program = capitalCommand(underlined(lines, i))
			sure = program != ""
		}
		switch {
		case program == "":
		case ruler(i-1) && ruler(i+1), sure && strings.Contains(b, "`"), sure && strings.Contains(program, " "),
			sure && b == strings.TrimSpace(l) && begins(i):
			at[i] = program
		}
	}
	if len(at) == 0 {
		return nil
	}
	for i, l := range lines {
		for before, n := range ornaments {
			rest, ok := strings.CutPrefix(body(l), before)
			if ok && at[i] == "" {
				at[i] = asOthers(strings.TrimRight(rest, " \t=*#+~<>-]"), before, n)
			}
		}
		if at[i] == "" {
			delete(at, i)
		}
	}
	return cutAt(Headings, lines, headingMarks(lines, at))
}

// leastLike is how many headings with a command that is known show that others with the same ornaments are headings, too.
const leastLike = 2

// asOthers is the command in a heading between the ornaments of others: a program's name alone, or a command that is not known, which
// ends the output above it all the same. Empty if it is none.
func asOthers(command, ornament string, others int) string {
	bare := !strings.ContainsAny(command, " \t") && typed(command)
	marked := len(strings.TrimSpace(ornament)) > 1 && others >= leastLike // "# words" is a comment
	if bare || marked && detect.Other(command) != "" && !hostLike(command) {
		return command
	}
	return ""
}

// headingMarks are the headings of a text: the command lines at some lines, devices alone and words with a ruler below.
func headingMarks(lines []string, at map[int]string) []mark {
	ruler := func(i int) bool { return i >= 0 && i < len(lines) && isRuler(body(lines[i])) }
	var marks []mark
	program := "" // of the heading above, where it is a program's name alone
	for i := 0; i < len(lines); i++ {
		cmd, head := at[i]
		m := mark{i, i + 1, Piece{Command: cmd}}
		if heading := underlined(lines, i); heading != "" && !head {
			m.to++
			m.Title = heading
			marks = append(marks, m)
			i = m.to - 1
			continue
		}
		if device := deviceTitle(body(lines[i])); device != "" && !head {
			m.Command, m.Title = strings.TrimSpace(program+" "+device), device
		} else if !head {
			continue
		} else {
			program = ""
			if !strings.Contains(cmd, " ") {
				program = cmd
			}
		}
		if head && ruler(i-1) {
			m.from--
			if ruler(i + 1) {
				m.to++
			}
		} else if head && isUnderline(lines, i) {
			m.to++
		}
		marks = append(marks, m)
		i = m.to - 1
	}
	return marks
}

// typed reports whether a line is a command a person or a script would run, with a
// program whose output is known.
func typed(command string) bool { return detect.ParseCommand(command).ID != "" }

// Time reads a time as headings, reports and date print it; zero if it is none.
func Time(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, l := range layouts {
		if t, err := time.Parse(l, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
