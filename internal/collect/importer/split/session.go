package split

import (
	"cmp"
	"regexp"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

var (
	// promptShape is a usual prompt and what was typed behind it: "# cmd",
	// "$ cmd", "root@host:/ # cmd", "[root@host tmp]# cmd", "host:/home/padmin> cmd",
	// "(0) root @ host: 7.2.0.0: / # cmd".
	promptShape = parse.Lazy(`^((?:` + clock + `|\([\w. -]{1,20}\) ?)?\[?(?:[\w.-]{1,64} ?@ ?)?([\w.-]{1,255})?(?:\{[\w.-]{1,40}\})?\]?` +
		`(?:(?:: [0-9.]+)?:? ?[~/][\w./~-]*|` +
		`:| [\w.~+-]{1,64}\])?\]?(?: ?\[[^\]]{1,40}\]| \([\w./-]{1,40}\))? ?[#$>%])(?:[ \t]+(\S.*)|[ \t]*)$`)
	// tightShape is a prompt with the command right behind its sign, or one of forms of their own: "host:/root>cmd", "#cmd",
	// "host:AREA:/path >cmd", "host(user):/path $(words) cmd".
	tightShape = parse.Lazy(`^((?:\[?(?:[\w.-]{1,64} ?@ ?)?([A-Za-z][\w.-]{0,254})?(?:\([\w.-]{1,64}\))?` +
		`(?::[\w.-]{1,64})?(?::? ?[~/][\w./~-]*)?\]?) ?` +
		`[#$>%](?: ?\([^()]{1,60}\))?)[ \t]*([A-Za-z/].*)$`)
	// statusShape is the first line of a prompt of two, whose second has the sign: "(0) root @ host: 7.2.0.0: /".
	statusShape = parse.Lazy(`^(\([0-9]{1,3}\) ?[\w.-]{1,64} ?@ ?([\w.-]{1,255}):(?: [0-9.]+:)? ?[~/][\w./~-]*)$`)
	// loginShape is such a line without a status: "[20.11.26 10:12:01] root@saphana02 /tmp".
	loginShape = parse.Lazy(`^((?:` + clock + `)?\[?[a-z_][\w.-]{0,63} ?@ ?([A-Za-z][\w.-]{0,254})\]?:? ?[~/][\w./~-]*)$`)
	// bracketShape is a prompt whose brackets end it, or stand before the folder alone: "[root@esx1:/tmp] cmd", "[root@aix1]</>cmd",
	// "[web7] tmp$ cmd".
	bracketShape = parse.Lazy(`^(\[(?:[\w.-]+ ?@ ?)?([A-Za-z][\w.-]*)(?::[~/][^\]\s]*\]|\][ \t]*<[~/][^>\s]*>|\][ \t]+[\w.~/-]+[#$%]))[ \t]*` +
		`([a-z./]\S*.*)$`)
	// arrowShape is a prompt that ends in a sign of its own instead: "➜  ~ cmd", "❯ cmd".
	arrowShape = parse.Lazy(`^([➜❯λ»▶][ \t]+(?:[~/][\w./~-]*[ \t]+)?(?:git:\([^()]*\)[ \t]+(?:✗[ \t]+)?)?)([A-Za-z/].*)$`)
	// reportFolder is the folder of a sosreport in a prompt.
	reportFolder = parse.Lazy(`\bsosreport-([A-Za-z][\w.]*(?:-[A-Za-z][\w.]*|-\d{1,2})*?)-(?:\d{5,}-)?\d{4}-\d{2}-\d{2}-\w+`)
	promptEnd    = parse.Lazy(`[#$%>\]:+|)][ \t]*$`)
	numberPart   = parse.Lazy(`[0-9]+`)
	namePart     = parse.Lazy(`^(\[[\w.-]+ ?@ ?[\w.-]+) [\w.~+-]+\]`) // a folder's, without the way to it
	folderPart   = parse.Lazy(`[~/][\w./~-]*`)
	shellWord    = parse.Lazy(`^(?:exit|logout|echo|set|date|cd)\b`)
	wordPart     = parse.Lazy(`[A-Za-z0-9]`)
	// host:, host[, [host: and user@host at the front of a prompt, past a time.
	hostFront = parse.Lazy(`^(?:` + clock + `|\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.,]+Z?\]?[ \t]+)?` +
		`(?:# )?[\[(<]?(?:(?:[\w.()-]+[ \t]+)?[\w.-]+ ?@ ?)?` +
		`([A-Za-z][\w.-]*)[:\[\]{)>/ ]`)
	// spoken is the front of a date or of a sentence, not a prompt's.
	spoken = parse.Lazy(`^[\[(]?[A-Za-z]+ +[A-Za-z0-9]+[ :]`)
)

// clock is the time that a prompt may begin with: "[09:11:02] ".
const clock = `[\[(]?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ T])?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?[\])]?[ \t]+`

// promptSigns are the signs that prompts have.
const promptSigns = "#$>%➜❯λ»▶"

// columnsOfSadf begins the line that names the columns of sadf -d.
const columnsOfSadf = "# hostname;interval;"

// prompt takes a line apart that has a prompt.
func prompt(line string) (head, host, command string, ok bool) {
	if len(line) > 600 {
		return
	}
	head, host, command, ok = usualPrompt(line)
	if !ok && line != "" && (line[0] == ' ' || line[0] == '\t') {
		return indentedPrompt(line)
	}
	return head, host, command, ok
}

// usualPrompt takes a line apart that has a prompt at its margin.
func usualPrompt(line string) (head, host, command string, ok bool) {
	if line != "" && line[0] == '(' {
		if m := statusShape.FindStringSubmatch(line); m != nil {
			return m[1], m[2], "", true
		}
	}
	rest, quoted := strings.CutPrefix(line, ">")
	rest = strings.TrimPrefix(rest, " ")
	if quoted && (full(rest) || signed.MatchString(rest)) { // people mark the first line of what they paste
		line = rest
	}
	if strings.HasPrefix(line, "[") {
		m := bracketShape.FindStringSubmatch(line)
		if m != nil && startsProgram(m[3]) {
			return m[1], m[2], strings.TrimSpace(m[3]), true
		}
	}
	if strings.Contains(line, "@") && len(line) < longestCommon {
		if m := loginShape.FindStringSubmatch(line); m != nil {
			return m[1], m[2], "", true
		}
	}
	if !strings.ContainsAny(line, promptSigns) || strings.HasPrefix(line, columnsOfSadf) {
		return
	}
	if m := arrowShape.FindStringSubmatch(line); m != nil {
		return m[1], "", strings.TrimSpace(m[2]), true
	}
	head, host, command = ownPrompt(line)
	if head != "" {
		return head, host, command, true
	}
	m := promptShape.FindStringSubmatch(line)
	if m != nil {
		if of := reportFolder.FindStringSubmatch(m[1]); of != nil { // what a support tool gathered elsewhere is read there
			m[2] = of[1]
		}
		return m[1], m[2], strings.TrimSpace(m[3]), true
	}
	head, host, command = tight(line)
	known := detect.NamesProgram(line) && commandLine(command)
	return head, host, command, head != "" && (known || full(head) && startsProgram(command))
}

// onlyDigits is a number, which no host is called.
var onlyDigits = parse.Lazy(`^\d*$`)

// signed is a prompt of a sign alone, with something typed behind it.
var signed = parse.Lazy(`^[#$] [a-z/]`)

// startsProgram reports whether a command line begins with the name of a program, known or not.
func startsProgram(command string) bool {
	first, _, _ := strings.Cut(command, " ")
	return detect.NamesProgram(first) || detect.Other(command) != ""
}

// tight takes a line apart that may have a prompt with the command right behind its sign.
func tight(line string) (head, host, command string) {
	m := tightShape.FindStringSubmatch(line)
	if m == nil {
		return "", "", ""
	}
	return m[1], m[2], strings.TrimSpace(m[3])
}

// commandLine reports whether words are a command line with arguments, of a program whose output is known.
func commandLine(words string) bool {
	command, _, _ := strings.Cut(words, "|")
	command = strings.TrimSpace(command)
	return commandOf(command) == command && command != "" || detect.ParseCommand(words).File != ""
}

// isPrompt reports whether a line is a prompt with a known command behind it.
func isPrompt(line string) bool {
	if !strings.ContainsAny(line, promptSigns) || !detect.NamesProgram(line) {
		return false
	}
	_, _, command, ok := prompt(body(line))
	return ok && typed(command)
}

// session parts a saved terminal session. A prompt is believed once a known
// command follows it, one of a form of its own ("date : ", "+ " of a
// traced script) once two do; then the same prompt ends the output before it,
// whatever was typed. Headings look like prompts of their own: what parts the
// text into more is taken.
func session(lines []string) *Cut {
	p := findPrompts(lines)
	if len(p.usual) == 0 && len(p.heads) == 0 {
		return nil
	}
	marks := p.mark(lines)
	if len(marks) == 0 || ruled(lines, marks) {
		return headings(lines)
	}
	c := &Cut{Form: Session, Pieces: between(lines, marks...)}
	most := 0
	for h, n := range p.hosts {
		if n > most || n == most && h < c.Host {
			most, c.Host, c.HostFrom = n, h, "prompt"
		}
	}
	if h := headings(lines); len(p.usual) == 0 && h != nil && len(h.Pieces) >= len(c.Pieces) {
		return h
	}
	return c
}

// ruled reports whether what looks like prompts are headings of a script: each stands between two rulers.
func ruled(lines []string, marks []mark) bool {
	for _, m := range marks {
		if m.from == 0 || m.to >= len(lines) || !isRuler(body(lines[m.from-1])) || !isRuler(body(lines[m.to])) {
			return false
		}
	}
	return len(marks) > 0
}

// prompts are the prompts of a session.
type prompts struct {
	usual map[string]bool  // forms that a known command followed
	heads []*regexp.Regexp // forms of its own that known commands followed twice
	hosts map[string]int   // how often each host was named
}

func findPrompts(lines []string) *prompts {
	usual, forms, hosts := map[string]bool{}, map[string]int{}, map[string]int{}
	words := map[string]int{} // before signs, which may be a host's name
	commands := remembered(commandAt)
	for _, l := range lines {
		b := body(l)
		head, host, command, ok := prompt(b)
		if ok && (typed(command) || loginLine.MatchString(command) || command == "" && full(head)) {
			usual[formOf(head)] = true
			if namesHost(head, host) {
				hosts[host]++
			} else if hostWordOnly.MatchString(host) && !userName.MatchString(host) && !isTopic(host) && !shells[host] {
				words[host]++
			}
		} else if at := commands(b); at > 0 {
			forms[formOf(b[:at])]++
		}
	}
	for word, n := range words {
		beside := len(hosts) > 0 && usual[formOf(word+"#")] && numberedWord(hosts) // nim# and powerha1#
		if len(words) == 1 && (n > 1 || beside) {
			hosts[word] = n
		}
	}
	var heads []*regexp.Regexp
	for form, n := range forms {
		if n > 1 && len(heads) < 20 {
			heads = append(heads, headOf(form))
		}
	}
	return &prompts{usual: usual, heads: heads, hosts: hosts}
}

// numberedWord reports whether a host of some has a name of one word with a number, as prompts of a name and a sign have.
func numberedWord(hosts map[string]int) bool {
	for host := range hosts {
		if hostLike(host) && !strings.Contains(host, ".") {
			return true
		}
	}
	return false
}

// mark finds the lines with a prompt, and counts the hosts that prompts of a form of
// their own name.
func (p *prompts) mark(lines []string) []mark {
	var marks []mark
	above := "" // the host that the first line of a prompt of two names
	login := "" // the host to which the last ssh logged in, or that greets, for prompts that name none
	greets := true
	for i, l := range lines {
		b := body(l)
		head, host, command, ok := prompt(b)
		if !ok && strings.ContainsAny(b, promptSigns) { // one word behind a prompt that others have with a whole command line
			head, host, command = tight(b)
			ok = len(head) > 2 && p.usual[formOf(head)]
		}
		greets = greets || loginPrompt.MatchString(b)
		if greets && !ok {
			login = cmp.Or(greetedBy(b), passwordOf(b), login)
		}
		if ok && (p.usual[formOf(head)] || full(head)) && !comment(head, command) && !isTitle(lines, i, head, command) {
			greets = false
			now := Piece{Command: command}
			if p.hosts[host] > 0 || full(head) && !onlyDigits.MatchString(host) {
				now.Host = host
				login = ""
			} else if shell, _, _ := strings.Cut(host, "-"); host == "" || shells[shell] {
				now.Host = cmp.Or(above, login)
			}
			login = loggedTo(command, login)
			if loginLine.MatchString(command) || shellIn.MatchString(command) { // what it greets with is its own
				now.Host = login
			}
			above = ""
			if command == "" {
				above = now.Host
			}
			marks = append(marks, mark{i, i + 1, now})
			continue
		}
		above = ""
		head = ""
		for _, h := range p.heads {
			if m := h.FindString(b); len(m) > len(head) {
				head = m
			}
		}
		if head == "" || !wordPart.MatchString(head) && !typed(b[len(head):]) && !shellWord.MatchString(b[len(head):]) {
			continue // "+ sys0" is an output's as well
		}
		now := Piece{Command: strings.TrimSpace(b[len(head):])}
		m := hostFront.FindStringSubmatch(strings.TrimLeft(head, " \t"))
		if m != nil && strings.ContainsAny(head, "@:[<") && !spoken.MatchString(head) && !caption[strings.ToLower(m[1])] {
			now.Host = m[1]
			p.hosts[m[1]]++
		}
		marks = append(marks, mark{i, i + 1, now})
	}
	return marks
}

// namesHost reports whether a prompt names a host: with a user, a folder or brackets, or as a word that only a host has.
func namesHost(head, host string) bool {
	shell, _, _ := strings.Cut(host, "-") // bash-5.1$
	if host == "" || userName.MatchString(host) {
		return false
	}
	return strings.ContainsAny(head, "@:[") || strings.Contains(head, host+"(") || inFolder.MatchString(head) ||
		hostLike(host) && !shells[shell]
}

var (
	hostWordOnly = parse.Lazy(`^[A-Za-z][A-Za-z-]{1,18}[A-Za-z]$`)
	// userName are words of prompts for who is logged in, and for what.
	userName = parse.Lazy(`(?i)^(?:root|admin|administrator|user|padmin|hscroot|oracle|grid|oragrid|postgres|mysql|sqlplus|ansible|guest|` +
		`console|prompt|shell|localhost|host|hostname|server|node|lpar|vios|aix|linux|ubuntu|debian|centos|redhat|fedora|suse|rescue|chroot|` +
		`sql|ftp|gdb|psql|cli|bash|python|ioscli|nmon|topas|system|login|test|switch|router|rommon|ghci|ipmitool|lftp|sftp|telnet|` +
		`[a-z]+-expect|expect)$`)
)

// inFolder is a prompt with the host and the folder alone: "web ~ #".
var inFolder = parse.Lazy(`^[A-Za-z][\w.-]* [~/][\w./~-]* [#$%>]$`)

// loginLine is a command line that logs in to another host, and runs nothing there.
var loginLine = parse.Lazy(`^(?:(?:ssh|slogin|rlogin|telnet)[ \t]+(?:-\w+[ \t]+)*(?:[\w.-]+@)?|mkvterm[ \t](?:.*[ \t])?-p[ \t]+|` +
	`virsh[ \t]+console[ \t]+|(?:oc|kubectl)[ \t]+debug[ \t]+(?:-\S+[ \t]+)*nodes?/)([A-Za-z][\w.-]*)[ \t]*$`)

var (
	// loginPrompt is a line with which a login begins.
	loginPrompt = parse.Lazy(`^(?:login(?: as)?|.*@.*'s password): |^Connection to \S+ closed`)
	// welcome is a line of a greeting with nothing but the host's name in it.
	welcome = parse.Lazy(`^[*#|= \t]*(?i:welcome to|you are (?:now )?(?:logged (?:in|on) to|on))[ \t]+` +
		`(?i:(?:host|server|node|lpar|system)[ \t]+)?` +
		`([A-Za-z][\w.-]+?)[ \t!.*#|=]*$`)
)

// passwordFor is the question of ssh for a password; an address is no name.
var passwordFor = parse.Lazy(`^(?:\([\w.@-]+\) )?[\w.-]+@([A-Za-z][\w.-]*)'s password:`)

// passwordOf is the host whose password ssh asks for in a line; empty if it asks for none.
func passwordOf(line string) string {
	m := passwordFor.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1]
}

// greetedBy is the host that a line of a greeting names; empty if it names none: AIX greets with the name of the system.
func greetedBy(line string) string {
	m := welcome.FindStringSubmatch(line)
	if m == nil || platformWord.MatchString(m[1]) || !hostLike(m[1]) && !mayName(m[1]) {
		return ""
	}
	return m[1]
}

// shellIn is a command line that begins a shell in a container.
var shellIn = parse.Lazy(`^(?:sudo[ \t]+)?(?:docker|podman|nerdctl|crictl|lxc|kubectl|oc)[ \t]+exec[ \t]+(?:-\S+[ \t]+)*` +
	`([A-Za-z0-9][\w.-]*)[ \t]+(?:--[ \t]+)?(?:\S*/)?(?:ba|k|z|a|da)?sh[ \t]*$`)

// loggedTo is the host whose prompts may follow a command line: one to which it logs in, none behind an end, else as before.
func loggedTo(command, before string) string {
	for _, l := range []*parse.Pattern{loginLine, shellIn} {
		if m := l.FindStringSubmatch(command); m != nil {
			return m[1]
		}
	}
	if command == "exit" || command == "logout" {
		return ""
	}
	return before
}

// commandAt is where a command line with arguments begins behind a prompt; 0 if
// none does.
func commandAt(line string) int {
	if len(line) > 600 || !detect.NamesProgram(line) {
		return 0
	}
	for i := 1; i < len(line); i++ {
		if line[i-1] != ' ' && line[i-1] != '\t' || line[i] == ' ' || line[i] == '\t' || !promptEnd.MatchString(line[:i]) {
			continue
		}
		first, _, _ := strings.Cut(line[i:], " ")
		if !detect.NamesProgram(first) {
			continue
		}
		if commandLine(line[i:]) {
			return i
		}
	}
	return 0
}

// formOf is a prompt without what changes from one to the next.
func formOf(head string) string {
	head = namePart.ReplaceAllString(strings.TrimSpace(head), "$1 /]")
	return numberPart.ReplaceAllString(folderPart.ReplaceAllString(head, "/"), "0")
}

// headOf finds a prompt of a form at the start of a line.
func headOf(form string) *regexp.Regexp {
	e := regexp.QuoteMeta(form)
	e = strings.ReplaceAll(e, "0", `[0-9]+`)
	e = strings.ReplaceAll(e, "/", `[~/][\w./~-]*`)
	return regexp.MustCompile(`^[ \t]*` + e + `(?:[ \t]+|$)`)
}

// comment reports whether "# words" inside an output is not a prompt: a bare number
// sign also begins comments, so what follows must look like a command.
func comment(head, command string) bool {
	if command == "" || head != "#" && head != "%" && head != ">" {
		return false
	}
	first, _, _ := strings.Cut(command, " ")
	return !typed(command) && !programShape.MatchString(first) || isTitleOf(command)
}

// isTitle reports whether the first line of a text is its title, as Markdown marks one, above a blank line.
func isTitle(lines []string, i int, head, command string) bool {
	return i == 0 && head == "#" && len(lines) > 1 && body(lines[1]) == "" && strings.Contains(command, " ") && !commandLine(command)
}

// plainWord is a word of a sentence, no option and no name of a device or a file.
var plainWord = parse.Lazy(`^[\pL][\pL'’-]*[.,;:!?]?$`)

// withVerbs are programs whose arguments are words.
var withVerbs = map[string]bool{"ip": true, "tc": true, "bridge": true, "nmcli": true, "virsh": true, "systemctl": true, "service": true,
	"ovs-vsctl": true, "ovs-appctl": true, "ovs-ofctl": true, "devlink": true, "nft": true, "cat": true, "ls": true, "ssh": true}

// isTitleOf reports whether what follows a number sign is a title about a program, and no command line: "# iperf3 performance drops".
func isTitleOf(command string) bool {
	words := strings.Fields(command)
	if len(words) < 3 || withVerbs[words[0]] || commandOf(command) != "" {
		return false
	}
	for _, w := range words[1:] {
		if !plainWord.MatchString(w) {
			return false
		}
	}
	return true
}

var programShape = parse.Lazy(`^(?:[./~]?[\w./-]*[a-z][\w./-]*)$`)

// full reports whether a prompt names more than a word and a sign: user and host,
// or host and folder.
func full(head string) bool { return fullShape.MatchString(head) }
