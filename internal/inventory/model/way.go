package model

import (
	"fmt"
	"slices"
	"strings"
)

// way is what is between an interface and the Ethernet switch.
type way struct {
	hops    []Hop
	inside  int    // hops before the hypervisor switch
	system  string // managed system whose hypervisor switch it passes
	vswitch string
	adapter Ref  // the virtual adapter on that switch
	tag     *int // VLAN of the frames' tag, if a VLAN device gives them one
	gaps    []Gap
}

func (f *Fleet) outward(iface Ref) *way {
	w := &way{}
	w.add(f, iface, "")
	el := f.Element(iface)
	switch {
	case el.On != "":
		f.descend(w, Ref{iface.Host, el.On}, "")
	case f.Host(iface.Host).Platform == Linux:
		f.below(w, iface, el)
	default:
		w.gap(iface, "its adapter is not known")
	}
	return w
}

func (w *way) gap(r Ref, why string) { w.gaps = append(w.gaps, Gap{What: r.String(), Why: why}) }

func (w *way) add(f *Fleet, r Ref, note string) {
	kind := "unknown"
	if el := f.Element(r); el != nil {
		kind = string(el.Kind)
	}
	w.hops = append(w.hops, Hop{Ref: &r, Kind: kind, Note: note})
}

// descend follows an adapter down to the wire.
func (f *Fleet) descend(w *way, r Ref, note string) {
	if len(w.hops) > 32 {
		w.gap(r, "elements refer to each other in a loop")
		return
	}
	w.add(f, r, note)
	el := f.Element(r)
	if el == nil {
		w.gap(r, "named by another element but not read itself")
		return
	}
	f.below(w, r, el)
}

// below follows what an element that is already on the way is built on.
func (f *Fleet) below(w *way, r Ref, el *Element) {
	if el.Tap != nil {
		note := ""
		if tap := f.Element(*el.Tap); tap != nil && tap.Guest != nil {
			note = "virtual machine " + tap.Guest.Name
		}
		f.descend(w, *el.Tap, note)
		return
	}
	switch el.Kind {
	case Interface, VLANDevice, Patch, TunnelPort:
		if el.Kind == VLANDevice && len(el.VLANs) == 1 {
			w.tag = &el.VLANs[0]
		}
		on, peer := Ref{r.Host, el.On}, Ref{r.Host, el.Peer}
		switch {
		case el.joins() && !w.met(peer):
			f.descend(w, peer, "peer of "+el.Name)
		case el.On != "":
			f.descend(w, on, "")
		case el.inward():
			f.bridge(w, r, el)
		case el.Kind == VLANDevice:
			w.gap(r, "the device below it is not known")
		case el.Driver == "virtio_net":
			w.gap(r, "which tap device of which KVM host carries it was not read (on that host: virsh dumpxml; bridge fdb show, "+
				"if the machine has sent in the last minutes)")
		}
		f.ports(w, r, el)
	case SEA:
		if el.Real == "" {
			w.gaps = append(w.gaps, unread(f.Host(r.Host), r, "its real adapter"))
			return
		}
		f.descend(w, Ref{r.Host, el.Real}, "real adapter")
	case EtherChannel:
		f.throughChannel(w, r, el)
	case Virtual:
		f.throughHypervisor(w, r, el)
	case VNIC:
		f.throughVNIC(w, r, el)
	}
}

// bridge follows a port that leads into the host to the bridge that it is part of.
func (f *Fleet) bridge(w *way, r Ref, el *Element) {
	at := Ref{r.Host, el.MemberOf}
	over := f.Element(at)
	if over == nil || !over.bridges() || w.met(at) {
		return
	}
	note := "port " + r.Element
	if el.PVID != nil {
		w.tag = el.PVID
		note += fmt.Sprintf(", VLAN %d", *el.PVID)
	}
	f.descend(w, at, note)
}

// met reports whether an element is on the way already.
func (w *way) met(r Ref) bool {
	return slices.ContainsFunc(w.hops, func(h Hop) bool { return h.Ref != nil && *h.Ref == r })
}

// ports follows a bridge: to its only port that leaves the host, or to a list of
// those there are; without one, to other bridges. No host shows which of several a
// frame takes.
func (f *Fleet) ports(w *way, r Ref, el *Element) {
	var out, patches []string
	for _, m := range el.Members {
		e := f.Element(Ref{r.Host, m})
		switch {
		case e == nil || w.met(Ref{r.Host, m}):
		case e.outward():
			out = append(out, m)
		case e.joins():
			patches = append(patches, m)
		}
	}
	if len(out) == 0 {
		out = patches
	}
	switch mode := el.Attrs["libvirt-forward"].Current(); {
	case len(out) > 0 || !el.bridges():
	case slices.Contains([]string{"nat", "route", "open"}, mode):
		w.gap(r, "libvirt hands its frames to the host's routes ("+mode+"), which decide the port that they leave by")
	default:
		w.gap(r, "none of its ports is known to lead out of the host: its frames stay there, or are routed")
	}
	if len(out) == 1 {
		f.descend(w, Ref{r.Host, out[0]}, "port of "+r.Element)
		return
	}
	for _, m := range out {
		w.add(f, Ref{r.Host, m}, "port of "+r.Element)
	}
}

func (f *Fleet) throughHypervisor(w *way, r Ref, el *Element) {
	w.inside = len(w.hops)
	w.system = f.Host(r.Host).MachineID
	w.vswitch, w.adapter = el.VSwitch, r
	bridges, gap := f.Bridging().On(f.Host(r.Host), el, w.tag)
	if gap != nil {
		w.hops = append(w.hops, Hop{Kind: HypervisorSwitch, Note: el.VSwitch})
		w.gaps = append(w.gaps, *gap)
		return
	}
	b := bridges[0]
	switch {
	case b.Standby != nil && *b.Standby:
		w.gaps = append(w.gaps, Gap{What: r.String() + " to its SEA", Why: fmt.Sprintf("%s is on standby for VLAN %d, and the SEA that "+
			"carries it was not read", b.SEA, b.VLAN)})
	case b.Standby == nil && len(bridges) > 1:
		w.gaps = append(w.gaps, Gap{What: r.String() + " to its SEA", Why: fmt.Sprintf("%s and %s both can carry VLAN %d, and which does "+
			"now was not read (entstat -d %s prints it for each trunk adapter)", b.SEA, bridges[1].SEA, b.VLAN, b.SEA.Element)})
	}
	note := fmt.Sprintf("VLAN %d", b.VLAN)
	if el.VSwitch != "" {
		note += " on " + el.VSwitch
	}
	if b.Counted {
		note += ", as the SEA counts its frames"
	}
	w.hops = append(w.hops, Hop{Kind: HypervisorSwitch, Note: note})
	w.add(f, Ref{b.SEA.Host, b.Trunk}, note)
	f.descend(w, b.SEA, "trunk "+b.Trunk)
}

// throughChannel follows an EtherChannel: to all its members where it spreads its
// frames over ports; down the one that carries them where it has only one, or a
// backup for it (Network Interface Backup, often over two virtual adapters).
func (f *Fleet) throughChannel(w *way, r Ref, el *Element) {
	names, note := el.Members, member
	backup := el.Backup()
	switch {
	case backup == "":
	case el.Channel == "backup":
		names, note = []string{backup}, "backup adapter, which carries the traffic now"
	case el.Channel == "":
		w.gap(r, "whether its backup adapter "+backup+" carries the traffic now was not read (entstat -d "+r.Element+")")
	default:
		note = "member of the primary channel"
	}
	if len(names) == 0 {
		w.gaps = append(w.gaps, unread(f.Host(r.Host), r, "what its members are"))
	}
	if len(names) == 1 {
		at := Ref{r.Host, names[0]}
		if m := f.Element(at); m != nil && (m.Kind == Virtual || m.Kind == VNIC) {
			f.descend(w, at, note)
			return
		}
	}
	for _, m := range names {
		w.add(f, Ref{r.Host, m}, note)
	}
}

// throughVNIC follows a vNIC to the port of the VIOS that carries it.
func (f *Fleet) throughVNIC(w *way, r Ref, el *Element) {
	for _, b := range el.Backing {
		at := Ref{b.Host, b.Device}
		if f.Element(at) == nil || b.Active != nil && !*b.Active {
			continue
		}
		note := "carries the vNIC as " + b.Server
		if b.Active == nil {
			note += ", if it is the active one"
		}
		w.add(f, at, note)
		return
	}
	var names []string
	for _, b := range el.Backing {
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
	w.gap(r, why)
}
