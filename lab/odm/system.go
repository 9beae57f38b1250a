package odm

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/netip"
	"text/template"

	"seaworthy/document"
)

//go:embed devices.yaml
var devicesText string

var devicesTemplate = template.Must(template.New("devices.yaml").Parse(devicesText))

// standing is devices.yaml, filled in for a node.
type standing struct {
	First, Last []struct {
		Device      `yaml:",inline"`
		Fixed, Free []*Attribute
	}
	Schedo []*Attribute
}

// system reads what every node has, and sets its routes.
func (b *builder) system() (*standing, error) {
	values := map[string]any{"Node": b.node, "System": b.sys, "Kbytes": b.node.MemoryMB << 10, "Gateway": "", "Route": ""}
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
	var text bytes.Buffer
	if err := devicesTemplate.Execute(&text, values); err != nil {
		return nil, err
	}
	out := &standing{}
	if err := document.YAML("devices.yaml", text.Bytes(), out); err != nil {
		return nil, fmt.Errorf("%s: %w", b.node.Name, err)
	}
	for _, x := range append(out.First, out.Last...) {
		for _, a := range append(x.Fixed, x.Free...) {
			a.Type, a.NextBoot, a.Default = "string", a.Running, a.Running
		}
		for _, a := range x.Free {
			a.Settable, a.Optional, a.Default = true, true, ""
		}
	}
	for _, a := range out.Schedo {
		a.Type, a.Command, a.Settable, a.Running, a.NextBoot = "int", "schedo", true, a.Default, a.Default
	}
	return out, nil
}
