package assemble

import (
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsattr"
)

// attributeFeed has what the ODM says of devices: values, defaults, what is allowed.
type attributeFeed struct{ *hostBuilder }

var attributeRows = []row{
	{"lsattr-El lsdev-dev-attr", feeds(1, attributeFeed.attributes)},
	{"lsattr-Rl", feeds(2, attributeFeed.allowed)},
	{"lsattr-Dl", feeds(2, attributeFeed.defaults)},
}

// attributes reads lsattr -El, or lsdev -dev X -attr on a VIOS: the ODM.
func (b attributeFeed) attributes(o Output, l *lsattr.Listing) {
	if !b.valued(o, l) {
		return
	}
	if o.Element == "" {
		b.gap(o.Command, "no text names the device that has these attributes")
		return
	}
	if o.Element == "sys0" || o.Element == "inet0" {
		if o.Element == "sys0" {
			partitionFeed(b).system(o, l)
		} else {
			routeFeed(b).inet(l)
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
func (b attributeFeed) valued(o Output, l *lsattr.Listing) bool {
	ok := slices.ContainsFunc(l.Attributes, func(x lsattr.Attribute) bool { return x.Value != nil && x.Name != "" })
	if !ok {
		b.gap(o.Command, "no attribute with a value in what it printed")
	}
	return ok
}

func (b attributeFeed) defaults(o Output, l *lsattr.Listing) {
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

// choice is one line of lsattr -R: a value or a range with its step. What has
// blanks otherwise, or other signs, is a message.
var choice = parse.Lazy(`^[A-Za-z0-9_.:,/+-]+( \(\+[0-9a-fA-Fx]+\))?$`)

// allowed reads lsattr -R of one attribute.
func (b attributeFeed) allowed(o Output, l *lsattr.Listing) {
	e := b.host.Elements[o.Element]
	if e == nil || e.Attrs[o.Attribute] == nil {
		return
	}
	for _, c := range l.Allowed {
		if s := c.String(); !choice.MatchString(s) {
			b.gap(o.Command, "not a value that an attribute could have: "+quoted(s))
			return
		}
	}
	for _, c := range l.Allowed {
		e.Attrs[o.Attribute].Allowed = append(e.Attrs[o.Attribute].Allowed, c.String())
	}
}
