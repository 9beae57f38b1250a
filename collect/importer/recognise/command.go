package recognise

import (
	"path"
	"slices"
	"strings"

	"seaworthy/dialect"
)

// Call is a command line taken apart.
type Call struct {
	Kind      string // as in Found; empty if the command is not known
	ID        string
	Element   string
	Attribute string
	Program   string // the bare name of the program
	Host      string // where the line has it run: ssh, viosvrcmd
}

// device is a name that the commands take: entN, enN, a netdev, sys0.
var device = dialect.Lazy(`^[A-Za-z][A-Za-z_]*[0-9][A-Za-z0-9_.-]{0,20}$`)

// ParseCommand takes apart what stands after a prompt or in a heading. Only
// the form is looked at; the line is never run.
func ParseCommand(line string) Call {
	whole := line
	line, _, _ = strings.Cut(line, "|")
	line, _, _ = strings.Cut(line, ";")
	line, _, _ = strings.Cut(line, ">")
	var words []string
	for _, w := range strings.Fields(line) {
		if len(words) == 0 && (strings.Contains(w, "=") || w == "sudo" || w == "ioscli" || path.Base(w) == "ioscli" || w == "time") {
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
	var host string
	if base := path.Base(words[0]); carriers[base] || base == "echo" && strings.Contains(whole, "oem_setup_env") {
		words, host = carried(words)
	}
	c := Call{Program: path.Base(words[0]), Host: host}
	if of, ok := programs[c.Program]; ok {
		of(&c, words[1:])
	}
	return c
}

// carriers are programs that run another one, here or on other hosts.
var carriers = map[string]bool{
	"ssh": true, "rsh": true, "dsh": true, "pdsh": true, "clush": true, "clcmd": true, "viosvrcmd": true, "ansible": true,
	"su": true, "sh": true, "ksh": true, "bash": true, "env": true, "nohup": true, "nice": true, "timeout": true, "script": true,
	"sudo": true, "padmin": true, "xargs": true,
}

// carried is the command line that another one runs, and the one host that it
// runs on, where it says so. Without a known program it stays as it is.
func carried(words []string) (inner []string, host string) {
	carrier := path.Base(words[0])
	for i := 1; i < len(words); i++ {
		if _, ok := programs[path.Base(words[i])]; ok {
			inner = words[i:]
			if path.Base(words[i]) == "ioscli" && i+1 < len(words) {
				inner = words[i+1:]
			}
			break
		}
		switch before := words[i-1]; {
		case carrier == "viosvrcmd" && before == "-p":
			host = words[i]
		case (carrier == "ssh" || carrier == "rsh") && host == "" && words[i][0:min(1, len(words[i]))] != "-" && !(len(before) == 2 && before[0] == '-' && strings.Contains("iploFJcmbLRDSWwEeBI", before[1:])):
			host = words[i][strings.LastIndexByte(words[i], '@')+1:]
		}
	}
	if inner == nil {
		return words, ""
	}
	if !hostShape.MatchString(host) {
		host = ""
	}
	return inner, host
}

// IsDevice says that a word has the form of a device that outputs are about.
func IsDevice(word string) bool { return deviceName.MatchString(word) }

var deviceName = dialect.Lazy(`^(?:ent?|et|lo|l|eth|bond|ib|ibm|sea|vnicserver|vhost|vfchost|vsa|fcs|fscsi|hdisk|sys|inet|proc|cpu|mem|pci|pcie|vio|hba|sas|sissas|usbhc|lai|roce|hea|lhea|lphea|vlan|tok|fddi|tty|vty|pkcs11|rootvg|step|test|section|part|check|chapter|interface|adapter|ipv|tcp|udp|icmp|queue|port|slot)[-_]?\d*(?:\.\d+)?$`)

// NamesProgram says, at little cost, that a line holds the name of a program
// whose output is known.
func NamesProgram(line string) bool {
	for i := 0; i < len(line); {
		j := i
		for j < len(line) && (line[j] >= 'a' && line[j] <= 'z' || line[j] >= '0' && line[j] <= '9') {
			j++
		}
		if j > i {
			if _, ok := programs[line[i:j]]; ok {
				return true
			}
		}
		i = max(j, i+1)
	}
	return false
}

// flags are the letters of all one-letter options, and the words that are none.
func flags(args []string) (letters string, words []string) {
	for _, a := range args {
		if len(a) > 1 && a[0] == '-' {
			letters += a[1:]
		} else {
			words = append(words, a)
		}
	}
	return letters, words
}

func lastDevice(words []string) string {
	for i := len(words) - 1; i >= 0; i-- {
		if device.MatchString(words[i]) {
			return words[i]
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
		case at > 0 && at == len(a)-1 && i+1 < len(args):
			return args[i+1]
		case at > 0 && at < len(a)-1 && device.MatchString(a[at+1:]):
			return a[at+1:]
		}
	}
	return ""
}

func is(kind, id string) func(*Call, []string) {
	return func(c *Call, _ []string) { c.Kind, c.ID = kind, id }
}

func (c *Call) set(kind, id string) { c.Kind, c.ID = kind, id }

// programs take apart the arguments of each known program.
var programs = map[string]func(*Call, []string){
	"entstat": func(c *Call, args []string) {
		letters, words := flags(args)
		c.Element = lastDevice(words)
		c.set("entstat -d", "entstat-d")
		if strings.Contains(letters, "all") {
			c.set("entstat -all", "entstat-all")
		}
	},
	"netstat": netstat,
	"lsattr": func(c *Call, args []string) {
		letters, words := flags(args)
		c.Element = after(args, 'l')
		if c.Element == "" {
			c.Element = lastDevice(words)
		}
		switch {
		case strings.Contains(letters, "R"):
			c.set("lsattr -Rl", "lsattr-Rl")
			c.Attribute = after(args, 'a')
		case strings.Contains(letters, "D"):
			c.set("lsattr -Dl", "lsattr-Dl")
		default:
			c.set("lsattr -El", "lsattr-El")
		}
	},
	"lsdev": func(c *Call, args []string) {
		line := " " + strings.Join(args, " ") + " "
		switch {
		case strings.Contains(line, " -dev ") && strings.Contains(line, "-attr"):
			c.set("lsdev -dev", "lsdev-dev-attr")
			_, rest, _ := strings.Cut(line, " -dev ")
			if w := strings.Fields(rest); len(w) > 0 {
				c.Element = w[0]
			}
		case strings.Contains(line, " -slots "):
			c.set("lsdev -slots", "lsdev-slots")
		case strings.Contains(line, "c if ") || strings.Contains(line, "cif "):
			c.set("lsdev -Cc if", "lsdev-Cc-if")
		case strings.Contains(line, "-C"):
			c.set("lsdev -Cc adapter", "lsdev-Cc-adapter")
		default:
			c.set("lsdev", "lsdev")
		}
	},
	"ifconfig": func(c *Call, args []string) { c.set("ifconfig -a", "ifconfig-a") },
	"no": func(c *Call, args []string) {
		c.set("no -a", "no-a")
		switch letters, _ := flags(args); {
		case strings.Contains(letters, "L"):
			c.set("no -L", "no-L")
		case strings.Contains(letters, "o"):
			c.set("no -o", "no-o")
		}
	},
	"lsmap": func(c *Call, args []string) {
		c.set("lsmap", "lsmap")
		if strings.Contains(strings.Join(args, " "), "-net") {
			c.set("lsmap -all -net", "lsmap-all-net")
		}
	},
	"lparstat": func(c *Call, args []string) {
		switch letters, _ := flags(args); {
		case strings.Contains(letters, "i"):
			c.set("lparstat -i", "lparstat-i")
		case strings.Contains(letters, "H"):
			c.set("lparstat -H", "lparstat-H")
		default:
			c.set("lparstat", "lparstat")
		}
	},
	"seastat": func(c *Call, args []string) {
		c.set("seastat -d", "seastat")
		c.Element = lastDevice(args)
	},
	"vnicstat": func(c *Call, args []string) {
		c.set("vnicstat", "vnicstat")
		c.Element = lastDevice(args)
	},
	"uname": func(c *Call, args []string) {
		c.set("uname -a", "uname-a")
		if letters, _ := flags(args); letters != "" && !strings.Contains(letters, "a") {
			c.set("uname -"+letters, "uname-"+letters)
		}
	},
	"ip": func(c *Call, args []string) {
		line := " " + strings.Join(args, " ") + " "
		switch {
		case strings.Contains(line, " r"):
			c.set("ip route", "ip-route")
		case strings.Contains(line, " a"):
			c.set("ip addr", "ip-addr")
		default:
			c.set("ip link", "ip-link")
		}
	},
	"ethtool": func(c *Call, args []string) {
		letters, words := flags(args)
		c.Element = lastDevice(words)
		c.set("ethtool", "ethtool")
		if letters != "" {
			c.set("ethtool -"+letters[:1], "ethtool-"+letters[:1])
		}
	},
	"errpt": is("errpt", "errpt"), "oslevel": oslevelCall, "ioslevel": is("ioslevel", "ioslevel"),
	"prtconf": is("prtconf", "prtconf"), "lsconf": is("prtconf", "prtconf"), "lscfg": is("lscfg", "lscfg"),
	"lshwres": is("lshwres", "hmc-lshwres"), "lssyscfg": is("lssyscfg", "hmc-lssyscfg"), "lshmc": is("lshmc", "hmc-lshmc"),
	"sysctl": is("sysctl", "sysctl"), "hostname": is("hostname", "hostname"), "mpstat": is("mpstat", "mpstat"),
	"vmstat": is("vmstat", "vmstat"), "lssrad": is("lssrad", "lssrad"), "lsmcode": is("lsmcode", "lsmcode"), "fcstat": is("fcstat", "fcstat"),
	"instfix": is("instfix -ik", "instfix-ik"),
	"rules": func(c *Call, args []string) {
		if slices.Contains(args, "diff") {
			c.set("rules -o diff", "rules-diff")
		}
	},
	"arp": is("arp -an", "arp-an"),
	"vmo": is("vmo", "vmo"), "ioo": is("ioo", "ioo"), "schedo": is("schedo", "schedo"),
}

// oslevelCall: the forms print levels that are more or less exact.
func oslevelCall(c *Call, args []string) {
	switch letters, _ := flags(args); {
	case strings.Contains(letters, "q"):
		c.set("oslevel -q", "oslevel-q")
	case strings.Contains(letters, "s"):
		c.set("oslevel -s", "oslevel-s")
	case strings.Contains(letters, "r"):
		c.set("oslevel -r", "oslevel-r")
	default:
		c.set("oslevel", "oslevel")
	}
}

func netstat(c *Call, args []string) {
	if line := strings.Join(args, " "); strings.Contains(line, "-state") || strings.Contains(line, "-routtable") {
		if c.set("netstat -in", "netstat-in"); strings.Contains(line, "-routtable") {
			c.set("netstat -rn", "netstat-rn")
		}
		return
	}
	letters, words := flags(args)
	switch {
	case strings.ContainsAny(letters, "v"):
		c.set("netstat -v", "netstat-v")
		c.Element = lastDevice(words)
	case strings.Contains(letters, "m"):
		c.set("netstat -m", "netstat-m")
	case strings.Contains(letters, "r"):
		c.set("netstat -rn", "netstat-rn")
	case strings.ContainsAny(letters, "sp"):
		c.set("netstat -s", "netstat-s")
	case strings.ContainsAny(letters, "i"):
		c.set("netstat -in", "netstat-in")
	}
}

// nameWords cut a file's name where people put a mark between words.
var nameWords = dialect.Lazy(`[-_. ,+@~()\[\]]+`)

// fromName reads a file's name as if it were a command line without blanks:
// lsattr-El.en0.txt, host1_entstat_d_ent3.out. It is a hint and no more.
func fromName(name string) Call {
	base := path.Base(name)
	var c Call
	words := nameWords.Regexp().Split(base, -1)
	for i, w := range words {
		if _, ok := programs[w]; ok && c.ID == "" && len(w) > 1 {
			var args []string
			for _, x := range words[i+1:] {
				if device.MatchString(x) {
					args = append(args, x)
				} else if len(x) > 0 && len(x) < 12 {
					args = append(args, "-"+x)
				}
			}
			c = ParseCommand(w + " " + strings.Join(args, " "))
		}
	}
	if c.Element == "" {
		for i := len(words) - 1; i >= 0; i-- {
			if adapterName.MatchString(words[i]) {
				c.Element = words[i]
				break
			}
		}
	}
	if m := choiceName.FindStringSubmatch(base); m != nil && c.Program == "lsattr" {
		c.set("lsattr -Rl", "lsattr-Rl")
		c.Element, c.Attribute = m[1], m[2]
	}
	if l0.MatchString(base) && c.Element == "" {
		c.Element = "lo0"
	}
	return c
}

var (
	adapterName = dialect.Lazy(`^(?:ent|en|et|lo|eth|bond|ib)[0-9]{1,5}$`)
	// lsattr-Rl.ent0.max_buf_small.txt, lsattr_R_ent0_buf_mode
	choiceName = dialect.Lazy(`lsattr[-_. ]*E?Rl?[-_. ]+((?:ent?|et)[0-9]{1,5})[-_. ]+(?:a[-_. ]+)?([a-z][a-z0-9_]{2,40}?)(?:\.[a-z]{1,5})?$`)
	l0         = dialect.Lazy(`(?:^|[-_.])l0(?:[-_.]|$)`)
)
