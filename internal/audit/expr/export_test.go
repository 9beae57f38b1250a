package expr

import (
	"maps"
	"slices"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"seaworthy/internal/knowledge"
)

// PropertyNames are those of an element.
func PropertyNames(cat *knowledge.Catalog) []string {
	return slices.Sorted(maps.Keys(properties(cat, nil)))
}

// Anything is an expression of whatever type a property has.
func Anything(source string) *Expression {
	var all []*cel.Type
	for _, p := range builtIn {
		all = append(all, p.gives)
	}
	return compiledAs(source, append(all, cel.ListType(types.BoolType), cel.ListType(types.DynType)))
}

// Within sets how long nested loops may take.
func (s *Session) Within(d time.Duration) { s.longest = d }
