package detect

import (
	"path"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// Call is a command line taken apart.
type Call struct {
	ID        string // of the registry's entry; empty if the command is not known
	Element   string
	Attribute string
	Program   string // the bare name of the program
	Host      string // where the line has it run: ssh, viosvrcmd
	Namespace string // the network namespace in which the line has it run
	File      string // that a program such as cat prints
	Elsewhere bool   // the line has it run on another host, or several
}

// device is a name that the commands take: entN, enN, a netdev, sys0.
var device = parse.Lazy(`^[A-Za-z][A-Za-z_]*[0-9][A-Za-z0-9_.-]{0,20}$`)

// ParseCommand takes apart what follows a prompt or is in a heading. Only
// the form is looked at; the line is never run.
func ParseCommand(line string) Call {
	whole := line
	if at := strings.IndexAny(line, "|;>"); at >= 0 {
		line = line[:at]
	}
	var words []string
	for w := range strings.FieldsSeq(line) {
		if len(words) == 0 && (strings.Contains(w, "=") || w == "sudo" || w == "time" || path.Base(w) == "ioscli") {
			continue
		}
		words = append(words, strings.Trim(w, `'"`))
		if len(words) > 64 {
			break
		}
	}
	if len(words) == 0 {
		return Call{}
	}
	words, namespace := inNamespace(words)
	if len(words) == 0 {
		return Call{Namespace: namespace}
	}
	c := Call{Namespace: namespace}
	base := path.Base(words[0])
	if carries(base) || base == "echo" && strings.Contains(whole, "oem_setup_env") {
		words, c.Host, c.Elsewhere = carried(words)
	}
	c.Program = path.Base(words[0])
	line = " " + strings.Join(words[1:], " ") + " "
	for _, e := range programs()[c.Program] {
		if e.Args == nil || e.Args.MatchString(line) {
			c.ID = e.ID
			c.Element, c.Attribute = operands(e, words[1:])
			break
		}
	}
	if readers[c.Program] {
		c.ID, c.Element = fileRead(words[1:])
		c.File = onlyFile(words[1:])
	}
	return c
}

// inNamespace takes off the words that have the rest run in a network namespace of Linux: ip netns exec NAME, ip -n NAME.
func inNamespace(words []string) (rest []string, namespace string) {
	if path.Base(words[0]) != "ip" {
		return words, ""
	}
	if len(words) > 3 && words[1] == "netns" && words[2] == "exec" {
		return words[4:], words[3]
	}
	if len(words) > 3 && (words[1] == "-n" || words[1] == "-netns") {
		return slices.Concat(words[:1], words[3:]), words[2]
	}
	return words, ""
}

// readers are programs that print a file.
var readers = map[string]bool{"cat": true, "grep": true, "egrep": true, "head": true, "tail": true, "more": true, "less": true}

// fileRead is the entry of a file among the operands, and the device that it is
// named after: /proc/net/bonding/bond0.
func fileRead(operands []string) (id, element string) {
	for _, o := range operands {
		if e := filesRead()[o]; e != nil {
			return e.ID, ""
		}
		if e := filesRead()[path.Dir(o)]; e != nil && e.Device {
			return e.ID, path.Base(o)
		}
		if m := netFile.FindStringSubmatch(o); m != nil {
			return "sys-class-net", m[1]
		}
	}
	return "", ""
}

// netFile is a file of the kernel with a value of a network device.
var netFile = parse.Lazy(`^/sys/class/net/([^/*?\s]+)/[^*?\s]+$`)

// onlyFile is the one file among the operands of a program that prints files, behind options and their numbers; empty if
// there are several, or another operand.
func onlyFile(operands []string) (file string) {
	for i, o := range operands {
		switch {
		case strings.HasPrefix(o, "-"), optionNumber.MatchString(o) && i > 0 && operands[i-1] == "-n":
		case file != "":
			return ""
		default:
			file = o
		}
	}
	return file
}

var optionNumber = parse.Lazy(`^\d+$`)

// filesRead are the entries whose command prints a file, by the file.
var filesRead = sync.OnceValue(func() map[string]*registry.Entry {
	m := map[string]*registry.Entry{}
	for _, e := range registry.Entries() {
		if file, ok := strings.CutPrefix(e.Command, "cat "); ok {
			m[file] = e
		}
	}
	return m
})

// IsProgram reports whether a word is the name of a program whose output is known.
func IsProgram(word string) bool { return len(programs()[word]) > 0 }

// Other is the program of a command line that is none of those whose output is
// known; empty if the line does not begin with a program's name.
func Other(line string) string {
	c := ParseCommand(line)
	if c.ID != "" || IsProgram(c.Program) || carries(c.Program) || IsDevice(c.Program) || !programName.MatchString(c.Program) {
		return ""
	}
	return c.Program
}

var programName = parse.Lazy(`^[a-z][a-z0-9_.+-]{0,40}$`)

// operands are the device and the attribute in a command line.
func operands(e *registry.Entry, args []string) (element, attribute string) {
	if !e.Device && e.ID != "netstat-v" {
		return "", ""
	}
	var names []string
	for _, a := range args {
		if len(a) == 0 || a[0] != '-' {
			names = append(names, a)
		}
	}
	element = after(args, 'l')
	if element == "" || e.Family == registry.Linux {
		element = lastDevice(names)
	}
	if e.ID == "lsattr-Rl" {
		attribute = after(args, 'a')
	}
	if dev := slices.Index(args, "-dev"); dev >= 0 && dev+1 < len(args) {
		element = args[dev+1]
	}
	return element, attribute
}

// programs are the entries of each program, by its name.
var programs = sync.OnceValue(func() map[string][]*registry.Entry {
	m := map[string][]*registry.Entry{}
	for _, e := range registry.Entries() {
		for _, p := range e.Programs {
			m[p] = append(m[p], e)
		}
	}
	return m
})

// carriers are programs that run another one, here or on other hosts.
var carriers = map[string]carrier{
	"ssh": {host: firstOperand}, "rsh": {host: firstOperand}, "plink": {host: firstOperand}, "salt": {host: firstWord},
	"salt-ssh": {host: firstWord}, "ansible": {host: inHeadings},
	"viosvrcmd": {host: "-p"}, "dsh": {host: "-n"}, "pdsh": {host: "-w"}, "clush": {host: "-w"}, "pssh": {host: "-H"},
	"parallel-ssh": {host: "-H"}, "parallel": {host: inHeadings}, "knife": {host: inHeadings}, "bolt": {host: inHeadings},
	"mco": {host: inHeadings}, "psh": {host: firstWord}, "xdsh": {host: firstWord}, "remsh": {host: firstOperand},
	"mussh": {host: "-h"}, "fab": {host: "-H"},
	"clcmd": {host: "-m"}, "oc": {host: verbOperand}, "kubectl": {host: verbOperand},
	"docker": {host: verbOperand}, "podman": {host: verbOperand}, "nerdctl": {host: verbOperand}, "crictl": {host: verbOperand},
	"lxc": {host: verbOperand},
	"su":  {}, "sh": {}, "ksh": {}, "bash": {}, "env": {}, "nohup": {}, "nice": {}, "timeout": {}, "script": {}, "sudo": {}, "padmin": {},
	"xargs": {},
}

// carrier is how a program names the host on which another one runs: in an option, as its first operand or word, or as the one behind a
// verb (kubectl debug node/worker1); empty: on its own.
type carrier struct{ host string }

const (
	firstOperand = "first operand"
	firstWord    = "first word" // behind an option, it is a list, a group or a pattern
	verbOperand  = "operand behind a verb"
	inHeadings   = "headings of its output" // the operand is a group
)

// carries reports whether a program runs another one.
func carries(program string) bool {
	_, known := carriers[program]
	return known
}

// wordOption is an option of ssh or plink, podOption one of oc, kubectl and the programs of containers, that takes a word.
var (
	wordOption = parse.Lazy(`^-(?:[iploFJcmbLRDSWwEeBIPH]|pw|hostkey)$`)
	podOption  = parse.Lazy(`^(?:-[ncuew]|--namespace|--container|--context|--kubeconfig|--image|--user|--env|--workdir)$`)
	podVerb    = map[string]bool{"exec": true, "debug": true}
)

// names reports whether the word behind another one is the host on which the program runs a command.
func (c carrier) names(word, before string) bool {
	switch c.host {
	case firstOperand:
		return !strings.HasPrefix(word, "-") && !wordOption.MatchString(before)
	case firstWord:
		return !strings.HasPrefix(word, "-") && carries(path.Base(before))
	case verbOperand:
		return !strings.HasPrefix(word, "-") && !podOption.MatchString(before) && !podVerb[word]
	}
	return c.host != "" && before == c.host
}

// carried is the command line that another one runs, whether on other hosts, and the one host that it
// runs on, where it says so. Without a known program it stays as it is.
func carried(words []string) (inner []string, host string, elsewhere bool) {
	c := carriers[path.Base(words[0])]
	if c.host == verbOperand && !slices.ContainsFunc(words, func(w string) bool { return podVerb[w] }) { // docker run
		c.host = ""
	}
	for i := 1; i < len(words); i++ {
		if words[i-1] == "chroot" { // its folder: /host
			continue
		}
		if base := path.Base(words[i]); IsProgram(base) || readers[base] && i+1 < len(words) && strings.HasPrefix(words[i+1], "/") {
			if !hostShape.MatchString(host) {
				host = ""
			}
			return words[i:], host, c.host != ""
		}
		if host == "" && c.names(words[i], words[i-1]) {
			host = words[i][strings.LastIndexAny(words[i], "@/")+1:] // root@lpar1, node/worker1
		}
	}
	return words, "", false
}

// IsDevice reports whether a word has the form of a device that outputs are about.
func IsDevice(word string) bool { return deviceName.MatchString(word) }

var deviceName = parse.Lazy(`^(?:ent?|et|lo|l|eth|bond|ib|ibm|sea|vnicserver|vhost|vfchost|vsa|fcs|fscsi|hdisk|sys|inet|proc|cpu|` +
	`mem|pci|pcie|vio|hba|sas|sissas|usbhc|lai|roce|hea|lhea|lphea|vlan|tok|fddi|tty|vty|pkcs11|rootvg|step|test|section|part|check|` +
	`chapter|interface|adapter|sysplanar|vtscsi|vtopt|vscsi|vtd|scsi|sisscsia|rmt|ses|pdisk|hdiskpower|iscsi|fcnet|nvme|sisioa|ide|` +
	`lvdd|fslv|loglv|cdrom|mpath|dm|ipv|tcp|udp|icmp|queue|port|slot)[-_]?\d*(?:\.\d+)?$`)

// NamesProgram says, at little cost, that a line holds the name of a program
// whose output is known.
func NamesProgram(line string) bool {
	outside := func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }
	for w := range strings.FieldsFuncSeq(line, outside) {
		if IsProgram(w) || readers[w] {
			return true
		}
	}
	if !strings.Contains(line, "-") {
		return false
	}
	for w := range strings.FieldsFuncSeq(line, func(c rune) bool { return outside(c) && c != '-' }) { // ovs-vsctl
		if IsProgram(strings.Trim(w, "-")) {
			return true
		}
	}
	return false
}

func lastDevice(words []string) string {
	for _, w := range slices.Backward(words) {
		if device.MatchString(w) {
			return w
		}
	}
	return ""
}

// after is the word behind an option, also one joined to it: -l ent0, -lent0.
func after(args []string, option byte) string {
	for i, a := range args {
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		at := strings.IndexByte(a, option)
		switch {
		case at > 0 && at == len(a)-1 && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			return args[i+1]
		case at > 0 && at < len(a)-1 && device.MatchString(a[at+1:]):
			return a[at+1:]
		}
	}
	return ""
}
