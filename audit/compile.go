package audit

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"

	"seaworthy/catalog"
)

// Set is a list of rules, compiled. It can be used for many fleets, also at
// the same time.
type Set struct {
	rules     []compiled
	mentioned map[string]bool // attributes they speak about
}

// Has says whether a rule of that id, in any case of letters, is in the set.
func (set *Set) Has(id string) bool {
	return slices.ContainsFunc(set.rules, func(c compiled) bool { return strings.EqualFold(c.rule.ID, id) })
}

// Rule gives a rule of the set by its id, or false.
func (set *Set) Rule(id string) (catalog.Rule, bool) {
	for i := range set.rules {
		if set.rules[i].rule.ID == id {
			return set.rules[i].rule, true
		}
	}
	return catalog.Rule{}, false
}

type compiled struct {
	rule   catalog.Rule
	checks []check
}

type check struct {
	catalog.Check
	when      *expression // nil: always
	condition *expression
	grades    []*expression
	remedy    []remedy
	advice    []*expression // nil: always
	evidence  []*expression
	affects   *expression
}

type remedy struct {
	catalog.Remedy
	of    *expression
	value *expression
	when  *expression
}

// Compile makes rules ready to judge by. A site's own are compiled at once, and
// the error names each that does not compile, with its file; the built-in ones,
// which tests have compiled, when they are first asked.
func Compile(rules []catalog.Rule) (*Set, error) {
	set := &Set{mentioned: mentioned(rules)}
	var errs []error
	for _, r := range rules {
		c := compiled{rule: r}
		for _, k := range r.Checks {
			c.checks = append(c.checks, compileCheck(k))
		}
		if !r.BuiltIn {
			errs = append(errs, c.verify())
		}
		set.rules = append(set.rules, c)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return set, nil
}

func condition(source string) *expression { return compiledAs(source, cel.BoolType, cel.DynType) }

func related(source string) *expression {
	return compiledAs(source, cel.ListType(elementType), elementType)
}

func compileCheck(k catalog.Check) check {
	out := check{Check: k, when: condition(k.When), condition: condition(k.Condition), affects: related(k.Affects)}
	for _, g := range k.Grades {
		out.grades = append(out.grades, condition(g.When))
	}
	for _, a := range k.Advice {
		out.advice = append(out.advice, condition(a.When))
	}
	for _, source := range k.Evidence {
		out.evidence = append(out.evidence, compiledAs(source, cel.StringType, cel.IntType, cel.DoubleType, cel.BoolType))
	}
	for _, m := range k.Remedy {
		r := remedy{Remedy: m, of: related(m.Of), when: condition(m.When)}
		if source, ok := strings.CutPrefix(m.Value, "="); ok {
			r.value = compiledAs(source, cel.IntType, cel.StringType)
		}
		out.remedy = append(out.remedy, r)
	}
	return out
}

// verify compiles all expressions of a rule and looks for attributes that the
// catalogue does not have.
func (c *compiled) verify() error {
	var errs []error
	for i, k := range c.checks {
		for what, x := range k.expressions() {
			err := x.verify()
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: rule %s: check %d: %s: %w", c.rule.File, c.rule.ID, i+1, what, err))
			}
		}
	}
	return errors.Join(errs...)
}

// expressions gives those of a check, each with the key under which it stands.
func (k *check) expressions() iter.Seq2[string, *expression] {
	return func(yield func(string, *expression) bool) {
		each := func(what string, list ...*expression) bool {
			for _, x := range list {
				if x != nil && !yield(what, x) {
					return false
				}
			}
			return true
		}
		if !each("when", k.when) || !each("condition", k.condition) || !each("grades", k.grades...) || !each("advice", k.advice...) ||
			!each("evidence", k.evidence...) || !each("affects", k.affects) {
			return
		}
		for _, m := range k.remedy {
			if !each("remedy "+m.Attr, m.of, m.value, m.when) {
				return
			}
		}
	}
}

// verify compiles an expression; an attribute that the catalogue does not have
// is an error.
func (x *expression) verify() error {
	if _, err := x.program(); err != nil {
		return err
	}
	cat, err := catalog.Load()
	if err != nil {
		return err
	}
	names, err := attributesIn(x.source)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !cat.Knows(name) {
			return fmt.Errorf("%q: there is no attribute %s (seaworthy attributes ls)", x.source, name)
		}
	}
	return nil
}
