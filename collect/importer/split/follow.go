package split

import (
	"strings"

	"seaworthy/dialect"
)

// starts are lines with which the output of one command begins. The group is
// what the output is: a line of the same group again continues it, unless
// again says otherwise.
var starts = []struct {
	group string
	line  *dialect.Pattern
	again bool // each such line begins another output
}{
	{"entstat", dialect.Lazy(`^(?:ETHERNET STATISTICS \(|FIBRE CHANNEL STATISTICS REPORT)`), false},
	{"ifconfig", dialect.Lazy(`^[a-z]+\d+: flags=[0-9a-f]`), false},
	{"netstat-in", dialect.Lazy(`^Name +Mtu +Network`), true},
	{"netstat-rn", dialect.Lazy(`^Routing tables|^Destination +Gateway +Flags`), false},
	{"netstat-s", dialect.Lazy(`^(?:icmp|igmp|tcp|udp|ip|ipv6|icmpv6):[ \t]*$`), false},
	{"netstat-m", dialect.Lazy(`^Kernel malloc statistics`), true},
	{"no-L", dialect.Lazy(`^General Network Parameters|^NAME +CUR +DEF`), false},
	{"no-a", dialect.Lazy(`^[ \t]+[a-z][a-z0-9_]+ = \S*$`), false},
	{"lsmap", dialect.Lazy(`^(?:SVEA|SVSA) +Physloc`), false},
	{"lparstat-i", dialect.Lazy(`^Node Name +:`), true},
	{"lparstat", dialect.Lazy(`^System configuration: type=`), true},
	{"errpt", dialect.Lazy(`^IDENTIFIER +TIMESTAMP`), true},
	{"prtconf", dialect.Lazy(`^System Model: `), true},
	{"lscfg", dialect.Lazy(`^INSTALLED RESOURCE LIST`), true},
	{"seastat", dialect.Lazy(`^Advanced Statistics for SEA`), true},
	{"vnicstat", dialect.Lazy(`^VNIC Server Statistics:`), false},
	{"uname", dialect.Lazy(`^AIX \S+ \d+ \d+ [0-9A-F]{12}\s*$|^Linux \S+ \d+\.\d+`), true},
	{"uname-m", dialect.Lazy(`^[0-9A-F]{12}\s*$`), true},
	{"instfix", dialect.Lazy(`^ *(?:All|Not all) filesets for \S+ were found|^ *There was no data for \S+ in the fix database`), false},
	{"oslevel", dialect.Lazy(`^\d{4}-\d{2}(?:-\d{2}-\d{4})?\s*$`), false},
	{"ioslevel", dialect.Lazy(`^[1-4]\.\d+\.\d+\.\d+\s*$`), false},
	{"lsattr", dialect.Lazy(`^\w+[ \t]+.*[ \t](?:True\+?|False)\s*$`), false},
	{"lsdev", dialect.Lazy(`^[A-Za-z]+\d+[ \t]+(?:Available|Defined|Stopped)\b`), false},
	{"ethtool", dialect.Lazy(`^(?:Settings|Features|Ring parameters|Channel parameters|Coalesce parameters|Pause parameters) for \S+:|^NIC statistics:|^driver: `), true},
	{"sysctl", dialect.Lazy(`^net\.[\w.]+ = `), false},
}

// inside are groups whose outputs hold lines that look like the start of
// another: prtconf ends with a list of devices, vnicstat with statistics.
var inside = map[string]string{"prtconf": "lscfg", "vnicstat": "entstat", "lscfg": "lsdev", "netstat-in": "no", "netstat-rn": "no"}

// follow parts outputs that stand one after the other with nothing between.
func follow(lines []string) *Cut {
	p := pieces{line: 1}
	group, title := "", ""
	begin := 0
	names := map[string]bool{} // first words of an lsattr: one again is another device
	for i, l := range lines {
		b := body(l)
		if device := deviceTitle(b); device != "" {
			p.list = append(p.list, cutOut(lines, begin, i, title)...)
			begin, group, title = i+1, "", device
			names = map[string]bool{}
			continue
		}
		g, again := start(b)
		other := g != "" && g != group && inside[group] != g
		if g == "lsattr" && g == group {
			name := strings.Fields(b)[0]
			again = names[name]
		}
		if other || again && g == group {
			// A line of dashes or of equal signs above belongs to the heading.
			at := i
			for at > begin && isRuler(body(lines[at-1])) {
				at--
			}
			p.list = append(p.list, cutOut(lines, begin, at, title)...)
			if group != "" {
				title = ""
			}
			begin, group = at, g
			names = map[string]bool{}
		}
		if g == "lsattr" {
			names[strings.Fields(b)[0]] = true
		}
	}
	p.list = append(p.list, cutOut(lines, begin, len(lines), title)...)
	return &Cut{Form: Follow, Pieces: p.list}
}

// label is the front of a line that holds a value behind a colon, which no
// list of attributes does: "Trunk Adapter: False".
var label = dialect.Lazy(`^[A-Z]\w*(?: [\w()]+)*[ \t]*:`)

func start(line string) (group string, again bool) {
	for i := range starts {
		if starts[i].line.MatchString(line) && (starts[i].group != "lsattr" || !label.MatchString(line)) {
			return starts[i].group, starts[i].again
		}
	}
	return "", false
}

// cutOut makes a piece of some lines, if they hold anything.
func cutOut(lines []string, from, to int, title string) []Piece {
	p := pieces{line: 1}
	p.begin(Piece{Title: title}, from)
	for _, l := range lines[from:to] {
		p.add(l)
	}
	p.end()
	return p.list
}

// reportTitles are the headings of the lsseas report, which puts several
// outputs below words of its own.
var reportTitles = map[string]string{
	"Execution date:": "date", "VIOS hostname:": "hostname", "Firmware level:": "lsmcode -A", "Card info:": "lscfg",
	"FC info:": "fcstat", "NPIV map info:": "lsmap -all -npiv -fmt :", "vSCSI map info:": "lsmap -all -fmt :",
}

// report parts a report that names the VIOS at its head.
func report(lines []string) *Cut {
	found := 0
	for i := 0; i < len(lines) && i < 40; i++ {
		if _, ok := reportTitles[body(lines[i])]; ok {
			found++
		}
	}
	if found < 3 {
		return nil
	}
	c := &Cut{Form: Report}
	p := pieces{line: 1}
	for i, l := range lines {
		b := body(l)
		cmd, ok := reportTitles[b]
		if strings.HasPrefix(b, "running lssea on ") {
			p.begin(Piece{Command: "lsseas"}, i)
		}
		if ok {
			p.begin(Piece{Command: cmd, Title: strings.TrimSuffix(b, ":")}, i+1)
			if cmd == "hostname" && i+1 < len(lines) {
				c.Host, c.HostFrom = strings.TrimSpace(body(lines[i+1])), "VIOS hostname in the report"
			}
			continue
		}
		p.add(l)
	}
	p.end()
	c.Pieces = p.list
	return c
}
