package assemble

import (
	"slices"
	"strconv"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/no"
)

// options reads no -a, which has the running values, and no -L, which has the
// running, next-boot and default ones.
func (b *builder) options(o Output, t *no.Tunables) {
	if b.host.Tunables == nil {
		b.host.Tunables = map[string]*model.Attr{}
	}
	for _, x := range t.Tunables {
		a := attr(b.host.Tunables, x.Name)
		set := func(to **string, v *no.Value) {
			if v != nil {
				*to = new(plain(*v))
			}
		}
		set(&a.Running, x.Current)
		set(&a.NextBoot, x.Boot)
		set(&a.Default, x.Default)
		if x.Current != nil {
			a.From = append(a.From, o.at(x.Line))
		}
	}
}

// plain spells 256K as 262144, so that values of both forms compare.
func plain(v no.Value) string {
	if n, ok := v.Uint(); ok {
		return strconv.FormatUint(n, 10)
	}
	return string(v)
}

// choice is one line of lsattr -R: a value or a range with its step. What has
// blanks otherwise, or other signs, is a message.
var choice = parse.Lazy(`^[A-Za-z0-9_.:,/+-]+( \(\+[0-9a-fA-Fx]+\))?$`)

// allowed reads lsattr -R of one attribute.
func (b *builder) allowed(o Output, l *lsattr.Listing) {
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

// lsmap says which trunk adapters belong to which SEA, where the SEA's own
// attributes were not to be had.
func (b *builder) lsmap(o Output, m *lsmap.Map) {
	b.servers(m)
	b.mapped(o, m)
	for _, a := range m.Adapters {
		if ethernet(a.Name) && located(a.PhysLoc) {
			b.place(o, a.Name, a.PhysLoc)
		}
		if !ethernet(a.Name) || !ethernet(a.SEA) {
			continue
		}
		sea := b.element(a.SEA, model.SEA)
		if !slices.Contains(sea.Trunks, a.Name) {
			sea.Trunks = append(sea.Trunks, a.Name)
		}
		if ethernet(a.Backing) {
			sea.Real = a.Backing
		}
	}
}
