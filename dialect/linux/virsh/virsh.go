package virsh

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Domains is the output of virsh dumpxml.
type Domains struct {
	dialect.Report
	Domains []*Domain `json:"domains"`
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
	Type   string `xml:"type,attr"` // bridge, network, direct, ethernet, vhostuser, user
	MAC    Named  `xml:"mac"`
	Source Source `xml:"source"`
	Target Target `xml:"target"`
	Model  Model  `xml:"model"`
	Driver Driver `xml:"driver"`
}

// Named is an element with an address.
type Named struct {
	Address string `xml:"address,attr"`
}

// Source is what the host's end is connected to.
type Source struct {
	Bridge string `xml:"bridge,attr"` // of a network too, while the machine runs
}

// Target is the host's end.
type Target struct {
	Device string `xml:"dev,attr"` // vnet0, macvtap0
}

// Model is what the machine sees.
type Model struct {
	Type string `xml:"type,attr"` // virtio, e1000, rtl8139
}

// Driver says who moves the packets of a virtio interface.
type Driver struct {
	Name   string `xml:"name,attr"`   // vhost, qemu; empty: vhost where the host has it
	Queues string `xml:"queues,attr"` // empty: one
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

// Parse reads domains. Errors: dialect.ErrNotRecognised if there is not one whole.
func Parse(text []byte) (*Domains, error) {
	d := &Domains{}
	var one []dialect.Line // of the domain that is being read
	drop := func() {
		for _, l := range one {
			d.NotUnderstood(l)
		}
		one = nil
	}
	for _, l := range dialect.Lines(text, &d.Report) {
		if strings.HasPrefix(l.Text, "<domain ") {
			drop()
		} else if len(one) == 0 {
			d.NotUnderstood(l)
			continue
		}
		one = append(one, l)
		if !strings.HasSuffix(l.Text, "</domain>") {
			continue
		}
		if x := domain(one); x != nil {
			d.Domains, one = append(d.Domains, x), nil
		}
		drop()
	}
	drop()
	if len(d.Domains) == 0 {
		return nil, fmt.Errorf("virsh dumpxml: %w", dialect.ErrNotRecognised)
	}
	return d, nil
}

// domain is what some lines say; nil if they are damaged.
func domain(lines []dialect.Line) *Domain {
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.Text)
		text.WriteByte('\n')
	}
	d := &Domain{Line: lines[0].Number}
	if xml.Unmarshal([]byte(text.String()), d) != nil || d.Name == "" {
		return nil
	}
	return d
}
