package graph

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// descent is the chain of elements that frames take from an interface to the Ethernet switch now.
type descent struct {
	from    *Element
	hops    []model.Hop
	passed  []*Element // of the hops those that were read, in their order
	inside  int        // hops before the hypervisor switch
	adapter *Element   // the virtual adapter on that switch; nil: it passes none
	tag     *int       // VLAN of the frames' tag, if a VLAN device gives them one
	gaps    []model.Gap
}

// newDescent follows an interface to the Ethernet switch.
func newDescent(e *Element) *descent {
	w := &descent{from: e}
	w.add(e.Ref(), e, "")
	on, stacked := firstDown(e, On)
	switch {
	case stacked:
		w.follow(on, "")
	case e.Linux():
		w.followBelow(e)
	default:
		w.gap(e.Ref(), "its adapter is not known")
	}
	return w
}

func (w *descent) gap(r model.Ref, why string) {
	w.gaps = append(w.gaps, model.Gap{What: r.String(), Why: why})
}

// add appends a hop; e is nil if it was not read.
func (w *descent) add(r model.Ref, e *Element, note string) {
	kind := "unknown"
	if e != nil {
		kind = string(e.Is.Kind)
		w.passed = append(w.passed, e)
	}
	w.hops = append(w.hops, model.Hop{Ref: &r, Kind: kind, Note: note})
}

// indexOf is the index of an element among the hops; -1 if it is none of them.
func (w *descent) indexOf(r model.Ref) int {
	return slices.IndexFunc(w.hops, func(h model.Hop) bool { return h.Ref != nil && *h.Ref == r })
}

// met reports whether an element is on the way already.
func (w *descent) met(r model.Ref) bool { return w.indexOf(r) >= 0 }

// vlan is the one of its frames on the hypervisor's switch: their tag, else the
// adapter's port VLAN; nil if neither is known.
func (w *descent) vlan() *int {
	if w.tag != nil {
		return w.tag
	}
	return w.adapter.Is.PVID
}

// follow takes an edge down, on to the wire.
func (w *descent) follow(x Edge, note string) { w.descend(x.Ref, x.To, note) }

func (w *descent) descend(r model.Ref, e *Element, note string) {
	if w.met(r) {
		w.gap(r, "elements refer to each other in a loop")
		return
	}
	w.add(r, e, note)
	if e == nil {
		w.gap(r, "named by another element but not read itself")
		return
	}
	w.followBelow(e)
}

// followBelow follows what an element that is already on the way is built on.
func (w *descent) followBelow(e *Element) {
	if tap, ok := firstDown(e, Tap); ok {
		note := ""
		if tap.To != nil && tap.To.Is.Guest != nil {
			note = "virtual machine " + tap.To.Is.Guest.Name
		}
		w.follow(tap, note)
		return
	}
	switch e.Is.Kind {
	case model.Interface, model.VLANDevice, model.Patch, model.TunnelPort:
		w.throughDevice(e)
	case model.SEA:
		real, known := firstDown(e, Real)
		if !known {
			w.gaps = append(w.gaps, unreadGap(e, "its real adapter"))
			return
		}
		w.follow(real, "real adapter")
	case model.EtherChannel:
		w.throughChannel(e)
	case model.Virtual:
		w.throughHypervisor(e)
	case model.VNIC:
		w.throughVNIC(e)
	}
}

// throughDevice follows an interface, a VLAN device, a port or a bridge of a host.
func (w *descent) throughDevice(e *Element) {
	if e.Is.Kind == model.VLANDevice && len(e.Is.VLANs) == 1 {
		w.tag = &e.Is.VLANs[0]
	}
	on, stacked := firstDown(e, On)
	peer, _ := firstDown(e, Peer)
	switch {
	case joinsBridges(e) && !w.met(peer.Ref):
		w.descend(model.Ref{Host: e.Host, Element: e.Is.Peer}, peer.To, "peer of "+e.Name)
	case stacked:
		w.follow(on, "")
	case leadsInward(e):
		w.throughBridge(e)
	case e.Is.Kind == model.VLANDevice:
		w.gap(e.Ref(), "the device below it is not known")
	case e.Is.Driver == "virtio_net":
		w.gap(e.Ref(), "which tap device of which KVM host carries it was not read (on that host: virsh dumpxml; bridge fdb show, "+
			"if the machine has sent in the last minutes)")
	}
	w.throughPorts(e)
}

// throughBridge follows a port that leads into the host to the bridge that it is part of.
func (w *descent) throughBridge(e *Element) {
	over := bridgeOf(e)
	if over == nil || w.met(over.Ref()) {
		return
	}
	note := "port " + e.Name
	if e.Is.PVID != nil {
		w.tag = e.Is.PVID
		note += fmt.Sprintf(", VLAN %d", *e.Is.PVID)
	}
	w.descend(over.Ref(), over, note)
}

// throughPorts follows a bridge: to its only port that leaves the host, or to a list of
// those there are; without one, to other bridges. No host shows which of several a
// frame takes.
func (w *descent) throughPorts(e *Element) {
	if !isBridge(e) {
		return
	}
	var out, patches []*Element
	for _, x := range e.Down(Member) {
		switch {
		case x.To == nil || w.met(x.Ref):
		case leadsOutward(x.To):
			out = append(out, x.To)
		case joinsBridges(x.To):
			patches = append(patches, x.To)
		}
	}
	if len(out) == 0 {
		out = patches
	}
	note := "port of " + e.Name
	switch mode := e.Is.Attrs["libvirt-forward"].Current(); {
	case len(out) == 1:
		w.descend(out[0].Ref(), out[0], note)
		return
	case len(out) > 0:
	case slices.Contains([]string{"nat", "route", "open"}, mode):
		w.gap(e.Ref(), "libvirt hands its frames to the host's routes ("+mode+"), which decide the port that they leave by")
	default:
		w.gap(e.Ref(), "none of its ports is known to lead out of the host: its frames stay there, or are routed")
	}
	for _, m := range out {
		w.add(m.Ref(), m, note)
	}
}

func (w *descent) throughHypervisor(e *Element) {
	w.inside, w.adapter = len(w.hops), e
	bridges, gap := e.BridgesOf(w.tag)
	if gap != nil {
		w.hops = append(w.hops, model.Hop{Kind: model.HypervisorSwitch, Note: e.Is.VSwitch})
		w.gaps = append(w.gaps, *gap)
		return
	}
	b := bridges[0]
	at := b.SEA.Ref()
	switch {
	case b.State == Standby:
		why := "no SEA that was read is active for it"
		if partners, err := b.SEA.Partners(); err == nil && len(partners) > 0 && len(bridges) == 1 {
			why = fmt.Sprintf("its partner %s does not carry it", partners[0].Ref())
		}
		w.gaps = append(w.gaps, *unbridgedGap(e, fmt.Sprintf("%s is on standby for VLAN %d, and %s", at, b.VLAN, why)))
	case b.State == Unknown && len(bridges) > 1:
		w.gaps = append(w.gaps, *unbridgedGap(e, fmt.Sprintf("%s and %s both can carry VLAN %d, and which does now was not read "+
			"(entstat -d %s prints it for each trunk adapter)", at, bridges[1].SEA.Ref(), b.VLAN, at.Element)))
	}
	note := fmt.Sprintf("VLAN %d", b.VLAN)
	if e.Is.VSwitch != "" {
		note += " on " + e.Is.VSwitch
	}
	if b.Counted {
		note += ", as the SEA counts its frames"
	}
	w.hops = append(w.hops, model.Hop{Kind: model.HypervisorSwitch, Note: note})
	w.add(b.Ref, b.To, note)
	w.descend(at, b.SEA, "trunk "+b.To.Name)
}

// throughChannel follows an EtherChannel: to all its members where it spreads its
// frames over ports; down the one that carries them where it has only one, or a
// backup for it (Network Interface Backup, often over two virtual adapters).
func (w *descent) throughChannel(e *Element) {
	edges, note := e.Down(Member), model.MemberNote
	backup := e.Is.Backup()
	switch {
	case backup == "":
	case e.Is.Channel == "backup":
		edges, note = e.Down(Backup), "backup adapter, which carries the traffic now"
	case e.Is.Channel == "":
		w.gap(e.Ref(), "whether its backup adapter "+backup+" carries the traffic now was not read (entstat -d "+e.Name+")")
	default:
		note = "member of the primary channel"
	}
	if len(edges) == 0 {
		w.gaps = append(w.gaps, unreadGap(e, "what its members are"))
	}
	if len(edges) == 1 && edges[0].To != nil {
		if kind := edges[0].To.Is.Kind; kind == model.Virtual || kind == model.VNIC {
			w.follow(edges[0], note)
			return
		}
	}
	for _, x := range edges {
		w.add(x.Ref, x.To, note)
	}
}

// throughVNIC follows a vNIC to the port of the VIOS that carries it.
func (w *descent) throughVNIC(e *Element) {
	for _, x := range e.Down(Backing) {
		if x.To == nil || x.State == Standby {
			continue
		}
		note := "carries the vNIC as " + x.server()
		if x.State == Unknown {
			note += ", if it is the active one"
		}
		w.add(x.Ref, x.To, note)
		return
	}
	var names []string
	for _, b := range e.Is.Backing {
		port := b.Device
		if port == "" && b.LogicalPort != "" {
			port = "logical port " + b.LogicalPort
		}
		names = append(names, strings.TrimSpace(b.VIOS+" "+port))
	}
	why := "which port of which VIOS carries this vNIC was not read (on the VIOS: vnicstat, lsmap -all -vnic; on the HMC: lshwres -r " +
		"virtualio --rsubtype vnic --level lpar)"
	if len(names) > 0 {
		why = "it is carried by " + strings.Join(names, " or ") + ": that VIOS was not read, or does not say that it is active"
	}
	w.gap(e.Ref(), why)
}

// server is the VIOS's end of a Backing edge.
func (x Edge) server() string {
	for _, b := range x.From.Is.Backing {
		if b.Host == x.Ref.Host && b.Device == x.Ref.Element {
			return b.Server
		}
	}
	return ""
}

// unreadGap is the gap of an element that did not say what it is built on.
func unreadGap(e *Element, what string) model.Gap {
	by := "lsattr -El " + e.Name
	if e.Linux() {
		by = "ip -d link"
	}
	return model.Gap{What: e.Ref().String(), Why: what + " was not read (" + by + ")"}
}
