package task

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
)

// Login says which forms of the commands a host takes.
type Login struct {
	Platform model.Platform `json:"platform"`
	User     string         `json:"user,omitempty"`
	// PlainPing says that a Linux host's ping has no -M: it is not that of iputils.
	PlainPing bool `json:"plain_ping,omitempty"`
}

// LoginOf is that of a host as it was read.
func LoginOf(h *model.Host) Login { return Login{Platform: h.Platform, User: h.User} }

func (l Login) padmin() bool { return l.Platform == model.VIOS && l.User != "root" }

// root is a root command, which a padmin login gives to a shell of root.
func (l Login) root(line string) remote.Step { return remote.Step{Line: line, Root: l.padmin()} }

// own is a command that the login runs itself.
func own(line string) remote.Step { return remote.Step{Line: line} }

func owns(lines []string) (steps []remote.Step) {
	for _, l := range lines {
		steps = append(steps, own(l))
	}
	return steps
}

// headers of an IPv4 ping: IP and ICMP.
const headers = 28

// DontFragment is the flag with which the host's ping sends packets that must
// not be fragmented; empty if none is documented. AIX's ping has none up to 7.2
// (-D dumps the answers in hexadecimal): it splits a packet that is larger than
// its own MTU, and routers split it further on.
func (l Login) DontFragment() string {
	if l.Platform == model.Linux && !l.PlainPing {
		return "-M do"
	}
	return ""
}

// Ping sends so many IP packets of size bytes, and waits as many seconds. The
// flag is DontFragment, or empty for packets that may be fragmented.
func (l Login) Ping(to netip.Addr, size, count int, flag string) remote.Step {
	wait := "-w"
	if l.Platform == model.Linux {
		wait = "-W"
		if flag == "" && !l.PlainPing {
			flag = "-M dont"
		}
	}
	if flag != "" {
		flag += " "
	}
	to = to.WithZone("") // it can be any text
	return l.root(fmt.Sprintf("ping -n -c %d %s %d %s-s %d %s", count, wait, count, flag, size-headers, to))
}

// PingUsage prints the flags that the host's ping has.
func (l Login) PingUsage() remote.Step { return l.root("ping") }

// IPCounters prints what the host's IP has counted, fragments among it.
func (l Login) IPCounters() remote.Step {
	if l.Platform == model.Linux {
		return own("cat /proc/net/snmp")
	}
	return l.root("netstat -s")
}

// Floods says whether the login may send echo requests without a pause between them.
func (l Login) Floods() bool { return l.User == "root" || l.User == "padmin" }

// lostInSecond is how many packets ping -f sends in a second if none is answered.
const lostInSecond = 100

// Echo sends so many IP packets of size bytes and prints how many were answered and
// how long they took: one after the other as fast as they come back, or, where
// that is root's alone, one a second. A few are waited for a second at the end:
// without a limit some ping waits for ten.
func (l Login) Echo(to netip.Addr, size, count int) remote.Step {
	how := ""
	switch {
	case l.Platform == model.Linux:
		how = "-W 1 "
	case l.Floods() && count <= lostInSecond:
		how = "-w 1 "
	}
	if l.Floods() {
		how += "-f "
	}
	return l.root(fmt.Sprintf("ping -n -q %s-c %d -s %d %s", how, count, size-headers, to.WithZone("")))
}

// Link prints the link of a port: on AIX the statistics of an adapter and of what it
// holds, on Linux 1 or 0.
func (l Login) Link(name string) remote.Step {
	if l.Platform == model.Linux {
		return own("cat /sys/class/net/" + shellword.Quote(name) + "/carrier")
	}
	return l.root("entstat -d " + shellword.Quote(name))
}

// Cores prints the processors in use over two seconds.
func (l Login) Cores() remote.Step { return l.root("lparstat 2 1") }

// Neighbours prints the ARP table.
func (l Login) Neighbours() remote.Step {
	if l.Platform == model.Linux {
		return own("cat /proc/net/arp")
	}
	return l.root("arp -an")
}

// writer makes the command lines for one element. A value is always data: it is
// quoted, never part of the shell's syntax.
type writer struct {
	Login
	element string
	kind    model.Kind
}

type assignment struct {
	attr, value string
	restricted  bool
}

// bring writes the lines that lead to exactly the values after the changes, or back to
// those before them, and to what a Linux host keeps of them. Where running and next-boot value differ, the first line sets both and
// the second only the ODM.
func (w writer) bring(changes []Change, pending, back bool) ([]remote.Step, error) {
	var both, odm []assignment
	var keeps []remote.Step
	for _, c := range changes {
		v := c.After
		if back {
			v = c.Before
		}
		keep, err := w.keep(c, back)
		if err != nil {
			return nil, err
		}
		keeps = append(keeps, owns(keep)...)
		run := cmp.Or(v.Running, v.NextBoot)
		if run == nil || pending && v.NextBoot == nil {
			return nil, fmt.Errorf("a value of %s is not known", c.Attr)
		}
		if !pending {
			both = append(both, assignment{c.Attr, *run, c.Restricted})
		}
		if pending || v.NextBoot != nil && *v.NextBoot != *run && w.Platform != model.Linux {
			odm = append(odm, assignment{c.Attr, *v.NextBoot, c.Restricted})
		}
	}
	lines, err := w.set(both, false)
	if err != nil {
		return nil, err
	}
	more, err := w.set(odm, true)
	return slices.Concat(lines, more, keeps), err
}

// set writes running and next-boot value; with pending only the next-boot one.
func (w writer) set(as []assignment, pending bool) ([]remote.Step, error) {
	for _, a := range as {
		if !shellword.Sayable(a.value) {
			return nil, fmt.Errorf("%s has a value with a NUL byte in it, which no command line can hold", a.attr)
		}
		// Some shells' echo turns \0047 into a quote, which would end the word.
		if w.kind == No && w.padmin() && strings.ContainsRune(a.value, '\\') {
			return nil, fmt.Errorf("%s has a value with a backslash in it, which does not pass through oem_setup_env unchanged", a.attr)
		}
	}
	switch {
	case len(as) == 0:
		return nil, nil
	case w.kind == No:
		return w.setNo(as, pending), nil
	case w.Platform == model.Linux:
		lines, err := w.setLinux(as)
		return owns(lines), err
	}
	return []remote.Step{own(w.chdev(as, pending))}, nil
}

func (w writer) chdev(as []assignment, pending bool) string {
	line, attr, odm := "chdev -l ", " -a ", " -P"
	if w.padmin() {
		line, attr, odm = "ioscli chdev -dev ", " ", " -perm"
	}
	line += shellword.Quote(w.element)
	if w.padmin() {
		line += " -attr"
	}
	for _, a := range as {
		line += attr + a.attr + "=" + shellword.Quote(a.value)
	}
	if pending {
		line += odm
	}
	return line
}

// setNo uses -p for running and next-boot value, -r for the latter alone. For a
// restricted tunable both ask on stdin, and without an answer change nothing.
func (w writer) setNo(as []assignment, pending bool) []remote.Step {
	how := "-p"
	if pending {
		how = "-r"
	}
	var lines []remote.Step
	for _, a := range as {
		line := fmt.Sprintf("no %s -o %s=%s", how, a.attr, shellword.Quote(a.value))
		if a.restricted {
			line = "echo yes | " + line
		}
		lines = append(lines, w.root(line))
	}
	return lines
}

// bounced takes the interface down and off its adapter around lines, as an
// attribute that is not dynamic needs it. inet0 restores the static routes.
func (l Login) bounced(iface string, lines []remote.Step) []remote.Step {
	all := append([]remote.Step{l.setState(iface, "down"), l.setState(iface, "detach")}, lines...)
	return append(all, l.up(iface)...)
}

func (l Login) up(iface string) []remote.Step {
	return []remote.Step{l.setState(iface, "up"), l.root("mkdev -l inet0")}
}

func (l Login) setState(iface, to string) remote.Step {
	return own(writer{Login: l, element: iface}.chdev([]assignment{{attr: state, value: to}}, false))
}

// checks reads one value back as a bare line: what runs, or if it was set for
// the next boot, that. What is not known cannot be checked.
func (w writer) checks(attr string, want *string, pending bool) []reading {
	if want == nil {
		return nil
	}
	c := reading{element: w.element, attr: attr, want: *want}
	switch {
	case w.kind == No && pending:
		c.step = w.root("no -r -o " + attr)
	case w.kind == No:
		c.step = w.root("no -o " + attr)
	case w.Platform == model.Linux:
		c.step = own(w.readLinux(attr))
	case w.padmin():
		c.step = own("ioscli lsdev -dev " + shellword.Quote(w.element) + " -attr " + attr)
	default:
		c.step = own("lsattr -El " + shellword.Quote(w.element) + " -a " + attr + " -F value")
	}
	return []reading{c}
}

// haState prints what an SEA is in its pair, without saying whether it shares.
func haState(sea string) string {
	return "entstat -d " + shellword.Quote(sea) + ` | awk '$1 == "State:" { sub("_SH", "", $2); print $2; exit }'`
}

// reaches waits up to a minute: ports that renegotiate take half of that.
func (l Login) reaches(sea, state string) []remote.Step {
	if state == "" {
		return nil
	}
	return []remote.Step{l.root(fmt.Sprintf(
		`(n=0; until [ "$(%s)" = %s ]; do n=$((n + 1)); [ $n -ge 60 ] && exit 1; sleep 1; done)`, haState(sea), state))}
}
