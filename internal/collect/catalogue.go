package collect

import (
	"strings"
	"sync"
	"time"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// Item is one command of the registry, for a host and a device.
type Item struct {
	ID        string
	Element   string
	Attribute string
	Line      string
	Root      bool // on a VIOS not part of the restricted shell: padmin needs oem_setup_env
	Refused   bool // to an ordinary user of AIX
	Limit     time.Duration
	Partial   bool // fails where one of several things it asks for is not there; what it printed counts
}

// device is the form of a name that is put into a command line.
var device = parse.Lazy(`^[a-z]+[0-9]+$`)

// netdev is the same for Linux. A leading dash would be an option.
var netdev = parse.Lazy(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$`)

// items are the commands for a way to log in, and one device if they are about
// one.
func items(on registry.On, of registry.Scope, name string) []Item {
	var out []Item
	for _, a := range registry.Asks(on, of) {
		it := Item{ID: a.ID, Element: a.Element, Attribute: a.Attribute, Line: a.Line, Root: a.Root && on != registry.OnLinux,
			Refused: a.Refused, Limit: a.Limit, Partial: a.Partial}
		if strings.Contains(it.Line, "{fixes}") {
			it.Line = strings.ReplaceAll(it.Line, "{fixes}", fixes())
		}
		if strings.Contains(it.Line, "{}") {
			it.Element, it.Line = name, strings.ReplaceAll(it.Line, "{}", name)
		}
		out = append(out, it)
	}
	return out
}

// instead is the command in place of one that a Linux host lacks.
func instead(id string) Item {
	for _, it := range items(registry.OnLinux, registry.Instead, "") {
		if it.ID == id {
			return it
		}
	}
	panic("collect: the registry has no " + id)
}

// fixes are the APARs that rules ask for, as a command line has them; they are the same for every host.
var fixes = sync.OnceValue(func() string {
	cat, err := knowledge.Load()
	if err != nil { // its own tests hold that it loads
		return ""
	}
	return strings.Join(cat.Fixes(), " ")
})
