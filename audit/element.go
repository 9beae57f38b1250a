package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/inventory"
)

// element is an inventory element as rules see it. Fields are what is always
// known; the rest is asked for by the words of words.go.
type element struct {
	Kind     string
	Name     string
	Host     string
	Platform string
	Machine  string // managed system; empty if not known
	Driver   string

	of   *inventory.Host
	is   *inventory.Element
	join *joins

	above []*element // what stands directly on it
}

// Kinds that are no element of the inventory but are judged like one.
const (
	kindHost     = "host"
	kindTunables = "tunables"
)

func (e *element) ref() inventory.Ref { return inventory.Ref{Host: e.Host, Element: e.Name} }

func (e *element) String() string { return e.Host + " " + e.Name }

// used says whether an element carries traffic or is meant to: a free port, or
// an interface that is down and has no address, is nobody's fault.
func (e *element) used() bool { return e.usedWithin(maxDepth) }

// maxDepth bounds how many devices are followed on top of each other. Real
// hosts stay below six; a text that names devices in a circle does not end.
const maxDepth = 8

func (e *element) usedWithin(depth int) bool {
	if e.is.MemberOf != "" {
		return true
	}
	if e.Platform == string(inventory.Linux) && (len(e.is.Addrs) > 0 || e.is.Up != nil && *e.is.Up) {
		return true
	}
	switch e.is.Kind {
	case inventory.Interface:
		if e.is.Up != nil {
			return *e.is.Up
		}
		return len(e.is.Addrs) > 0 || e.is.Attrs["state"].Current() == "up"
	case inventory.SEA:
		return true
	case inventory.Physical, inventory.Virtual, inventory.VNIC, inventory.EtherChannel, inventory.VLANDevice:
		for _, over := range e.join.over(e) {
			if depth > 0 && over.usedWithin(depth-1) {
				return true
			}
		}
		// Where no interface was read, what stands on it is not known: on a
		// VIOS, whose ports are often free, a link must speak for it.
		return !e.join.interfaces(e.Host) && (e.Platform == string(inventory.AIX) || e.is.LinkUp != nil && *e.is.LinkUp)
	}
	return true
}

// boolean reads the words AIX and Linux use for on and off.
func boolean(value string) (v, ok bool) {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "on", "yes", "1", "true", "enabled", "enable", "plso":
		return true, true
	case "off", "no", "0", "false", "disabled", "disable":
		return false, true
	}
	return false, false
}

func number(value string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	return n, err == nil
}

// client says whether an element is an LPAR's own adapter on a hypervisor
// switch. On Linux adapter and interface are one.
func (e *element) client() bool {
	if e.is.Kind != inventory.Virtual && e.Platform != string(inventory.Linux) || e.of.Serves(e.is) || !e.used() {
		return false
	}
	if e.Platform == string(inventory.Linux) {
		return e.is.Kind == inventory.Virtual || strings.Contains(e.is.Driver, "ibmveth")
	}
	return e.is.Kind == inventory.Virtual
}

// drifted lists the attributes whose running and next-boot values differ. An
// attribute left empty in the ODM takes its running value from elsewhere, and
// that is no drift.
func drifted(attrs map[string]*inventory.Attr) []string {
	var names []string
	for name, a := range attrs {
		if a == nil || a.Running == nil || a.NextBoot == nil || *a.NextBoot == "" || *a.Running == *a.NextBoot {
			continue
		}
		x, xok := boolean(*a.Running)
		y, yok := boolean(*a.NextBoot)
		if xok && yok && x == y {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var repeated = dialect.Lazy(` \(\d+\)$`)

// label brings a counter's printed name to a form in which levels agree. A
// label printed again in the same section, for each thread or queue, has its
// number in brackets.
func label(name string) string {
	name = repeated.ReplaceAllString(name, "")
	name = strings.ToLower(strings.Join(strings.Fields(name), " "))
	return strings.TrimSpace(strings.TrimSuffix(name, ":"))
}

// counterNamed finds counters by printed name: the key itself, or any key that
// ends in it after a dot. Alternatives are separated by "|". What is found is
// summed; each counter stands under one key.
func counterNamed(counters inventory.Counters, names string, label func(string) string) (keys []string) {
	for name := range strings.SplitSeq(names, "|") {
		want := label(name)
		for key := range counters.All() {
			have := label(key)
			under, ok := strings.CutSuffix(have, want)
			if ok && (under == "" || strings.HasSuffix(under, ".")) {
				if !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	slices.Sort(keys)
	return keys
}

func describe(e *element, what, how string) string {
	if how == "" {
		return fmt.Sprintf("%s: %s", e, what)
	}
	return fmt.Sprintf("%s: %s (%s)", e, what, how)
}
