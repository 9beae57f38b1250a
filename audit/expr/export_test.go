package expr

import (
	"maps"
	"slices"

	"cel.dev/cel-go/cel"
)

// PropertyNames are those of an element.
func PropertyNames() []string { return slices.Sorted(maps.Keys(properties["element"])) }

// Anything is an expression of whatever type a property has.
func Anything(source string) *Expression {
	var all []*cel.Type
	for _, p := range properties["element"] {
		all = append(all, p.gives)
	}
	return compiledAs(source, all...)
}
