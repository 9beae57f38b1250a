package registry

import (
	"bytes"
	"slices"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/aix/errpt"
	"seaworthy/dialect/aix/ifconfig"
	"seaworthy/dialect/aix/instfix"
	"seaworthy/dialect/aix/lparstat"
	"seaworthy/dialect/aix/lsattr"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/netstat/interfaces"
	"seaworthy/dialect/aix/netstat/mbufs"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/dialect/aix/netstat/routes"
	"seaworthy/dialect/aix/no"
	"seaworthy/dialect/aix/oslevel"
	"seaworthy/dialect/aix/prtconf"
	"seaworthy/dialect/aix/uname"
)

const everyAIX = OnAIX | OnVIOS

// ask is a command line run once per AIX host; on a VIOS it needs root.
func ask(line string) []Ask {
	return []Ask{{On: everyAIX, Line: line, Root: true, Limit: Normal}}
}

func aix() []*Entry {
	return slices.Concat(identity(), devices(), netstat(), tunables(), partition())
}

// identity prints a line or two. A shape is all they have, so every line of
// the text must have it.
func identity() []*Entry {
	level := func(form func(l oslevel.Level) bool, list bool) func(dialect.Value) bool {
		return fits(func(o *oslevel.Output) bool {
			now, ok := o.Current()
			if !ok || len(o.Levels) > 1 && now.ServicePack == nil {
				return list
			}
			return !list && form(now)
		})
	}
	return []*Entry{
		{
			ID: "uname-a", Command: "uname -a", Family: AIX, Parse: reads(uname.Parse), Least: 0.9,
			Call: call("uname", ` -[A-Za-z]*a|^[^-]*$`),
			Asks: []Ask{{On: everyAIX | OnLinux, Line: "uname -a", Root: true, Limit: Quick}},
			Mark: mark(`^AIX `), Host: mark(`^AIX (\S+) \d`), HostFrom: "node name of uname -a",
			Start: mark(`^AIX \S+ \d+ \d+ [0-9A-F]{12}\s*$|^Linux \S+ \d+\.\d+`), Again: true,
		},
		{
			ID: "uname-m", Command: "uname -m", Family: AIX, Parse: reads(uname.Parse), Least: 0.9,
			Call: call("uname", ` -[A-Za-z]*m`),
			Asks: []Ask{{On: everyAIX, Line: "uname -m", Root: true, Limit: Quick}},
			Mark: mark(`^[0-9A-F]{12}[ \t\r]*$`), Start: mark(`^[0-9A-F]{12}\s*$`), Again: true,
		},
		{
			ID: "uname-M", Command: "uname -M", Family: AIX, Parse: reads(uname.Parse), Least: 0.9,
			Call: call("uname", ` -[A-Za-z]*[Mu]`), Mark: mark(`^IBM,`),
		},
		{ID: "uname-L", Command: "uname -L", Family: AIX, Parse: reads(uname.Parse), Call: call("uname", ` -`)},
		{
			ID: "oslevel-s", Command: "oslevel -s", Family: AIX, Parse: reads(oslevel.Parse), Least: 0.9,
			Call: call("oslevel", ` -[a-z]*s`), Mark: levelMark,
			Asks: []Ask{{On: everyAIX, Line: "oslevel -s", Root: true, Limit: Slow}},
			Fits: level(func(l oslevel.Level) bool { return l.ServicePack != nil }, false), Start: mark(`^\d{4}-\d{2}(?:-\d{2}-\d{4})?\s*$`),
		},
		{
			ID: "oslevel-r", Command: "oslevel -r", Family: AIX, Parse: reads(oslevel.Parse), Least: 0.9,
			Call: call("oslevel", ` -[a-z]*r`), Mark: levelMark,
			Fits: level(func(l oslevel.Level) bool { return l.ServicePack == nil && l.Dotted == "" }, false),
		},
		{
			ID: "oslevel-q", Command: "oslevel -q", Family: AIX, Parse: reads(oslevel.Parse), Least: 0.9,
			Call: call("oslevel", ` -[a-z]*q`), Mark: levelMark, Fits: level(nil, true),
		},
		{
			ID: "oslevel", Command: "oslevel", Family: AIX, Parse: reads(oslevel.Parse), Least: 0.9,
			Call: call("oslevel"), Mark: levelMark,
			Fits: level(func(l oslevel.Level) bool { return l.Dotted != "" }, false),
		},
	}
}

var levelMark = mark(`^[ \t]*(?:\d{4}-\d{2}(?:-\d{2}-\d{4})?|[4-7]\.[1-4]\.0\.0)[ \t\r]*$`)

// devices are the lists of devices and of their attributes.
func devices() []*Entry {
	return []*Entry{
		{
			ID: "lsdev-dev-attr", Command: "lsdev -dev", Family: VIOS, Parse: reads(lsattr.Parse), Device: true, Table: true, Settings: true,
			Call: call("lsdev", ` -dev .*-attr`), Like: "lsattr-El",
			Asks: []Ask{
				{On: OnPadmin, Element: "sys0", Line: "ioscli lsdev -dev sys0 -attr", Limit: Normal},
				{On: OnPadmin, Of: OfDevice, Line: "ioscli lsdev -dev {} -attr", Limit: Normal},
			},
			Mark: mark(`^attribute +value +description +user_settable`),
			Fits: fits(func(l *lsattr.Listing) bool { return l.Form.Kind == lsattr.Single }),
		},
		{
			ID: "lsdev-Cc-if", Command: "lsdev -Cc if", Family: AIX, Parse: reads(lsdev.Parse), Table: true, Settings: true, Least: 0.6,
			Call: call("lsdev", ` -\w*c ?if `), Like: "lsdev-Cc-adapter", Asks: ask("lsdev -Cc if"),
			Mark: deviceMark, Fits: fits(func(l *lsdev.List) bool { return len(l.Devices) > 0 && others(l, interfaceName) == 0 }),
		},
		{
			ID: "lsdev-Cc-adapter", Command: "lsdev -Cc adapter", Family: AIX, Parse: reads(lsdev.Parse), Table: true, Settings: true, Least: 0.6,
			Call: call("lsdev", ` -\w*C`), Asks: ask("lsdev -Cc adapter"),
			Mark: deviceMark, OnVIOS: mark(`Shared Ethernet Adapter|:sea:`),
			Fits:  fits(func(l *lsdev.List) bool { return l.Form.Kind != lsdev.VIOS && others(l, interfaceName) > 0 }),
			Start: mark(`^[A-Za-z]+\d+[ \t]+(?:Available|Defined|Stopped)\b`), Within: []string{"lscfg"},
		},
		{
			ID: "lsattr-Rl", Command: "lsattr -Rl", Family: AIX, Device: true, Table: true, Least: 0.6,
			Parse: reads(lsattr.ParseAllowed),
			Call:  call("lsattr", ` -[A-Za-z]*R`), Asks: ranges(),
			Mark: mark(`^[ \t]*[\d.]+\.\.\.[\d.]+(?: \(\+\d+\))?[ \t\r]*$`), Not: mark(`(?:True\+?|False)[ \t\r]*$`),
			Unmarked: func(_ string, text []byte) bool { return words(text) },
			Fits:     fits(func(l *lsattr.Listing) bool { return len(l.Allowed) > 0 && len(l.Attributes) == 0 }),
		},
		{
			ID: "lsattr-Dl", Command: "lsattr -Dl", Family: AIX, Device: true, Table: true,
			Parse: reads(lsattr.Parse),
			Call:  call("lsattr", ` -[A-Za-z]*D`), Like: "lsattr-El",
			Asks: []Ask{{On: everyAIX, Of: OfDefault, Line: "lsattr -Dl {}", Root: true, Limit: Quick}},
		},
		{
			ID: "lsattr-El", Command: "lsattr -El", Family: AIX, Parse: reads(lsattr.Parse), Device: true, Table: true, Settings: true, Least: 0.6,
			Call: call("lsattr"),
			Asks: []Ask{
				{On: everyAIX, Element: "sys0", Line: "lsattr -El sys0 -a systemid -a modelname", Root: true, Limit: Quick},
				{On: everyAIX, Element: "inet0", Line: "lsattr -El inet0", Root: true, Limit: Quick},
				{On: everyAIX, Of: OfDevice, Line: "lsattr -El {}", Root: true, Limit: Quick},
			},
			Mark: mark(`^[ \t]*\w+[ \t].*(?:True\+?|False)[ \t\r]*$|^[a-z]\w*:[^:\n]*:.*(?:True\+?|False)[ \t\r]*$|^attribute +value +description`),
			Fits: fits(func(l *lsattr.Listing) bool { return len(l.Attributes) > 0 }),
			About: map[string]*dialect.Pattern{
				"inet0": dialect.Lazy(`(?ms)^hostname\b.*^rout|^rout.*^hostname\b`),
				"sys0":  dialect.Lazy(`(?ms)^systemid\b.*^modelname\b|^modelname\b.*^systemid\b`),
			},
			Host: mark(`^hostname(?:[ \t]+|:)([\w.-]+)(?:[ \t]+|:)Host Name`), HostFrom: "hostname of inet0",
			Start: mark(`^\w+[ \t]+.*[ \t](?:True\+?|False)\s*$`),
		},
		{
			ID: "lscfg", Command: "lscfg", Family: AIX, Parse: reads(lscfg.Parse), Repeats: true,
			Call: call("lscfg"), Asks: []Ask{{On: everyAIX, Of: OfSlot, Line: "lscfg -vl {}", Root: true, Limit: Quick}},
			Mark: mark(`^[ \t]*INSTALLED RESOURCE LIST|^[ \t]*(?:[+*-] )?[a-z]+\d+[ \t]+(?:U[0-9A-Z]+[.-]|[0-9A-Z]{2}-[0-9A-Z]{2}|[PU]\d)\S*[ \t]|` +
				`^ {6,}(?:Network Address|Hardware Location Code|ROM Level)\.`),
			Fits:  fits(func(l *lscfg.List) bool { return len(l.Resources) > 0 }),
			Start: mark(`^INSTALLED RESOURCE LIST`), Again: true, Within: []string{"prtconf"},
		},
	}
}

var (
	deviceMark    = mark(`^[ \t]*\S+[ \t]+(?:Available|Defined|Stopped)\b|^[ \t]*name[ :]+\w+|^[a-zA-Z]+\d+:[\w,/.-]+:\S`)
	interfaceName = dialect.Lazy(`^(?:en|et|lo|sit|tr|ib|ml|vi|xs)\d+$`)
)

// words reports whether a text may be a list of values: letters, digits and signs of
// ASCII, a few words a line.
func words(text []byte) bool {
	for l := range bytes.Lines(text) {
		if len(l) > 200 || len(bytes.Fields(l)) > 3 {
			return false
		}
		if bytes.ContainsFunc(l, func(c rune) bool { return c >= 0x7f || c < ' ' && c != '\t' && c != '\r' && c != '\n' }) {
			return false
		}
	}
	return true
}

// others is how many devices have no name of the form.
func others(l *lsdev.List, form *dialect.Pattern) int {
	n := 0
	for _, d := range l.Devices {
		if !form.MatchString(d.Name) {
			n++
		}
	}
	return n
}

// ranges ask what the receive pools of a virtual adapter may be set to.
func ranges() []Ask {
	var out []Ask
	for _, pool := range []string{"tiny", "small", "medium", "large", "huge"} {
		a := "max_buf_" + pool
		out = append(out, Ask{On: everyAIX, Of: OfVirtual, Attribute: a, Line: "lsattr -Rl {} -a " + a, Root: true, Limit: Quick})
	}
	return out
}

func netstat() []*Entry {
	return []*Entry{
		{
			ID: "ifconfig-a", Command: "ifconfig -a", Family: AIX, Parse: reads(ifconfig.Parse), Settings: true,
			Call: call("ifconfig"), Asks: []Ask{{On: everyAIX, Line: "ifconfig -a", Root: true, Limit: Quick}},
			Mark:  mark(`^[ \t]*[a-z]+\d+:\s+flags=[0-9a-fA-F]+[,<]`),
			Start: mark(`^[a-z]+\d+: flags=[0-9a-f]`),
		},
		{
			ID: "ifconfig-l", Command: "ifconfig -l", Family: AIX, Parse: reads(ifconfig.Parse),
			Mark: mark(`^(?:(?:en|et|lo|sit|tr|ib|ml)\d+[ \t]*)+$`), Not: mark(`^[ \t]*[a-z]+\d+:\s+flags=`),
			Fits: fits(func(c *ifconfig.Config) bool { return len(c.Interfaces) == 0 }),
		},
		{
			ID: "netstat-m", Command: "netstat -m", Family: AIX, Parse: reads(mbufs.Parse),
			Call:  call("netstat", ` -[A-Za-z]*m`),
			Mark:  mark(`^[ \t]*(?:Kernel malloc statistics|By size +inuse|\d+ mbufs? in use)`),
			Start: mark(`^Kernel malloc statistics`), Again: true,
		},
		{
			ID: "netstat-in", Command: "netstat -in", Family: AIX, Parse: reads(interfaces.Parse), Table: true, Counters: true, Settings: true,
			Call: call("netstat", `^ -state|^(?: [^-]\S*| -[^-rsp ]*)* -[^-rsp ]*i[^rsp ]*(?: |$)`),
			Asks: []Ask{
				{On: everyAIX, Line: "netstat -in", Root: true, Limit: Normal},
				{On: OnPadmin, Line: "ioscli netstat -state -num", Limit: Normal},
			},
			Mark:  mark(`^[ \t]*Name +Mtu +Network`),
			Start: mark(`^Name +Mtu +Network`), Again: true,
		},
		{
			ID: "netstat-rn", Command: "netstat -rn", Family: AIX, Parse: reads(routes.Parse), Table: true,
			Call: call("netstat", ` -routtable| -[A-Za-z]*r`),
			Asks: []Ask{
				{On: everyAIX, Line: "netstat -rn", Root: true, Limit: Normal},
				{On: OnPadmin, Line: "ioscli netstat -routtable -num", Limit: Normal},
			},
			Mark:  mark(`^[ \t]*(?:Routing tables|Route [Tt]ree for Protocol|Destination +Gateway +Flags)`),
			Start: mark(`^Routing tables|^Destination +Gateway +Flags`),
		},
		{
			ID: "netstat-s", Command: "netstat -s", Family: AIX, Parse: reads(protocols.Parse), Counters: true,
			Call:  call("netstat", ` -[A-Za-z]*[sp]`),
			Asks:  ask("netstat -s"),
			Mark:  mark(`^[ \t]*(?:icmp|igmp|tcp|udp|ip|ipv6|icmpv6):[ \t\r]*$`),
			Start: mark(`^(?:icmp|igmp|tcp|udp|ip|ipv6|icmpv6):[ \t]*$`),
		},
		{
			ID: "arp-an", Command: "arp -an", Family: AIX, Parse: reads(arp.Parse), Call: call("arp"),
			Mark: mark(`^[ \t]*\S+ \([0-9.]+\) at (?:\(incomplete\)|[0-9A-Fa-f]{1,2}:)|^There are \d+ entries in the arp table\.`),
		},
	}
}

// tuners are the other commands whose tunables print like those of no, by the
// first words of their names. They are recognised but not read.
var tuners = []struct {
	program string
	names   *dialect.Pattern
}{
	{"vmo", mark(`^[ \t]*(?:ame_|maxpin|minperm|maxperm|maxclient|lru|v_pin|vmm|lgpg|minfree|maxfree|nokilluid|npswarn|num_spec|` +
		`page_steal|strict_|wlm_)`)},
	{"ioo", mark(`^[ \t]*(?:aio_|j2_|lvm_|numclust|numfsbufs|pd_npages|posix_aio|pv_min|sync_release|maxpgahead|minpgahead)`)},
	{"schedo", mark(`^[ \t]*(?:affinity_lim|big_tick|ded_cpu|fixed_pri|krlock|maxspin|pacefork|proc_disk|sched_|smt_|smtrunq|timeslice|` +
		`unboost|vpm_|` +
		`v_exempt|v_min|v_rep|v_sec|%usDelta)`)},
	{"nfso", mark(`^[ \t]*(?:nfs_|lockd_|statd_|portcheck|client_del|server_del)`)},
}

func tunables() []*Entry {
	form := func(list bool) func(dialect.Value) bool {
		return fits(func(t *no.Tunables) bool {
			for _, other := range tuners {
				n := 0
				for _, x := range t.Tunables {
					if other.names.MatchString(x.Name) {
						n++
					}
				}
				if n*4 > len(t.Tunables) {
					return false
				}
			}
			return (t.Form == no.List) == list
		})
	}
	var out []*Entry
	for _, x := range tuners {
		out = append(out, &Entry{ID: x.program, Command: x.program, Family: AIX, Call: call(x.program), Mark: x.names, Head: tunableMark,
			Least: 0.1})
	}
	return append(out, []*Entry{
		{
			ID: "no-L", Command: "no -L", Family: AIX, Parse: reads(no.Parse), Table: true, Settings: true, Least: 0.8,
			Call: call("no", ` -[A-Za-z]*L`),
			Asks: []Ask{
				{On: everyAIX, Line: "no -L", Root: true, Limit: Quick},
				// Restricted, so the list leaves it out: whether interfaces' own options count.
				{On: everyAIX, Attribute: "use_isno", Line: "no -L use_isno", Root: true, Limit: Quick},
			},
			Mark: tunableMark, Fits: form(true),
			Start: mark(`^General Network Parameters|^NAME +CUR +DEF`), Within: []string{"netstat-in", "netstat-rn"},
		},
		{ID: "no-o", Command: "no -o", Family: AIX, Parse: reads(no.Parse), Settings: true, Repeats: true, Call: call("no", ` -[A-Za-z]*o`),
			Like: "no-a"},
		{
			ID: "no-a", Command: "no -a", Family: AIX, Parse: reads(no.Parse), Settings: true, Least: 0.8,
			Call: call("no"),
			Asks: []Ask{{On: everyAIX, Line: "no -a", Root: true, Limit: Quick}},
			Mark: tunableMark, Fits: form(false),
			Start: mark(`^[ \t]+[a-z][a-z0-9_]+ = \S*$`), Within: []string{"netstat-in", "netstat-rn"},
		},
	}...)
}

var tunableMark = mark(`^[ \t]*(?:NAME +CUR +DEF|[a-z][a-z0-9_%]+ = (?:-?[\d.]+|\{.*\}|[a-z]\S*|)[ \t]*$)`)

// partition are the configuration of the LPAR and what happened in it.
func partition() []*Entry {
	return []*Entry{
		{
			ID: "lparstat-W", Command: "lparstat -W", Family: AIX, Parse: reads(lparstat.Parse), Call: call("lparstat", ` -[A-Za-z]*W`),
			Mark: mark(`^[ \t]*WPAR Key[ \t]*:`), Fits: fits(func(o *lparstat.Output) bool { return len(o.Tables) == 0 }),
		},
		{
			ID: "lparstat-i", Command: "lparstat -i", Family: AIX, Parse: reads(lparstat.Parse),
			Call: call("lparstat", ` -[A-Za-z]*i`), Asks: ask("lparstat -i"),
			Mark: mark(`^[ \t]*(?:Node  ?Name|Partition  ?(?:Name|Number|Group)|Entitled  ?Capacity|Online  ?Virtual  ?CPUs|Type|Mode)[ \t]*:`),
			Not:  mark(`^[ \t]*WPAR Key[ \t]*:`), Fits: fits(func(o *lparstat.Output) bool { return len(o.Fields) > 0 && len(o.Tables) == 0 }),
			Host: mark(`^[ \t]*Node  ?Name[ \t]*:[ \t]*(\S+)`), HostFrom: "node name of lparstat -i",
			Start: mark(`^Node Name +:`), Again: true,
		},
		{
			ID: "lparstat-H", Command: "lparstat -H", Family: AIX, Parse: reads(lparstat.Parse),
			Call: call("lparstat", ` -[A-Za-z]*H`), Mark: intervalMark,
			Fits: fits(func(o *lparstat.Output) bool { return len(o.Tables) > 0 && len(o.Tables[0].Calls) > 0 }),
		},
		{
			ID: "lparstat", Command: "lparstat", Family: AIX, Parse: reads(lparstat.Parse), Repeats: true,
			Call: call("lparstat"), Mark: intervalMark,
			Start: intervalMark, Again: true,
		},
		{
			ID: "errpt", Command: "errpt", Family: AIX, Parse: reads(errpt.Parse),
			Call: call("errpt"), Asks: ask("errpt | head -n 200"),
			Mark:  mark(`^[ \t]*(?:IDENTIFIER +TIMESTAMP +T|LABEL:\s+\w|[0-9A-F]{8} +\d{10} +[A-Z] +[A-Z] )`),
			Start: mark(`^IDENTIFIER +TIMESTAMP`), Again: true,
		},
		{
			ID: "instfix-ik", Command: "instfix -ik", Family: AIX, Parse: reads(instfix.Parse), Repeats: true,
			Call:  call("instfix"), // fails if one is not there, and says of each all the same
			Asks:  []Ask{{On: everyAIX, Line: `instfix -ik "{fixes}" 2>&1`, Root: true, Limit: Slow, Partial: true}},
			Mark:  mark(`^[ \t]*(?:(?:All|Not all) filesets for \S+ were found\.|There was no data for \S+ in the fix database\.)[ \t\r]*$`),
			Start: mark(`^ *(?:All|Not all) filesets for \S+ were found|^ *There was no data for \S+ in the fix database`),
		},
		{
			ID: "prtconf", Command: "prtconf", Family: AIX, Parse: reads(prtconf.Parse), Call: call("prtconf|lsconf"),
			Mark: mark(`^[ \t]*(?:System Model: |Machine Serial Number: )`),
			Host: mark(`^[ \t]*Host Name:[ \t]*(\S+)`), HostFrom: "host name in prtconf",
			Start: mark(`^System Model: `), Again: true,
		},
	}
}

var intervalMark = mark(`^[ \t]*System configuration: type=`)
