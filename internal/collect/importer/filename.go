package importer

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// systemWords are the words for operating systems in the names of files.
const systemWords = `aix|linux|(?:open[-_]?)?solaris|sunos|smartos|omnios|nexenta(?:stor)?|illumos|(?:free|net|open|dragonfly)bsd|` +
	`darwin|mac[-_]?osx?|osx|hp-?ux|windows|rhel|red[-_]?hat|centos|fedora|rocky|alma(?:linux)?|ubuntu|debian|sles|(?:open)?suse`

var (
	nameWord = parse.Lazy(`[^-_ ,+@~()\[\]=]+`)
	ending   = parse.Lazy(`(?i)(?:\.(?:txt|out|log|lst|dat|text|snap|nmon|err|info|csv|tsv|jsonl?|ndjson|` +
		`xml|ya?ml|toml|eml|html?|org|rst|md|gz|` +
		`ksh|bash|rb|js|ts|go|java|scala|kt|php|lua|ps1|bat|cpp|hpp|sql|` + // .pl, .py, .rs, .sh and .cc are countries, too
		`adoc|asciidoc|textile|wiki|mw|rtf|ipynb|cast|session|typescript|capture|ini|conf|tex))+$`)
	// words of a file's name that say what is in it, and when it was taken
	deviceWord = parse.Lazy(`^(?:ent?|et|lo|l|eth|bond|sea|vnicserver|sys|sysplanar|inet|fcs|fscsi|hdisk|vhost|vfchost|` +
		`vtscsi|vtopt|pci)\d+$|` +
		`^(?:en|ent|if|all|net|adapters?|class|cc|before|after|old|new|output|out|data|full|cut|partial|sample|report|result|` +
		`config|stats?|statistics|info|health|check|commands?|cmds?|collect|copy|file|final|orig|backup|snap|snapshot|test|` +
		`tmp|temp|var|opt|usr|etc|home|root|mnt|fetched|word|gathered|collected|uploads?|downloads?|attachments?|outputs|results|` +
		`kopie|von|copia|copie|de|of|` +
		`(?:inc|req|ritm|chg|prb|sctask|cs|ts|pmr|sr|case|bug|bz|ticket|tkt|issue)\d{4,}|` +
		`run|utc|am|pm|ik|ioscli|systemid|modelname|i[jvxyz]\d{5}|(?:part|page|test|run|day|night|step|v|copy|file|cmd|command)\d+)$`)
	// topicWord are words for what a file is about, and the names that Linux gives its network devices.
	topicWord = parse.Lazy(`^(?:errlog|type|attrs?|dev|az|(?:untitled|unbenannt|neu|unnamed|noname|document|dokument|` +
		`textfile|paste|clipboard|download|scan|image|text|notes?)\d*|(?:net|sys|host|system)(?:info|data|check|dump)|addr|addrs|` +
		`address|link|links|show|stats\d*|` +
		`ppc64(?:le)?|route|routes|neigh|networking|log|logs|uname|cat|messages|dmesg|` +
		`tcp|udp|icmp|sctp|threads?|issues?|discussions?|topics?|posts?|questions?|answers?|comments?|forum|mails?|gist|pages?|article|` +
		`howto|blog|draft|transcript|chat|readme|guide|wireless|bugs?|reports|sudo|dump|counts?|lines?|networks?|mappings?|` +
		`kern|syslog|journal|interrupts|proc|ring|rings|channels|pause|features|tests?|metrics|tables?|[a-z])$`)
	linuxDevice = parse.Lazy(`^(?:en[opsvx]\w*\d\w*|en[pP]\d+[ps]\w*|wl[opsx]\w*\d\w*|ib\d\w*|` +
		`(?:veth|tap|tun|ppp|vnet|docker|virbr|wlan|wwan|team|` +
		`vxlan|br|ovs|ifb|dummy|usb|gre|sit|wg|cali|lxc|vhost|macvtap|macvlan|qr|qg|ha|qdhcp|qrouter|ens|eno|enp)\d\w*|` +
		`br-\w+|virbr\d+-nic)$`)
	// managedSystem is the system that a command of an HMC is about: lssyscfg_-r_lpar_-m_sysA.
	managedSystem = parse.Lazy(`((?:^|[_ ])(?:lssyscfg|lshwres|lslparutil|lssysconn)(?:[_ ].*?)?)[_ ]-m[_ ]*[\w.]+?(?:-\w+)?(?:[_ ]|$)`)
	// systemLevel is a system with its level in a file's name: aix-5.3b in aix-5.3b-en3, and aix_7 in ifconfig_aix_7.
	systemLevel = parse.Lazy(`(?i)(^|[-_. ])((?:vios|` + systemWords + `)[-_.]?v?\d{1,2}(?:\.\d{1,4}){1,2}[a-z]{0,2})([-_ ]|\.[^\d]|$)`)
	// plainLevel is one whose numbers are apart from the word as the words of the name are from each other.
	plainLevel = parse.Lazy(`(?i)(^|_)((?:` + systemWords + `)(?:_\d{1,2}){1,3})(_|\.[^\d]|$)`)
	// systemName is the word for a system in a file's name.
	systemName   = parse.Lazy(`(?i)(?:^|[-_. ])(vios|` + systemWords + `)(?:[-_. ]|\d[.\d]*(?:[-_ ]|$)|$)`)
	distribution = parse.Lazy(`^(?:rhel|red.?hat|centos|fedora|rocky|alma|ubuntu|debian|sles|(?:open)?suse)`)
	// optionName is an option of a command line that a file is named after: nstat_-zas.
	optionName = parse.Lazy(`[_ ]-{1,2}[A-Za-z][A-Za-z-]*`)
	// numberedName is a file's whole name that is a host's with a number behind it: fra-erp-01.
	numberedName = parse.Lazy(`^[A-Za-z]+(?:-[A-Za-z]+)*-\d{1,3}$`)
	// counted is the name of a host with a number behind its words, in a file's name: ber-mq-2, web-07.
	counted = parse.Lazy(`(?:^|[_. ])([A-Za-z]{2,}(?:-[A-Za-z]{2,})+-\d{1,3}|[A-Za-z]+-0\d)(?:[-_ ]|\.[^\d]|$)`)
	number  = parse.Lazy(`^[0-9]+(?:[tT][0-9][0-9:.]*)?[zZ]?$|^[0-9]+[hH][0-9]*$`)
	dated   = parse.Lazy(`(?:^|[^0-9])(20\d{2})[-_.]?([01]\d)[-_.]?([0-3]\d)` +
		`(?:[-_.T ]?([0-2]\d)[-_.:hH]?([0-5]\d)(?:[-_.:]?([0-5]\d))?)?(?:[^0-9]|$)`)
	hostish = parse.Lazy(`^[A-Za-z][\w.-]*[0-9][\w.-]*$|^[A-Za-z][\w-]*(?:\.[\w-]+)+$`)
)

// attributeName is an attribute in a file's name, with the letters before and behind it:
// lpar1_no_L_use_isno.txt.
var attributeName = sync.OnceValue(func() *regexp.Regexp {
	cat, err := knowledge.Load()
	if err != nil { // built in
		panic(err)
	}
	var names []string
	for _, a := range cat.Attributes("") {
		if strings.Contains(a.Name, "_") {
			names = append(names, regexp.QuoteMeta(a.Name))
		}
	}
	return regexp.MustCompile(`(?i)(^|[^a-z0-9])(?:` + strings.Join(names, "|") + `)($|[^a-z0-9])`)
})

// loginName is a file's whole name that is a login: root@db5, as pssh -o names its files.
var loginName = parse.Lazy(`^[a-z_][\w-]*@([A-Za-z][\w.-]*)$`)

// loneName is the name that a file has which was given alone, and of which no text says whose it is: a host's where what is left
// of it without the words for what is in it may be one, else the whole name. Words apart from each other are no name, and neither
// is a short word behind a command's name, which may be an option: vmstat-awt.txt.
func loneName(name string) string {
	whole := cmp.Or(ending.ReplaceAllString(path.Base(name), ""), path.Base(name))
	own := stem(name)
	before, _, found := strings.Cut(whole, own)
	if own == "" || !found {
		return whole
	}
	if bearsHost(name) {
		return own
	}
	if len(own) <= longestOption && detect.NamesProgram(strings.ReplaceAll(before, "_", " ")) && !strings.HasSuffix(before, ".") {
		return whole
	}
	return own
}

// longestOption is how many letters options of a command have that stand in one word, in most names of files.
const longestOption = 3

// tree is what every host has, in the path of a copy of it.
var tree = parse.Lazy(`(?:^|/)(?:proc/(?:\d+/)?(?:net|sys|irq|ppc64|powerpc)/|sys/(?:class|devices|module|bus|kernel)/|` +
	`proc/(?:interrupts|softirqs|stat|cpuinfo|meminfo|vmstat|version|cmdline|modules|uptime|loadavg|devices)(?:\.txt)?$|` +
	`etc/(?:sysconfig|sysctl\.d|network|netplan|NetworkManager|systemd|modprobe\.d|udev)/)`)

// inTree reports whether a file is a copy out of a tree that every host has: proc/net/snmp.
func inTree(name string) bool { return tree.MatchString(name) }

// aboveTree is the folder in which a tree of the kernel's or of settings lies; the file's own folder if it lies in none.
func aboveTree(file string) string {
	at := tree.Regexp().FindStringIndex(file)
	if at == nil {
		return path.Dir(file)
	}
	return path.Clean(file[:at[0]])
}

// bearsHost reports whether a file's name is that of a host by its form: it has a digit or a domain, or is a login.
func bearsHost(name string) bool {
	return hostish.MatchString(stem(name)) || loginName.MatchString(ending.ReplaceAllString(path.Base(name), ""))
}

// stem is a file's name without the words that say what is in it and when it
// was taken: vios1 of vios1_entstat_ent32_20261101.txt, vios1.ent32.txt and
// entstat_ent5.vios1. The files of a tree that every host has are named after none.
func stem(name string) string {
	if inTree(name) {
		return ""
	}
	base := managedSystem.ReplaceAllString(ending.ReplaceAllString(path.Base(name), ""), "$1")
	base = optionName.ReplaceAllString(base, "")
	base = attributeName().ReplaceAllString(base, "$1$2")
	if m := loginName.FindStringSubmatch(base); m != nil {
		return m[1]
	}
	base, level := withoutLevel(base)
	if base == path.Base(name) && numberedName.MatchString(base) && !slices.ContainsFunc(strings.Split(base, "-")[:1], isTopic) {
		return base
	}
	if host := numberedIn(base); host != "" {
		return host
	}
	var b strings.Builder
	end := -1 // of what was kept last
	keep := func(from, to int) {
		if end >= 0 && base[end] != '.' && !nameWord.MatchString(base[end:from]) {
			b.WriteString(base[end:from]) // vios-left
		} else if end >= 0 {
			b.WriteByte('-')
		}
		b.WriteString(base[from:to])
		end = to
	}
	for _, m := range nameWord.Regexp().FindAllStringIndex(base, -1) {
		parts := strings.Split(base[m[0]:m[1]], ".")
		if !slices.ContainsFunc(parts, isTopic) { // lpar1.example.com
			keep(m[0], m[1])
			continue
		}
		from := m[0]
		for _, p := range parts {
			if !isTopic(p) {
				keep(from, from+len(p))
			}
			from += len(p) + 1
		}
	}
	return cmp.Or(b.String(), level)
}

// withoutLevel takes a system with its level out of a file's name: it stands for the host only where nothing else is left.
func withoutLevel(base string) (rest, level string) {
	for _, form := range []*parse.Pattern{systemLevel, plainLevel} {
		m := form.Regexp().FindStringSubmatchIndex(base)
		if m == nil {
			continue
		}
		return base[:m[4]] + base[m[5]:], base[m[4]:m[5]]
	}
	return base, ""
}

// systemIn is the system after which a file is named, if there is one only, and its level if that stands there as well.
// Linux and its distributions are one, and so are AIX and a VIOS.
func systemIn(name string) (system, level string) {
	base := ending.ReplaceAllString(path.Base(name), "")
	for _, m := range systemName.Regexp().FindAllStringSubmatch(base, -1) {
		its := strings.ToLower(m[1])
		switch {
		case its == "vios":
			its = "aix"
		case distribution.MatchString(its):
			its = "linux"
		}
		if system != "" && system != its {
			return "", ""
		}
		system = its
	}
	if system != "" {
		_, level = withoutLevel(base)
	}
	return system, strings.ToLower(level)
}

// numberedIn is the only name of a host with a number behind its words in a file's name: web-07 of web-07_ethtool.txt. Empty if there is
// none.
func numberedIn(base string) (host string) {
	for _, m := range counted.Regexp().FindAllStringSubmatch(base, -1) {
		if slices.ContainsFunc(strings.Split(m[1], "-"), describesWord) || isTopic(strings.ReplaceAll(m[1], "-", "")) {
			continue
		}
		if host != "" && host != m[1] {
			return ""
		}
		host = m[1]
	}
	return host
}

// isTopic reports whether a word of a file's name says what is in it, or is one of the command that printed it.
func isTopic(w string) bool { return describes(w) || commandWords()[strings.ToLower(w)] }

// describes reports whether a word of a file's name says what is in it, and not
// whose it is.
func describes(w string) bool {
	low := strings.ToLower(w)
	return w == "" || number.MatchString(w) || deviceWord.MatchString(low) || topicWord.MatchString(low) ||
		linuxDevice.MatchString(low) || detect.IsProgram(low) ||
		len(w) <= 2 && strings.Trim(w, "adilmnopqrsvxELDRHFC") == ""
}

// describesWord reports whether a word that is no number says what is in a file.
func describesWord(w string) bool { return len(w) > 2 && !number.MatchString(w) && isTopic(w) }

// commandWords are the words of the command lines whose outputs are known: proc, net and softnet of
// cat /proc/net/softnet_stat.
var commandWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{"level": true}
	for _, e := range registry.Entries() {
		command, _, _ := strings.Cut(e.Command, "(")
		if first, _, _ := strings.Cut(command, " "); !detect.IsProgram(first) && first != "cat" {
			continue // a name for what no command prints
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(command), func(c rune) bool { return c < 'a' || c > 'z' }) {
			words[w] = true
		}
		words[strings.ToLower(path.Base(command))] = true // snmp6
	}
	return words
})

// dateBehind is a date, or a date and a time, at the end of a folder's name: web-07_20261120, db4-2026-11-20_1012.
var dateBehind = parse.Lazy(`[-_. ]20\d{2}[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_.T ]?[0-2]\d[-_.:hH]?[0-5]\d(?:[-_.:]?[0-5]\d)?)?$`)

// undated is a folder's name without the date at its end.
func undated(name string) string { return dateBehind.ReplaceAllString(name, "") }

// nameTime is the time in a file's name; zero if there is none.
func nameTime(name string) time.Time {
	m := dated.FindStringSubmatch(path.Base(name))
	if m == nil {
		return time.Time{}
	}
	digits := m[1] + m[2] + m[3] + (m[4] + m[5] + m[6] + "000000")[:6]
	t, err := time.Parse("20060102150405", digits)
	if err != nil {
		return time.Time{}
	}
	return t
}

// byFileName gives the outputs of a folder in which no text names a host those
// names that the files have. Words that are no host's are many: so a name is
// believed where it has a digit or a domain, where several files share it, or
// where one device was read twice, which no single host's folder has.
func byFileName(parts []*part) (of map[*part]string, from string) {
	stems, files := map[string]map[*file]bool{}, map[*file]bool{}
	sure, from := mixed(parts), "file name"
	if sure {
		from = "file name, as the folder holds several hosts and none is named"
	}
	for _, p := range parts {
		files[p.file] = true
		if k := key(stem(p.file.path)); stems[k] == nil {
			stems[k] = map[*file]bool{p.file: true}
		} else {
			stems[k][p.file] = true
		}
	}
	delete(stems, "")
	of = map[*part]string{}
	for _, p := range parts {
		s := stem(p.file.path)
		if sure || bearsHost(p.file.path) || len(stems[key(s)]) > 1 && (len(stems) > 1 || len(stems[key(s)]) == len(files)) {
			of[p] = s
		}
	}
	return of, from
}

// mixed reports whether one device was read twice, differently, in two files.
func mixed(parts []*part) bool {
	seen := map[string]*part{}
	for _, p := range parts {
		id := slot(p)
		q := seen[id]
		if q != nil && q.file != p.file && q.digest != p.digest && p.when.Equal(q.when) && parallel(p.file, q.file) {
			return true
		}
		seen[id] = p
	}
	return false
}

// parallel reports whether the names of two files differ in nothing but what may be their hosts': east_lsattr_en0.txt
// and west_lsattr_en0.txt. Of ip_addr.txt and log.txt neither names one.
func parallel(f, g *file) bool {
	return stem(f.path) != "" && stem(g.path) != "" && key(stem(f.path)) != key(stem(g.path)) && slices.Equal(topics(f), topics(g))
}

// topics are the words of a file's name that say what is in it.
func topics(f *file) []string {
	words := nameWord.Regexp().FindAllString(strings.ReplaceAll(ending.ReplaceAllString(path.Base(f.path), ""), ".", " "), -1)
	words = slices.DeleteFunc(words, func(w string) bool { return !describes(w) || number.MatchString(w) })
	slices.Sort(words)
	return words
}
