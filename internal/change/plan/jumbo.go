package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// jumboMTU is the MTU of jumbo frames.
const jumboMTU = "9000"

// Jumbo are the settings with which jumbo frames pass between hosts, each given as HOST or
// HOST:INTERFACE: of the interface at each end, of what is below it, and of every SEA that
// can carry its VLAN, with the EtherChannel and ports below. The error says what of the
// path was not read.
func Jumbo(ctx context.Context, fleet *model.Fleet, hosts []string) ([]DesiredSetting, error) {
	g, err := graph.New(ctx, fleet)
	if err != nil {
		return nil, fmt.Errorf("jumbo frames: %w", err)
	}
	if len(hosts) < 2 {
		return nil, errors.New("jumbo frames: two hosts are needed")
	}
	var ends []*graph.Element
	for _, other := range hosts[1:] {
		path, err := g.Path(hosts[0], other)
		if err != nil {
			return nil, fmt.Errorf("jumbo frames between %s and %s: %w", hosts[0], other, err)
		}
		for _, end := range []model.Ref{path.From, path.To} {
			if e := g.At(end); !slices.Contains(ends, e) {
				ends = append(ends, e)
			}
		}
	}
	var out []DesiredSetting
	for _, end := range ends {
		list, err := carrying(end)
		if err != nil {
			return nil, fmt.Errorf("jumbo frames of %s: %w", end.Ref(), err)
		}
		for _, e := range list {
			for _, s := range jumboSettings(e) {
				if !slices.Contains(out, s) {
					out = append(out, s)
				}
			}
		}
	}
	return out, nil
}

// carrying are the interface itself and what its frames can pass, both SEAs of a pair among it.
func carrying(end *graph.Element) ([]*graph.Element, error) {
	list := append([]*graph.Element{end}, end.Below()...)
	trunks, err := end.Carriers()
	if err != nil {
		return nil, err
	}
	for _, trunk := range trunks {
		sea := trunk.SEA()
		if sea != nil && !slices.Contains(list, sea) {
			list = append(append(list, sea), sea.Below()...)
		}
	}
	return list, nil
}

// jumboSettings are those of one element, if it has any.
func jumboSettings(e *graph.Element) []DesiredSetting {
	var out []DesiredSetting
	for _, want := range []struct {
		role  knowledge.Role
		value string
	}{{knowledge.FrameSize, jumboMTU}, {knowledge.JumboFrames, "yes"}} {
		name := knowledge.BuiltIn().ByRole(e.Layer(), want.role)
		if e.Is.Attrs[name] != nil {
			out = append(out, DesiredSetting{Setting: finding.Setting{Ref: e.Ref(), Attr: name, Value: want.value}})
		}
	}
	return out
}
