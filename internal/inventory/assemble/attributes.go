package assemble

import (
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/lsattr"
)

// attributes reads lsattr -El, or lsdev -dev X -attr on a VIOS: the ODM.
func (b *builder) attributes(o Output, l *lsattr.Listing) {
	if !b.valued(o, l) {
		return
	}
	if o.Element == "" {
		b.gap(o.Command, "no text names the device that has these attributes")
		return
	}
	if o.Element == "sys0" || o.Element == "inet0" {
		if o.Element == "sys0" {
			b.system(o, l)
		} else {
			b.inet(l)
		}
		return
	}
	e := b.host.Elements[o.Element]
	if e == nil {
		kind := model.Adapter
		if iface(o.Element) {
			kind = model.Interface
		}
		e = b.element(o.Element, kind)
	}
	for _, x := range l.Attributes {
		if x.Name == "" {
			continue
		}
		if x.Value == nil {
			b.gap(o.Command, "the value of "+x.Name+" cannot be separated from its description")
			continue
		}
		a := attr(e.Attrs, x.Name)
		a.NextBoot = x.Value
		if can := x.Settable.Can(); can != nil {
			a.Settable = can
		}
		a.From = append(a.From, o.at(x.Line))
	}
	// One attribute may have been asked for; a list is all that there are.
	if len(l.Attributes) > 2 {
		b.odm[o.Element] = true
	}
	if e.Kind == model.Adapter {
		e.Kind = kindByAttributes(e.Attrs)
	}
}

// valued reports whether a listing gives any value: an error or another text in
// its place is a gap.
func (b *builder) valued(o Output, l *lsattr.Listing) bool {
	ok := slices.ContainsFunc(l.Attributes, func(x lsattr.Attribute) bool { return x.Value != nil && x.Name != "" })
	if !ok {
		b.gap(o.Command, "no attribute with a value in what it printed")
	}
	return ok
}

func (b *builder) defaults(o Output, l *lsattr.Listing) {
	e := b.host.Elements[o.Element]
	if !b.valued(o, l) || e == nil {
		return
	}
	for _, x := range l.Attributes {
		if a := e.Attrs[x.Name]; a != nil && x.Value != nil {
			a.Default = x.Value
		}
	}
}
