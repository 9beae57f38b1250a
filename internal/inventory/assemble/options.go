package assemble

import (
	"strconv"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/no"
)

// optionFeed has the network options of AIX.
type optionFeed struct{ *hostBuilder }

var optionRows = []row{
	{"no-a", feeds(2, optionFeed.options)},
	{"no-L no-o", feeds(3, optionFeed.options)},
}

// options reads no -a, which has the running values, and no -L, which has the
// running, next-boot and default ones.
func (b optionFeed) options(o Output, t *no.Tunables) {
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
