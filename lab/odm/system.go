package odm

import (
	"bytes"
	_ "embed"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"text/template"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

//go:embed devices.yaml
var devicesText string

var devicesTemplate = template.Must(template.New("devices.yaml").Funcs(template.FuncMap{
	"slot": topology.Slot, "port": portOf,
	"list": func(names []string) string { return strings.Join(names, ",") },
	"unit": func(adapter string) string { return strings.TrimPrefix(adapter, "ent") },
	"mask": func(p netip.Prefix) net.IP { return net.IP(net.CIDRMask(p.Bits(), 32)) },
}).Parse(devicesText))

// standing is devices.yaml, filled in for a node.
type standing struct {
	Devices []struct {
		Device      `yaml:",inline"`
		Known       map[string]string
		Fixed, Free []*Attribute
	}
	Schedo []*Attribute
}

// devices makes those of the node, and sets its routes and the options of schedo.
func (b *builder) devices() error {
	values := map[string]any{"Node": b.node, "System": b.sys, "Unit": Unit(b.sys), "Kbytes": b.node.MemoryMB << 10, "Gateway": "", "Route": ""}
	var processors []int
	for i := range b.node.VCPUs {
		processors = append(processors, 4*i)
	}
	values["Processors"] = processors
	for _, i := range b.node.Interfaces {
		if !i.Gateway.IsValid() {
			continue
		}
		b.data.routes = append(b.data.routes, Route{To: netip.PrefixFrom(netip.IPv4Unspecified(), 0), Via: i.Gateway, Dev: i.Name})
		if values["Route"] == "" {
			values["Route"] = fmt.Sprintf("net,-hopcount,0,,0,%s", i.Gateway)
		}
	}
	var static []string
	for _, r := range b.node.StaticRoutes() {
		b.data.routes = append(b.data.routes, Route{To: r.To, Via: r.Via, Dev: r.Interface})
		mask := net.IP(net.CIDRMask(r.To.Bits(), 32))
		static = append(static, fmt.Sprintf("net,-hopcount,0,-netmask,%s,,%s,%s", mask, r.To.Addr(), r.Via))
	}
	values["Static"] = static
	var text bytes.Buffer
	if err := devicesTemplate.Execute(&text, values); err != nil {
		return err
	}
	out := &standing{}
	if err := decode.YAML("devices.yaml", text.Bytes(), out); err != nil {
		return fmt.Errorf("%s: %w", b.node.Name, err)
	}
	for _, x := range out.Devices {
		for _, a := range append(x.Fixed, x.Free...) {
			a.Type, a.NextBoot, a.Default = "string", a.Running, a.Running
		}
		for _, a := range x.Free {
			a.Settable, a.Optional, a.Default = true, true, ""
		}
		switch {
		case x.Type == "ie3":
			x.Attrs = b.attributes(model.Interface, x.Type, x.Known)
		case x.Kind != "":
			x.Attrs = b.attributes(x.Kind, x.Type, x.Known)
		default:
			x.Attrs = append(x.Fixed, x.Free...)
		}
		b.data.devices = append(b.data.devices, &x.Device)
	}
	for _, a := range out.Schedo {
		a.Type, a.Command, a.Settable = "int", "schedo", true
		a.Running, a.NextBoot = a.Default, a.Default
	}
	b.data.tunables = out.Schedo
	return nil
}
