package graph

import (
	"strings"

	"seaworthy/internal/inventory/model"
)

// Element is an inventory element with its place in the fleet.
type Element struct {
	Kind     string
	Name     string
	Host     string
	Platform string
	Machine  string // managed system; empty if not known
	Driver   string

	Of     *model.Host
	Is     *model.Element
	Pools  []*Element // the same adapter, each as one of its receive pools
	Pool   *model.Buffer
	Source string // of an unread client: the HMC that knows it

	graph    *Graph
	down, up []Edge // what it uses, and what uses it; see Down

	asked, used bool // see findUsed
}

// Kinds that are no element of the inventory but are judged like one.
const (
	KindHost     = "host"
	KindTunables = "tunables" // no or sysctl options
)

// Ref names the element.
func (e *Element) Ref() model.Ref { return model.Ref{Host: e.Host, Element: e.Name} }

func (e *Element) String() string { return e.Host + " " + e.Name }

// Missing is the error of a question that the inventory does not answer: it
// names the fact and, where one exists, the command that shows it.
type Missing struct{ Fact string }

func (m *Missing) Error() string { return "not known: " + m.Fact }

// Missing says that a fact about an element is not known. How is the command
// that shows it; it may be empty.
func (e *Element) Missing(what, how string) error {
	text := e.String() + ": " + what
	if how != "" {
		text += " (" + how + ")"
	}
	return &Missing{text}
}

// Layer is the layer of the catalogue that has an element's attributes.
func (e *Element) Layer() string {
	switch {
	case e.Linux():
		return "linux"
	case e.Kind == KindTunables:
		return "no"
	}
	return e.Kind
}

// Linux says whether the element is one of a Linux host, where adapter and
// interface are one.
func (e *Element) Linux() bool { return e.Of.Platform == model.Linux }

// Used says whether an element carries traffic or is meant to: a free port, or
// an interface that is down and has no address, is nobody's fault.
func (e *Element) Used() bool { return e.used }

// findUsed notes whether elements are used: e, and what is on top of it. Of devices that a text
// names in a circle none is used because of the others.
func findUsed(e *Element) {
	if !e.asked {
		e.asked = true
		e.used = carriesTraffic(e)
	}
}

// seenInUse reports whether the link of a device, or else its counters, show that it is used, where ip was not read.
func seenInUse(x *model.Element) bool {
	if x.LinkUp != nil {
		return *x.LinkUp
	}
	for _, n := range x.Counters.All() {
		if n > 0 {
			return true
		}
	}
	return false
}

func carriesTraffic(e *Element) bool {
	if e.Is.MemberOf != "" {
		return true
	}
	if e.Linux() && (len(e.Is.Addrs) > 0 || e.Is.Up != nil && *e.Is.Up) {
		return true
	}
	if e.Linux() && e.Is.Up == nil && seenInUse(e.Is) {
		return true
	}
	switch e.Is.Kind {
	case model.Interface:
		if e.Is.Up != nil {
			return *e.Is.Up
		}
		return len(e.Is.Addrs) > 0 || e.Is.Attrs["state"].Current() == "up"
	case model.SEA:
		return true
	case model.Physical, model.Virtual, model.VNIC, model.EtherChannel, model.VLANDevice:
		for _, x := range e.Above() {
			findUsed(x)
			if x.used {
				return true
			}
		}
		// Where no interface was read, what is on top of it is not known: on a
		// VIOS, whose ports are often free, a link must speak for it.
		return !e.graph.addressed[e.Host] && (e.Of.Platform == model.AIX || e.Is.LinkUp != nil && *e.Is.LinkUp)
	}
	return true
}

// isClient says whether an element is an LPAR's own adapter on a hypervisor
// switch.
func isClient(e *Element) bool {
	if e.Is.Kind != model.Virtual && !e.Linux() || e.Of.Serves(e.Is) || !e.Used() {
		return false
	}
	return onHypervisorSwitch(e)
}

// onHypervisorSwitch says whether an element is an adapter on a hypervisor switch.
func onHypervisorSwitch(e *Element) bool {
	return e.Is.Kind == model.Virtual || e.Linux() && strings.Contains(e.Is.Driver, "ibmveth")
}
