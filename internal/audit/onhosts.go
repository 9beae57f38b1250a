package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// OnHost is an attribute as a host itself has it: values, and the default
// (lsattr -D, no -L) and range (lsattr -R, no -L) that it gives. Nil and empty:
// not said. What a host says wins over the catalogue.
type OnHost struct {
	model.Ref
	Layer    string   `json:"layer"`
	Level    string   `json:"level,omitempty"`
	Running  *string  `json:"running,omitempty"`
	NextBoot *string  `json:"next_boot,omitempty"`
	Default  *string  `json:"default,omitempty"`
	Allowed  []string `json:"allowed,omitempty"`
	Differs  []string `json:"differs,omitempty"` // where the catalogue has something else
}

// OnHosts gives every place of a fleet that has an attribute, in the order of
// hosts and elements. The error is the context's.
func OnHosts(ctx context.Context, f *model.Fleet, cat *knowledge.Catalog, name string) ([]OnHost, error) {
	out := []OnHost{}
	g, err := graph.New(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("attribute %s: %w", name, err)
	}
	for _, h := range f.Hosts {
		for _, e := range g.Of(h.Name) {
			a := e.Is.Attrs[name]
			if a == nil {
				continue
			}
			x := OnHost{Ref: e.Ref(), Layer: e.Layer(), Level: h.Level, Running: a.Running, NextBoot: a.NextBoot, Default: a.Default,
				Allowed: a.Allowed, Differs: []string{"the catalogue does not have it for this kind of element"}}
			if h.Platform == model.VIOS {
				x.Level = h.IOSLevel
			}
			if known, ok := cat.Attribute(x.Layer, name); ok {
				x.Differs = differences(known, &x)
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// differences says where the catalogue has another default or range than the host.
func differences(known *knowledge.Attribute, x *OnHost) []string {
	var out []string
	same := func(d knowledge.Default) bool { return x.Default != nil && expr.Alike(d.Value, *x.Default) }
	usual, ok := known.Default(x.Level)
	if ok && x.Default != nil && !expr.Alike(usual, *x.Default) && !slices.ContainsFunc(known.Implied, same) {
		text := fmt.Sprintf("its default is %s, the catalogue has %s", cmp.Or(*x.Default, "empty"), cmp.Or(usual, "empty"))
		if slices.ContainsFunc(known.Defaults, same) {
			text += " for this level"
		}
		out = append(out, text)
	}
	if len(x.Allowed) == 0 {
		return out
	}
	if len(known.Values) > 0 && !strings.Contains(strings.Join(x.Allowed, " "), "...") {
		less := slices.DeleteFunc(slices.Clone(known.Values), func(v string) bool { return slices.Contains(x.Allowed, v) })
		more := slices.DeleteFunc(slices.Clone(x.Allowed), func(v string) bool { return slices.Contains(known.Values, v) })
		if len(less) > 0 {
			out = append(out, "it does not allow "+strings.Join(less, ", ")+", which the catalogue has")
		}
		if len(more) > 0 {
			out = append(out, "it allows "+strings.Join(more, ", ")+", which the catalogue does not have")
		}
		return out
	}
	low, high, ok := expr.Range(x.Allowed)
	if ok && (known.Min != nil && *known.Min != low || known.Max != nil && *known.Max != high) {
		out = append(out, fmt.Sprintf("it allows %s, the catalogue has %s", strings.Join(x.Allowed, ", "), known.Allowed))
	}
	return out
}
