package odm

import (
	"fmt"
	"net/netip"
	"strconv"
)

// Devices that are no part of the network path, but that tools ask for.

func fixed(name, label, v string) *Attribute {
	return &Attribute{Name: name, Label: label, Default: v, Running: v, NextBoot: v, Type: "string"}
}

func free(name, label, v string) *Attribute {
	a := fixed(name, label, v)
	a.Settable, a.Optional, a.Default = true, true, ""
	return a
}

func (b *builder) system() {
	kb := strconv.Itoa(b.node.MemoryMB << 10)
	b.add(Device{Name: "sys0", Class: "sys", Subclass: "node", Type: "chrp", Description: "System Object"}, []*Attribute{
		fixed("modelname", "Machine name", "IBM,"+b.sys.Model),
		fixed("os_uuid", "N/A", ""),
		fixed("realmem", "Amount of usable physical memory in Kbytes", kb),
		fixed("systemid", "Hardware system identifier", fmt.Sprintf("IBM,02%s", b.sys.Serial)),
	})
	mb := strconv.Itoa(b.node.MemoryMB)
	b.add(Device{Name: "mem0", Class: "memory", Subclass: "sys", Type: "totmem", Description: "Memory"}, []*Attribute{
		fixed("goodsize", "Amount of usable physical memory in Mbytes", mb),
		fixed("size", "Total amount of physical memory in Mbytes", mb),
	})
	for i := range b.node.VCPUs {
		b.add(Device{Name: fmt.Sprintf("proc%d", 4*i), Class: "processor", Subclass: "sys",
			Type: "proc_rspc", Location: fmt.Sprintf("00-%02d", 4*i), Description: "Processor"}, nil)
	}
	b.add(Device{Name: "vio0", Class: "bus", Subclass: "chrp", Type: "vdevice", Description: "Virtual I/O Bus"}, nil)
}

func (b *builder) loopback() {
	b.add(Device{Name: "lo0", Class: "if", Subclass: "LO", Type: "lo", Description: "Loopback Network Interface"}, []*Attribute{
		free("mtu", "Maximum IP Packet Size for This Device", "16896"),
		free("netaddr", "Internet Address", "127.0.0.1"),
		free("netmask", "Subnet Mask", "255.0.0.0"),
		free("state", "Current Interface Status", "up"),
	})
}

// inet adds inet0 with the node's default route.
func (b *builder) inet() {
	gateway, route := "", ""
	for _, i := range b.node.Interfaces {
		if !i.Gateway.IsValid() {
			continue
		}
		b.s.data.Routes = append(b.s.data.Routes, Route{To: netip.PrefixFrom(netip.IPv4Unspecified(), 0), Via: i.Gateway, Dev: i.Name})
		if route == "" {
			route = fmt.Sprintf("net,-hopcount,0,,0,%s", i.Gateway)
		}
	}
	b.add(Device{Name: "inet0", Class: "tcpip", Subclass: "TCPIP", Type: "inet", Description: "Internet Network Extension"}, []*Attribute{
		free("authm", "Authentication Methods", "65536"),
		free("bootup_option", "Use BSD-style Network Configuration", "no"),
		free("gateway", "Gateway", gateway),
		free("hostname", "Host Name", b.node.Name),
		free("rout6", "IPv6 Route", ""),
		free("route", "Route", route),
	})
}
