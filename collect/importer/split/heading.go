package split

import (
	"strings"

	"seaworthy/collect/importer/detect"
	"seaworthy/dialect"
)

var (
	// ==== entstat -d ent0 ====, ### no -a, >>> lsdev, [lsattr -El en0],
	// Command: netstat -in, entstat -d ent0:
	decorated = dialect.Lazy(`^[ \t]*(?:[=*#+~<>|:-]{2,}[ \t]*|(?i:command|cmd|output of|running|exec(?:uting)?|run)[ \t]*:?[ \t]+|\[[ \t]*|"|\x60|#[ \t]*)?(\S.*?)(?:[ \t]*[=*#+~<>|-]{2,}|[ \t]*\]|"|\x60|[ \t]*:)?[ \t]*$`)
	// options and names as a command line has them
	argument = dialect.Lazy(`^(?:-{1,2}[A-Za-z][\w:=,-]*|[A-Za-z_]+[\w.:/-]*[0-9][\w.:/-]*|[0-9]{1,4}|adapter|if|link|addr|route|show|a|l|r|/\S+|"[^"]*"|'[^']*'|sort|head|more|grep|2>&1|\|)$`)
)

// operandShape is what may stand behind an option: -a modelname.
var operandShape = dialect.Lazy(`^[A-Za-z_][\w,.:-]{0,60}$`)

// isRuler says that a line is nothing but dashes or the like.
func isRuler(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && strings.IndexByte("=-*#+~_", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

// commandOf is the command line in a heading; false if the line is none. It
// needs an option or a device: a bare word is too little to part a text.
func commandOf(line string) (string, bool) {
	if len(line) > 300 || !detect.NamesProgram(line) {
		return "", false
	}
	m := decorated.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	c := detect.ParseCommand(m[1])
	words := strings.Fields(m[1])
	if c.ID == "" || len(words) == 0 {
		return "", false
	}
	args := 0
	seen := false
	for i, w := range words {
		base := w[strings.LastIndexByte(w, '/')+1:]
		if !seen {
			seen = base == c.Program
			continue
		}
		operand := strings.HasPrefix(words[i-1], "-") && operandShape.MatchString(w)
		if !operand && !argument.MatchString(w) {
			return "", false
		}
		args++
	}
	return m[1], args > 0
}

// bareProgram knows a heading that is nothing but a program's name, which
// counts only between or above rulers, or with ornaments.
func bareProgram(line string) (string, bool) {
	if len(line) > 100 || !detect.NamesProgram(line) {
		return "", false
	}
	trimmed := strings.TrimSpace(line)
	m := decorated.FindStringSubmatch(line)
	if m == nil || strings.ContainsAny(m[1], " \t") {
		return "", false
	}
	c := detect.ParseCommand(m[1])
	// "ip:" is a heading of netstat -s, and ip prints nothing without arguments.
	return m[1], c.ID != "" && c.Program != "ip" && (m[1] != trimmed || lonely[c.Program])
}

// lonely are programs that people run without an argument.
var lonely = map[string]bool{"hostname": true, "ioslevel": true, "oslevel": true, "prtconf": true, "lsconf": true, "errpt": true, "lscfg": true}

// headings parts a text in which each output stands below a line with its
// command, with or without rulers and ornaments.
func headings(lines []string) *Cut {
	at := map[int]string{}
	for i, l := range lines {
		b := body(l)
		if b == "" || isRuler(b) {
			continue
		}
		if cmd, ok := commandOf(b); ok {
			at[i] = cmd
			continue
		}
		ruled := i > 0 && isRuler(body(lines[i-1])) && i+1 < len(lines) && isRuler(body(lines[i+1]))
		alone := (i == 0 || strings.TrimSpace(lines[i-1]) == "" || isRuler(body(lines[i-1]))) && b == strings.TrimSpace(l)
		if cmd, ok := bareProgram(b); ok && (ruled || alone) {
			at[i] = cmd
		} else if ruled && titleShape.MatchString(b) && !ruledByItself.MatchString(b) && len(at) > 0 && sameFrame(lines, at, i) {
			at[i] = "" // another heading of the same form: it ends the output before it
		}
	}
	if len(at) == 0 {
		return nil
	}
	sameOrnament(lines, at)
	titles(lines, at)
	p := pieces{line: 1}
	program := "" // of the heading above, where it is a program's name alone
	for i := 0; i < len(lines); i++ {
		cmd, head := at[i]
		if device := deviceTitle(body(lines[i])); device != "" && !head {
			p.begin(Piece{Command: strings.TrimSpace(program + " " + device), Title: device}, i+1)
			continue
		}
		if !head {
			if next, ok := at[i+1]; ok && isRuler(body(lines[i])) && (next != "" || framed(lines, i+1)) {
				continue // the ruler above a heading
			}
			p.add(lines[i])
			continue
		}
		now := Piece{Command: cmd}
		if program = ""; !strings.Contains(cmd, " ") {
			program = cmd
		}
		if cmd == "" {
			now.Title = strings.Trim(body(lines[i]), " \t=*#+~<>-")
		}
		if i+1 < len(lines) && isRuler(body(lines[i+1])) && framed(lines, i) {
			i++
		}
		p.begin(now, i+1)
	}
	p.end()
	return &Cut{Form: Headings, Pieces: finer(p.list)}
}

// sameOrnament adds headings that are nothing but a program's name, in the
// ornaments of those that are whole command lines: "--- prtconf".
func sameOrnament(lines []string, at map[int]string) {
	ornaments := map[string]bool{}
	for i, cmd := range at {
		if before, _, found := strings.Cut(body(lines[i]), cmd); found && cmd != "" && strings.TrimSpace(before) != "" {
			ornaments[before] = true
		}
	}
	for i, l := range lines {
		b := body(l)
		if _, head := at[i]; head || len(b) > 100 {
			continue
		}
		for o := range ornaments {
			rest, found := strings.CutPrefix(b, o)
			if !found {
				continue
			}
			if m := decorated.FindStringSubmatch(b); m != nil && !strings.ContainsAny(m[1], " \t") && strings.HasPrefix(rest, m[1]) && typed(m[1]) {
				at[i] = m[1]
			}
		}
	}
}

// ruledByItself are lines that commands print between rulers.
var ruledByItself = dialect.Lazy(`^[ \t]*(?:Statistics for |(?:Real|Virtual|Control|Backup)\b.*[Aa]dapter|Advanced Statistics|Device Name|VNIC Server|Active VGs|NAME +CUR|[^:]*:[ \t]+\S)`)

var titleShape = dialect.Lazy(`^[ \t]*[\w][\w ./:-]{1,60}$`)

// framed says that a heading has rulers of one kind above and below.
func framed(lines []string, i int) bool {
	return frame(lines, i) != ""
}

func frame(lines []string, i int) string {
	if i == 0 || i+1 >= len(lines) {
		return ""
	}
	above, below := strings.TrimSpace(body(lines[i-1])), strings.TrimSpace(body(lines[i+1]))
	if !isRuler(above) || !isRuler(below) || above[0] != below[0] {
		return ""
	}
	return above[:1]
}

// sameFrame says that a title stands in rulers like those of the commands.
func sameFrame(lines []string, at map[int]string, i int) bool {
	own := frame(lines, i)
	if own == "" {
		return false
	}
	for k, cmd := range at {
		if cmd != "" && strings.TrimSpace(body(lines[k])) == cmd && frame(lines, k) == own {
			return true
		}
	}
	return false
}
