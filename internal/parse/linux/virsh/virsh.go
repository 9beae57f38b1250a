// Package virsh reads virtual machines and libvirt's networks as virsh dumpxml and
// net-dumpxml print them, one or several: what of the machines' interfaces and the
// networks' bridges matters to those of the KVM host.
package virsh

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Domains is the output of virsh dumpxml and net-dumpxml.
type Domains struct {
	parse.Report
	Domains  []*Domain  `json:"domains"`
	Networks []*Network `json:"networks,omitempty"`
}

// Network is one of libvirt's virtual networks.
type Network struct {
	Name    string `xml:"name"`
	Forward *struct {
		Mode string `xml:"mode,attr"` // empty: nat
	} `xml:"forward"` // nil: it is isolated
	Bridge struct {
		Name string `xml:"name,attr"`
	} `xml:"bridge"`
	MTU struct {
		Size string `xml:"size,attr"`
	} `xml:"mtu"`
	Line int `xml:"-" json:"-"` // 1-based, of its first line
}

// Mode is where a network's frames go: nat, route, open, bridge, isolated and others.
func (n *Network) Mode() string {
	switch {
	case n.Forward == nil:
		return "isolated"
	case n.Forward.Mode == "":
		return "nat"
	}
	return n.Forward.Mode
}

// Own says whether libvirt makes the network's bridge itself when the network starts.
func (n *Network) Own() bool {
	return n.Bridge.Name != "" && slices.Contains([]string{"nat", "route", "open", "isolated"}, n.Mode())
}

// Domain is one virtual machine.
type Domain struct {
	Name       string       `xml:"name"`
	CPUs       CPUs         `xml:"vcpu"`
	Interfaces []*Interface `xml:"devices>interface"`
	Line       int          `xml:"-" json:"-"` // 1-based, of its first line
}

// CPUs are those of a machine: as many as it may have, and as are online if not all.
type CPUs struct {
	Most    string `xml:",chardata"`
	Current string `xml:"current,attr"`
}

// Interface is a network interface of a machine. What is not said is empty.
type Interface struct {
	Type string `xml:"type,attr"` // bridge, network, direct, ethernet, vhostuser, user
	MAC  struct {
		Address string `xml:"address,attr"`
	} `xml:"mac"`
	Source struct { // what the host's end is connected to
		Bridge string `xml:"bridge,attr"` // of a network too, while the machine runs
	} `xml:"source"`
	Target struct { // the host's end
		Device string `xml:"dev,attr"` // vnet0, macvtap0
	} `xml:"target"`
	Model struct { // what the machine sees
		Type string `xml:"type,attr"` // virtio, e1000, rtl8139
	} `xml:"model"`
	Driver struct { // who moves the packets of a virtio interface
		Name   string `xml:"name,attr"`   // vhost, qemu; empty: vhost where the host has it
		Queues string `xml:"queues,attr"` // empty: one
	} `xml:"driver"`
}

// Online are the machine's CPUs; nil if they are not said.
func (d *Domain) Online() *int {
	for _, s := range []string{d.CPUs.Current, d.CPUs.Most} {
		if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && n > 0 {
			return &n
		}
	}
	return nil
}

// Parse reads domains and networks. Errors: parse.ErrNotRecognised if there is not one whole.
func Parse(text []byte) (*Domains, error) {
	d := &Domains{}
	var one []parse.Line // of the domain or network that is being read
	end, comment := "", false
	drop := func() { d.Unknown, one = append(d.Unknown, one...), nil }
	for _, l := range parse.Lines(text, &d.Report) {
		body := strings.TrimSpace(l.Text)
		m := begins.FindStringSubmatch(body)
		switch {
		case m != nil:
			drop()
			end = "</" + m[1] + ">"
		case len(one) > 0:
		case comment || strings.HasPrefix(body, "<!--"): // libvirt's own files begin with one
			comment = !strings.HasSuffix(body, "-->")
			continue
		default:
			d.NotUnderstood(l)
			continue
		}
		one = append(one, l)
		if strings.HasSuffix(body, end) {
			if d.read(one) {
				one = nil
			}
			drop()
		}
	}
	drop()
	return parse.Recognised(d, len(d.Domains)+len(d.Networks) > 0)
}

var begins = parse.Lazy(`^<(domain|network)(?: [^>]*)?>`)

// read takes a domain or a network; false if its lines are damaged.
func (d *Domains) read(lines []parse.Line) bool {
	var text bytes.Buffer
	for _, l := range lines {
		text.WriteString(l.Text + "\n")
	}
	decode := func(v any) bool { return xml.Unmarshal(text.Bytes(), v) == nil }
	m, n := &Domain{Line: lines[0].Number}, &Network{Line: lines[0].Number}
	switch domain := strings.HasPrefix(strings.TrimSpace(lines[0].Text), "<domain"); {
	case domain && decode(m) && m.Name != "":
		d.Domains = append(d.Domains, m)
	case !domain && decode(n) && n.Name != "":
		d.Networks = append(d.Networks, n)
	default:
		return false
	}
	return true
}
