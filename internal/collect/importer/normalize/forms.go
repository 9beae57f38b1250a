package normalize

import "seaworthy/internal/parse"

// form is how a program or a markup writes what is read as a prompt, a heading or the name of a host. A line stays a line: what is
// said of an output cites its number.
type form struct {
	name string
	at   *parse.Pattern
	with string
	ends *parse.Pattern // the lines that end what such a line begins, and others of the program's own: they are made blank
	both bool           // a text has the form only if it has both
	all  bool           // nearly all lines have it
	not  *parse.Pattern // a text with this has it not
}

// placed stands between a command and the host on which it ran; commonPrograms are those that people name in sentences.
const (
	placed = `(?i:on|at|from|@|auf|von|sur|de|en|em|su)[ \t]+`
	// notPlace are words behind it that name no host.
	notPlace = `(?:this|that|both|each|boot|here|there|these|those|every|another|other|start|startup|demand|` +
		`beide[nrms]*|allen?|toutes?|tous)`
	logTime        = `\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?Z|[+-]\d\d:?\d\d)?`
	commonPrograms = `(?:sudo[ \t]+)?(?:ip|ethtool|netstat|` +
		`ss|uname|cat|lsattr|entstat|lsdev|no|ifconfig|sysctl|lscpu|tc|lsmap|seastat|vmstat|` +
		`lparstat|nstat|ping|iperf3?|dmesg|lspci|nmcli|bridge|errpt|lscfg|oslevel|mpstat|sar|route|arp|numactl)`
)

var forms = []form{
	{name: "prompts with a folder in brackets", with: "$1$2# $3", // padmin@vios1:[/home/padmin]cmd
		at: parse.Lazy(`(?m)^([ \t]*[\w.-]{1,64}@[A-Za-z][\w.-]*:)\[([~/][^\]\s]*)\][ \t]*([a-z])`)},
	{name: "titles of OneNote", with: "HOST: $1\n\n", // above the day and the time
		at: parse.Lazy(`(?m)^([A-Za-z][\w.-]*)[ \t]*\n[^\n]{0,40}\b20\d\d\b[^\n]{0,20}\n[ \t]*\d{1,2}:\d\d(?: ?[AaPp][Mm])?[ \t]*$`)},
	{name: "status lines of an editor",
		at: parse.Lazy(`(?m)^"[^"\n]+"(?: \[[\w ]+\])* \d+L, \d+[BC]\b[^\n]*$`), ends: parse.Lazy(`(?m)^~[ \t]*$`)},
	{name: "adapters in a monitoring agent's section", with: "ETHERNET STATISTICS ($1) :\n$2",
		at: parse.Lazy(`(?m)^\[(ent?\d{1,4})\][ \t]*\n(Hardware Address:)`)},
	{name: "prompts of two lines", with: "\n$1@$2:~# ",
		at: parse.Lazy(`(?m)^[┌╭][─━-]*[(\[ ]*([\w.-]{1,64}) ?[㉿@] ?([\w.-]{1,255})[^\n]*\n[└╰][─━-]*[#$>❯»➜]+[ \t]*`)},
	{name: "prompts of two lines", with: "\nroot@$1:~# ",
		at: parse.Lazy(`(?m)^(?:[\w.-]{1,64} in )?(?:🌐 ?)?([\w.-]{1,255}) in (?:[^\n\w]{0,4} )?[~/][^\n]*\n[❯➜»][ \t]+`)},
	{name: "marks around prompts", with: "$1",
		at: parse.Lazy(`(?m)^[*_]{1,4}(\[?[\w.-]{1,64}@[\w.-]{1,255}[^\n]*?[#$%>] [^\n]*?)[*_]{1,4}[ \t]*$`)},
	{name: "names in prompts", at: parse.Lazy(`(?m)^([\[(]?[\w.-]{1,64})㉿([\w.-]{1,255}[^\n]*[#$>%])`), with: "$1@$2"},
	{name: "prompts of PowerShell", at: parse.Lazy(`(?m)^PS [A-Za-z]:\\[^>\n]*>[ \t]*(\S)`), with: "$$ $1"},
	{name: "prompts of Windows", at: parse.Lazy(`(?m)^[A-Za-z]:\\[^>\n]*>[ \t]*(ssh|plink)\b`), with: "$$ $1"},
	{name: "a shell's trace", at: parse.Lazy(`(?m)^(\[?` + logTime + `\]?[ \t]+)\+{1,3} ([a-z/][a-z_./-]*(?:[ \t]|$))`), with: "$1$$ $2"},
	{name: "a shell's trace", at: parse.Lazy(`(?m)^\+{1,3} (?:\d\d:\d\d:\d\d(?:\.\d+)? )?([a-z/][a-z_./-]*(?:[ \t]|$))`), with: "$$ $1",
		not: parse.Lazy(`(?m)^(?:-|@@) ?\w|^INSTALLED RESOURCE LIST`)}, // a patch; lscfg, whose resources have such marks
	{name: "headings of pssh", at: parse.Lazy(`(?m)^\[\d+\] \d\d:\d\d:\d\d \[(?:SUCCESS|FAILURE)\] (?:[\w.-]+@)?([\w.-]+)(?:[ \t].*)?$`),
		with: "HOST: $1"},
	{name: "Fabric's words before each line", at: parse.Lazy(`(?m)^\[([\w.-]+)\] (?:run|sudo): `), with: "root@$1:~# ",
		ends: parse.Lazy(`(?m)^\[[\w.-]+\] (?:Executing task '.*'|out:[ \t]*)$`)},
	{name: "Fabric's words before each line", at: parse.Lazy(`(?m)^\[[\w.-]+\] out: `)},
	{name: "headings of Bolt", at: parse.Lazy(`(?m)^(?:Finished|Failed) on ([A-Za-z0-9][\w.-]*):[ \t]*$`), with: "HOST: $1",
		ends: parse.Lazy(`(?m)^(?:Started on \S+\.{3}|(?:Successful|Failed) on \d+ (?:node|target)s?: .*|` +
			`Ran on \d+ (?:node|target)s? in .*|  STD(?:OUT|ERR):)$`)},
	{name: "headings of Nornir", at: parse.Lazy(`(?m)^\* ([A-Za-z0-9][\w.-]*) \*\* changed : (?:True|False) \*+$`), with: "HOST: $1",
		ends: parse.Lazy(`(?m)^(?:v{4} .* v+ \w+|\^{4} END .*|[\w ]+\*{20,})$`)},
	{name: "SSHKit's words before each line", with: "root@$2:~# $1",
		at:   parse.Lazy(`(?m)^ *(?:INFO|DEBUG) \[[0-9a-f]{6,8}\] Running (?:/usr/bin/env )?(\S[^\n]*?) (?:as [\w.-]+@|on )([\w.-]+)$`),
		ends: parse.Lazy(`(?m)^ *(?:INFO|DEBUG) \[[0-9a-f]{6,8}\] (?:Command: .*|Finished in .*)$`)},
	{name: "SSHKit's words before each line", at: parse.Lazy(`(?m)^ *(?:INFO|DEBUG) \[[0-9a-f]{6,8}\] ?\t`)},
	{name: "Vagrant's words before each line", at: parse.Lazy(`(?m)^    ([\w.-]+): ?`), with: "$1: ", both: true,
		ends: parse.Lazy(`(?m)^==> [\w.-]+: .*$`)},
	{name: "words of MCollective", at: parse.Lazy(`(?m)^ \* \[ =*> *\] \d+ / \d+$|^Finished processing \d+ / \d+ hosts in .*$`)},
	{name: "a log of Ansible", at: parse.Lazy(`(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} p=\d+ u=\S+ (?:n=ansible(?: \w+)? )?\| ?`)},
	{name: "words of syslog before each line", with: "$1: ", all: true,
		at: parse.Lazy(`(?m)^<\d{1,3}>1 \S+ ([A-Za-z0-9][\w.-]*) \S+ \S+ \S+ (?:-|\[[^\]\n]*\]) ?`)},
	{name: "hosts and times in headings", with: "HOST: $1",
		at:  parse.Lazy(`(?m)^[#=*-]{3,}[ \t]*([A-Za-z][\w.-]*)[ \t]+(?:[A-Z][a-z]{2} )+ ?\d{1,2} \d\d:\d\d:\d\d\b[^\n]*?[#=*-]{3,}[ \t]*$`),
		not: parse.Lazy(`(?m)^[#=*-]{3,}[ \t]*(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|vnicserver|sea)\d+[ \t]`)},
	{name: "a journal's words before each line",
		at: parse.Lazy(`(?m)^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:[\w.-]+ Message forwarded from )?([\w.-]+?):? ` +
			`(?:[a-z]\w*:[a-z]+ )?[\w.@/-]+(?:\[\d+\])?: ?`),
		with: "$1: ", all: true, not: parse.Lazy(`(?m)^\S+ +\d+ \S+ \S+ kernel:`)},
	{name: "words of syslog before each line", with: "$1: ", all: true,
		at:  parse.Lazy(`(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d) ([A-Za-z0-9][\w.-]*) [\w.@/-]+(?:\[\d+\])?: ?`),
		not: parse.Lazy(`(?m)^\S+ \S+ kernel:`)},
	{name: "a log's words before each line", // of Avocado
		at: parse.Lazy(`(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} \S+ +L\d{4} (?:INFO|DEBUG|WARN\w*|ERROR) *\| ?(?:\[std(?:out|err)\] ?)?`)},
	{name: "a log's words before each line", at: parse.Lazy(`(?m)^Running '((?:/\S*/)?ssh [^\n]*)'$`), with: "$$ $1", both: true,
		ends: parse.Lazy(`(?m)^Command '.*' finished with -?\d+ after .*$`)},
	{name: "hosts in brackets before commands", with: "root@$1:~# $2",
		at: parse.Lazy(`(?m)^(?:\[?` + logTime + `\]?[ \t]+)?(?:\[?(?:INFO|DEBUG|NOTICE)\]?[ \t]+)?\[([A-Za-z][\w.-]*)\][ \t]+` +
			`(?:exec(?:ut(?:e|ing))?|run(?:ning)?|cmd|command)[ \t]*:[ \t]*(\S)`),
		not: parse.Lazy(`(?m)^[^\n\[]*(?:\[[^\]\n]*\][ \t]+)??\[(?:[\w.-]*(?i:thread|pool|executor|worker|exec|task|job|main)[\w.-]*)\]`)},
	{name: "hosts in brackets before each line", at: parse.Lazy(`(?m)^\[([A-Za-z][\w.-]{2,})\](?: |$)`), with: "$1: ", all: true,
		not: parse.Lazy(`(?im)^\[(?:info|debug|warn(?:ing)?|error|notice|trace|fatal|std(?:out|err)|out|err|output|main|` +
			`[\w.-]*(?:thread|pool|worker)[\w.-]*)\]`)},
	{name: "a chat's words before each message",
		at: parse.Lazy(`(?m)^\[?\d{1,2}[./]\d{1,2}[./]\d{2,4}, \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?\]?(?: -)? [^\n:]{2,40}: `)},
	{name: "marks of a forum", with: "=== $1 ===",
		at: parse.Lazy(`(?m)^\[(?:b|i|u|h\d|strong|size=\w+)\]([a-z/][^\[\]\n]*)\[/(?:b|i|u|h\d|strong|size)\][ \t]*:?[ \t]*$`)},
	{name: "marks of reStructuredText", at: parse.Lazy("(?m)^[ \t]*``([^`\n]+)``::?[ \t]*$"), with: "`$1`:"},
	{name: "marks of Textile", at: parse.Lazy(`(?m)^(?:p|h[1-6])\. ([^@\n]*)@([^@\n]+)@([^@\n]*)$`), with: "$1`$2`$3",
		ends: parse.Lazy(`(?m)^(?:bc|pre)\.{1,2}(?:\([^()\n]*\))? `), both: true},
	{name: "marks of Textile", at: parse.Lazy(`(?m)^(?:bc|pre)\.{1,2}(?:\([^()\n]*\))? `)},
	{name: "marks of LaTeX", at: parse.Lazy(`(?m)^\\(?:sub)*(?:section|paragraph)\*?\{\\(?:texttt|verb|code)\{([^{}\n]+)\}\}`),
		with: "=== $1 ==="},
	{name: "marks of AsciiDoc", at: parse.Lazy(`(?m)^\[(?:source|listing)[^\]\n]*\]\n(?:-{4}|\.{4})[ \t]*$`),
		ends: parse.Lazy(`(?m)^(?:-{4}|\.{4})[ \t]*$`), both: true},
	{name: "marks of AsciiDoc", at: parse.Lazy(`(?m)^\.([a-z/][^\n]*)\n(?:-{4}|\.{4})[ \t]*$`), with: "=== $1 ===\n",
		ends: parse.Lazy(`(?m)^(?:-{4}|\.{4})[ \t]*$`), both: true},
	{name: "marks of TOML", at: parse.Lazy(`(?m)^"([a-z/][^"\n]*)" = (?:"""|''')[ \t]*$`), with: "=== $1 ===",
		ends: parse.Lazy(`(?m)^(?:"""|''')[ \t]*$`), both: true},
	{name: "words at the begin and end of each output", with: "=== $1 ===", both: true,
		at:   parse.Lazy(`(?m)^[-=*#<>\[ \t]*(?:BEGIN|Begin|START)(?: OF)?:?[ \t]+([a-z/][^\n]*?)[-=*#<>\] \t]*$`),
		ends: parse.Lazy(`(?m)^[-=*#<>\[ \t]*(?:END|End|STOP)(?: OF)?:?[ \t]+[a-z/][^\n]*$`)},
	{name: "hosts behind the commands in headings", with: "=== ssh $2 $1 ===",
		at: parse.Lazy(`(?m)^[#=*-]{3,}[ \t]*([a-z][\w./]*(?:[ \t]+-?[\w./-]+)*?)[ \t]+(?:on|at|@)[ \t]+([A-Za-z][\w.-]*)[ \t]*:?` +
			`[ \t]*[#=*-]{3,}[ \t]*$`),
		not: parse.Lazy(`(?m)^[#=*-]{3,}.*[ \t](?:on|at|@)[ \t]+(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|vnicserver|sea)\d`)},
	{name: "hosts behind the commands in sentences", with: "=== ssh $2 $1 ===",
		at: parse.Lazy("(?m)^(?:Executing|Running|Ran|Output of|Result of|Command)[ \\t]+[`'\"]([^`'\"\\n]+)[`'\"][ \\t]+(?:on|at|from)[ \\t]+" +
			`(?:(?:host|server|node|lpar)[ \t]+)?([A-Za-z][\w.-]*?)[ \t]*(?:\.{3}|:)?[ \t]*$`)},
	{name: "hosts behind the commands in sentences", with: "=== ssh $2 $1 ===",
		at: parse.Lazy(`(?m)^(?:(?:and|And|The|Here is|This is)[ \t]+)?([a-z]\w*[ \t]+-\w+(?:[ \t]+-?[\w./]+)*?)[ \t]+(?:on|at|from)[ \t]+` +
			`([A-Za-z][\w.-]*\d[\w.-]*|[a-z][\w.-]{3,})(?:[ \t]+(?:shows|says|prints|gives|returns|output))?:[ \t]*$`),
		not: parse.Lazy(`(?m)[ \t](?:on|at|from)[ \t]+(?:(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|vnicserver|sea)\d+|` +
			notPlace + `)\b.*:[ \t]*$`)},
	{name: "hosts behind the commands in sentences", with: "=== ssh $2 $1 ===",
		at: parse.Lazy(`(?m)^(?:(?:The )?(?i:output|result)s? of|Running|Ran)[ \t]+([a-z][\w-]*(?:[ \t]+-?[\w./-]+)*?)` +
			`[ \t]+(?:on|at|from)[ \t]+` +
			`(?:(?:host|server|node|lpar)[ \t]+)?([A-Za-z][\w.-]*\d[\w.-]*)[ \t]*:?[ \t]*$`),
		not: parse.Lazy(`(?m)[ \t](?:on|at|from)[ \t]+(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|vnicserver|sea)\d+\b.*:?[ \t]*$`)},
	{name: "hosts behind the commands in sentences", with: "=== ssh $2 $1 ===",
		at: parse.Lazy("(?m)^[ \\t>*_#-]*[`*_]{1,2}([a-z/][^`*\\n]*?)[`*_]{1,2}[ \\t]*" + placed +
			"[`*_]{0,2}([A-Za-z][\\w.-]*\\w)[`*_]{0,2}(?:[ \\t]+(?:shows|says|prints|gives|returns|output|zeigt|affiche))?[ \\t]*[:*_]*[ \\t]*$"),
		not: parse.Lazy("(?m)`[ \\t]*" + placed + `(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|vnicserver|sea)\d+\b.*$`)},
	{name: "hosts before the commands in sentences", with: "=== ssh $1 $2 ===",
		at: parse.Lazy("(?m)^[ \\t>*_#-]*(?:(?i:on|from|auf|von|sur|depuis)[ \\t]+)?[`*_\\[(]{0,2}([A-Za-z][\\w.-]*\\d[\\w.-]*?)[`*_\\])]{0,2}" +
			"[ \\t]*(?:[:,>–-]|[#$])?[ \\t]*`([a-z/][^`\\n]*)`[ \\t]*:?[ \\t]*$"),
		not: parse.Lazy("(?m)^[ \\t>*_#-]*[`*_\\[(]{0,2}(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|step|test|note)\\d+[^`\\n]*`")},
	{name: "hosts behind the commands in sentences", with: "=== ssh $2 $1 ===",
		at: parse.Lazy(`(?m)^[ \t>*_#-]*(` + commonPrograms + `(?:[ \t]+[\w./:=-]+){1,5}?)[ \t]+` + placed +
			`([A-Za-z][\w.-]*\d[\w.-]*?|[a-z][\w.-]{3,}?)[ \t]*[:*_]+[ \t]*$`),
		not: parse.Lazy(`(?m)^.*[ \t]` + placed + `(?:(?:ent?|et|lo|eth|ens|eno|enp|bond|ib|br|vlan|fcs|hdisk|vnicserver|sea)\d+|` +
			notPlace + `)\b.*:[ \t]*$`)},
	{name: "commands in sentences", with: "=== $1 ===",
		at: parse.Lazy(`(?m)^(?:\pL+[ \t]+){1,4}(` + commonPrograms + `(?:[ \t]+[\w./=-]+){1,5})[ \t]*:[ \t]*$`)},
	{name: "commands in sentences", with: "=== $1 ===",
		at: parse.Lazy(`(?m)^(?:and|And|The|Here is|This is|Then|then)[ \t]+(?:(?:the )?output of[ \t]+)?` +
			`([a-z]\w*[ \t]+-\w+(?:[ \t]+-?[\w./]+)*?)(?:[ \t]+(?:shows|says|prints|gives|returns|output))?:[ \t]*$`)},
}

// rewritten is a text whose lines of a form are those that are read. False if it has none.
func (f *form) rewritten(text []byte) ([]byte, bool) {
	switch {
	case !f.at.Match(text), f.not != nil && f.not.Match(text), f.all && !allLines(text, f.at):
		return nil, false
	case f.both && !f.ends.Match(text):
		return nil, false
	}
	text = f.at.Regexp().ReplaceAll(text, []byte(f.with))
	if f.ends != nil {
		text = f.ends.Regexp().ReplaceAll(text, nil)
	}
	return text, true
}

// readForms writes the forms of a text as those that are read.
func (r *Result) readForms() {
	for i := range forms {
		t, ok := forms[i].rewritten(r.Text)
		if !ok {
			continue
		}
		r.Text = t
		note := forms[i].name + " were read as what they mark"
		if len(r.Notes) == 0 || r.Notes[len(r.Notes)-1] != note {
			r.Notes = append(r.Notes, note)
		}
	}
}
