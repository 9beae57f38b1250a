package task

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/remote/shellword"
)

//go:embed linux.yaml
var linuxText []byte

// linuxTables hold what linux.yaml holds.
type linuxTables struct {
	Attributes map[string]struct{ Feature, Finer, Set, Read, Manual string }
}

var linux = sync.OnceValue(func() (t linuxTables) {
	if err := decode.YAML("linux.yaml", linuxText, &t); err != nil {
		panic(err) // it is part of the program
	}
	return t
})

// SetBy is the program that sets an attribute of a Linux device; empty: not known.
func SetBy(attr string) string {
	a := linux().Attributes[attr]
	if a.Feature != "" {
		return "ethtool"
	}
	name, _, _ := strings.Cut(a.Set, " ")
	return name
}

// setLinux writes the command lines that change running values. What keeps a value for the next
// boot is apart from that: see Persist.
func (w writer) setLinux(as []assignment) ([]string, error) {
	var lines []string
	features := ""
	for _, a := range as {
		form := linux().Attributes[a.attr]
		switch {
		case w.kind == Sysctl:
			lines = append(lines, "sysctl -w "+a.attr+"="+shellword.Quote(a.value))
		case form.Feature != "":
			features += " " + a.attr + " " + shellword.Quote(a.value)
		case a.attr == "pause" && a.value != "on" && a.value != "off":
			return nil, fmt.Errorf("pause is %s: the two directions differ, which this plan could not bring back", a.value)
		case form.Set != "":
			lines = append(lines, strings.NewReplacer("{d}", shellword.Quote(w.element), "{v}", shellword.Quote(a.value)).Replace(form.Set))
		case form.Manual != "":
			return nil, fmt.Errorf("%s is not set by a plan: %s", a.attr, form.Manual)
		default:
			return nil, fmt.Errorf("no command is known that sets %s on Linux", a.attr)
		}
	}
	if features != "" {
		// Features depend on each other: the kernel sorts that out within one
		// call, while one after the other the first could be refused.
		lines = append(lines, "ethtool -K "+shellword.Quote(w.element)+features)
	}
	return lines, nil
}

// readLinux is the command that prints a value as the inventory has it.
func (w writer) readLinux(attr string) string {
	a := linux().Attributes[attr]
	switch {
	case w.kind == Sysctl:
		return "sysctl -n " + attr + ` | tr -s '\t' ' '`
	case a.Feature != "":
		k, line := "ethtool -k "+shellword.Quote(w.element), `s/^`+a.Feature+`: \([a-z]*\).*/\1/p`
		if a.Finer != "" { // it follows that line
			return k + ` | sed -n '` + line + `;s/^[[:blank:]]` + a.Finer + `: \([a-z]*\).*/\1/p' | tail -n 1`
		}
		return k + ` | sed -n '` + line + `'`
	}
	return strings.ReplaceAll(a.Read, "{d}", shellword.Quote(w.element))
}
