package predict

import (
	"fmt"
	"slices"
	"strconv"

	"seaworthy/inventory"
)

// builder reads the settings of a path into what the model sees.
type builder struct {
	fleet  *inventory.Fleet
	path   *inventory.Path
	values Values
	s      *Setup
}

func (b *builder) unknown(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.s.Unknown, text) {
		b.s.Unknown = append(b.s.Unknown, text)
	}
}

func (b *builder) assume(from, format string, args ...any) {
	b.s.Assumed = append(b.s.Assumed, Assumption{fmt.Sprintf(format, args...), from})
}

// of is an attribute as it would be; "" if it is not known.
func (b *builder) of(at inventory.Ref, attr string) string {
	if v, ok := b.values[Target{at, attr}]; ok {
		return v
	}
	if el := b.fleet.Element(at); el != nil {
		return el.Attrs[attr].Current()
	}
	return ""
}

// need is an attribute without which nothing can be predicted.
func (b *builder) need(at inventory.Ref, attr string) string {
	v := b.of(at, attr)
	if v == "" {
		b.unknown("%s of %s was not read", attr, at)
	}
	return v
}

func (b *builder) number(at inventory.Ref, attr string) float64 {
	v, err := strconv.ParseFloat(b.need(at, attr), 64)
	if err != nil || v <= 0 {
		b.unknown("%s of %s is no number", attr, at)
		return 0
	}
	return v
}
