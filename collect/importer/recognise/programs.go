package recognise

import (
	"slices"
	"strings"
)

func is(kind, id string) func(*Call, []string) {
	return func(c *Call, _ []string) { c.Kind, c.ID = kind, id }
}

// byFlag tells the forms of a program by one letter each, the first that is
// there; without any of them it is the program's bare name.
func byFlag(program string, letters ...string) func(*Call, []string) {
	return func(c *Call, args []string) {
		c.set(program, program)
		given, _ := flags(args)
		for _, l := range letters {
			if strings.Contains(given, l) {
				c.set(program+" -"+l, program+"-"+l)
				return
			}
		}
	}
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
	"oslevel": byFlag("oslevel", "q", "s", "r"), // levels more or less exact
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
		if byFlag("no", "L", "o")(c, args); c.ID == "no" {
			c.set("no -a", "no-a")
		}
	},
	"lsmap": func(c *Call, args []string) {
		c.set("lsmap", "lsmap")
		if strings.Contains(strings.Join(args, " "), "-net") {
			c.set("lsmap -all -net", "lsmap-all-net")
		}
	},
	"lparstat": byFlag("lparstat", "i", "H"),
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
	"errpt": is("errpt", "errpt"), "ioslevel": is("ioslevel", "ioslevel"),
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

func netstat(c *Call, args []string) {
	if line := strings.Join(args, " "); strings.Contains(line, "-state") || strings.Contains(line, "-routtable") {
		if c.set("netstat -in", "netstat-in"); strings.Contains(line, "-routtable") {
			c.set("netstat -rn", "netstat-rn")
		}
		return
	}
	letters, words := flags(args)
	for _, form := range netstatForms {
		if strings.ContainsAny(letters, form.any) {
			c.set(form.kind, form.id)
			break
		}
	}
	if c.ID == "netstat-v" {
		c.Element = lastDevice(words)
	}
}

// netstatForms are told by any of some letters, the first that fits.
var netstatForms = []struct{ any, kind, id string }{
	{"v", "netstat -v", "netstat-v"}, {"m", "netstat -m", "netstat-m"}, {"r", "netstat -rn", "netstat-rn"},
	{"sp", "netstat -s", "netstat-s"}, {"i", "netstat -in", "netstat-in"},
}
