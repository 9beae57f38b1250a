package change

import (
	"fmt"
	"strings"

	"seaworthy/inventory"
	"seaworthy/remote/shellword"
)

// writer makes the command lines of one step for one kind of host. A value is
// always data: it is quoted, never part of the shell's syntax.
type writer struct {
	platform inventory.Platform
	user     string
	element  string
	kind     inventory.Kind
}

// Kinds of elements that are no devices: tables of tunables.
const (
	kindNo     inventory.Kind = "no"     // AIX no(1)
	kindSysctl inventory.Kind = "sysctl" // Linux
)

// padmin says whether the VIOS forms of the commands are needed.
func (w writer) padmin() bool {
	return w.platform == inventory.VIOS && w.user != "root"
}

type assignment struct{ attr, value string }

// set writes running and next-boot value; with pending only the next-boot one.
func (w writer) set(as []assignment, pending bool) ([]string, error) {
	for _, a := range as {
		if !shellword.Sayable(a.value) {
			return nil, fmt.Errorf("%s has a value with a NUL byte in it, which no command line can hold", a.attr)
		}
		// Some shells' echo turns \0047 into a quote, which would end the word.
		if w.kind == kindNo && w.padmin() && strings.ContainsRune(a.value, '\\') {
			return nil, fmt.Errorf("%s has a value with a backslash in it, which does not pass through oem_setup_env unchanged", a.attr)
		}
	}
	switch {
	case w.kind == kindNo:
		return w.setNo(as, pending), nil
	case w.platform == inventory.Linux:
		return w.setLinux(as)
	case w.padmin():
		line := "ioscli chdev -dev " + shellword.Quote(w.element) + " -attr"
		for _, a := range as {
			line += " " + a.attr + "=" + shellword.Quote(a.value)
		}
		if pending {
			line += " -perm"
		}
		return []string{line}, nil
	}
	line := "chdev -l " + shellword.Quote(w.element)
	for _, a := range as {
		line += " -a " + a.attr + "=" + shellword.Quote(a.value)
	}
	if pending {
		line += " -P"
	}
	return []string{line}, nil
}

// setNo uses -p for running and next-boot value, -r for the latter alone.
func (w writer) setNo(as []assignment, pending bool) []string {
	how := "-p"
	if pending {
		how = "-r"
	}
	var lines []string
	for _, a := range as {
		lines = append(lines, w.root(fmt.Sprintf("no %s -o %s=%s", how, a.attr, shellword.Quote(a.value))))
	}
	return lines
}

// root wraps a root command for a padmin login.
func (w writer) root(line string) string {
	if !w.padmin() {
		return line
	}
	return "echo " + shellword.Quote(line) + " | oem_setup_env"
}

// bounced takes the interface down and off its adapter around lines, as an
// attribute that is not dynamic needs it. inet0 restores the static routes.
func (w writer) bounced(iface string, lines []string) []string {
	all := append([]string{w.state(iface, "down"), w.state(iface, "detach")}, lines...)
	return append(all, w.up(iface)...)
}

func (w writer) up(iface string) []string {
	return []string{w.state(iface, "up"), w.root("mkdev -l inet0")}
}

func (w writer) state(iface, state string) string {
	if w.padmin() {
		return "ioscli chdev -dev " + shellword.Quote(iface) + " -attr state=" + state
	}
	return "chdev -l " + shellword.Quote(iface) + " -a state=" + state
}

// check reads one value back as a bare line: what runs, or if it was set for
// the next boot, that.
func (w writer) check(attr, want string, pending bool) Check {
	c := Check{Attr: attr, Want: want}
	switch {
	case w.kind == kindNo && pending:
		c.Command = w.root("no -r -o " + attr)
	case w.kind == kindNo:
		c.Command = w.root("no -o " + attr)
	case w.platform == inventory.Linux:
		c.Command = w.readLinux(attr)
	case w.padmin():
		c.Command = "ioscli lsdev -dev " + shellword.Quote(w.element) + " -attr " + attr
	default:
		c.Command = "lsattr -El " + shellword.Quote(w.element) + " -a " + attr + " -F value"
	}
	return c
}

// restore writes the lines that bring back exactly the earlier values. Where
// running and next-boot value differed, the first line sets both and the
// second only the ODM.
func (w writer) restore(changes []Change, pending bool) ([]string, error) {
	var both, odm []assignment
	for _, c := range changes {
		if pending {
			odm = append(odm, assignment{c.Attr, *c.Before.NextBoot})
			continue
		}
		run := c.Before.Running
		if run == nil {
			run = c.Before.NextBoot
		}
		both = append(both, assignment{c.Attr, *run})
		if c.Before.NextBoot != nil && *c.Before.NextBoot != *run {
			odm = append(odm, assignment{c.Attr, *c.Before.NextBoot})
		}
	}
	var lines []string
	if len(both) > 0 {
		l, err := w.set(both, false)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l...)
	}
	if len(odm) > 0 {
		l, err := w.set(odm, true)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l...)
	}
	return lines, nil
}
