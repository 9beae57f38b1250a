package audit

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

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
	when      condition
	condition condition
	grades    []condition
	remedy    []remedy
	advice    []condition // nil: always
	affects   *vm.Program
}

type remedy struct {
	catalog.Remedy
	of    *vm.Program
	value *vm.Program
	when  condition
}

// Compile checks and compiles rules. Its error names every rule that does not
// compile, with its file.
func Compile(rules []catalog.Rule) (*Set, error) {
	set := &Set{mentioned: mentioned(rules), rules: make([]compiled, len(rules))}
	errs := make([]error, len(rules))
	var next atomic.Int64
	var wait sync.WaitGroup
	// One host is judged in less time than the rules take to compile: all
	// processors help.
	for range min(runtime.GOMAXPROCS(0), len(rules)) {
		wait.Go(func() {
			l := newLanguage((&session{seen: newTrace()}).vocabulary())
			for i := int(next.Add(1)) - 1; i < len(rules); i = int(next.Add(1)) - 1 {
				set.rules[i], errs[i] = compileRule(rules[i], l)
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return set, nil
}

func compileRule(r catalog.Rule, l *language) (compiled, error) {
	c := compiled{rule: r}
	var errs []error
	for i, k := range r.Checks {
		done, err := compileCheck(k, l)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: rule %s: check %d: %w", r.File, r.ID, i+1, err))
		}
		c.checks = append(c.checks, done)
	}
	return c, errors.Join(errs...)
}

func compileCheck(k catalog.Check, l *language) (check, error) {
	out := check{Check: k}
	var err error
	if out.when, err = l.optional(k.When); err != nil {
		return out, fmt.Errorf("when: %w", err)
	}
	if out.condition, err = l.condition(k.Condition); err != nil {
		return out, fmt.Errorf("condition: %w", err)
	}
	for _, g := range k.Grades {
		c, err := l.condition(g.When)
		if err != nil {
			return out, fmt.Errorf("grade: %w", err)
		}
		out.grades = append(out.grades, c)
	}
	for _, a := range k.Advice {
		c, err := l.optional(a.When)
		if err != nil {
			return out, fmt.Errorf("advice: %w", err)
		}
		out.advice = append(out.advice, c)
	}
	for _, m := range k.Remedy {
		r, err := compileRemedy(m, l)
		if err != nil {
			return out, fmt.Errorf("remedy %s: %w", m.Attr, err)
		}
		out.remedy = append(out.remedy, r)
	}
	if k.Affects != "" {
		if out.affects, _, err = l.value(k.Affects, l.outer()); err != nil {
			return out, fmt.Errorf("affects: %w", err)
		}
	}
	return out, nil
}

func compileRemedy(m catalog.Remedy, l *language) (remedy, error) {
	r := remedy{Remedy: m}
	var err error
	if m.Of != "" {
		if r.of, _, err = l.value(m.Of, l.outer()); err != nil {
			return r, err
		}
	}
	if r.when, err = l.optional(m.When); err != nil {
		return r, err
	}
	if m.Value != "" && m.Value[0] == '=' {
		r.value, _, err = l.value(m.Value[1:], l.outer())
	}
	return r, err
}

// elementsOf runs a program that gives one element or a list of them. What is
// unknown gives none.
func elementsOf(program *vm.Program, env map[string]any) ([]*element, error) {
	v, err := expr.Run(program, env)
	if u := (*unknown)(nil); errors.As(err, &u) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *element:
		return []*element{v}, nil
	case []*element:
		return v, nil
	case []any:
		var out []*element
		for _, x := range v {
			e, ok := x.(*element)
			if !ok {
				return nil, fmt.Errorf("%s: not a list of elements", program.Source().String())
			}
			out = append(out, e)
		}
		return out, nil
	case nil:
		return nil, nil
	}
	return nil, fmt.Errorf("%s: neither an element nor a list of them", program.Source().String())
}
