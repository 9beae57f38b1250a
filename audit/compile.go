package audit

import (
	"errors"
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"seaworthy/catalog"
)

// Set is a list of rules, compiled. It can be used for many fleets, also at
// the same time.
type Set struct{ rules []compiled }

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
	env := (&session{seen: newTrace()}).vocabulary()
	set := &Set{}
	var errs []error
	for _, r := range rules {
		c := compiled{rule: r}
		for i, k := range r.Checks {
			done, err := compileCheck(k, env)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: rule %s: check %d: %w", r.File, r.ID, i+1, err))
			}
			c.checks = append(c.checks, done)
		}
		set.rules = append(set.rules, c)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return set, nil
}

func compileCheck(k catalog.Check, env map[string]any) (check, error) {
	out := check{Check: k}
	var err error
	if out.when, err = optional(k.When, env); err != nil {
		return out, fmt.Errorf("when: %w", err)
	}
	if out.condition, err = compileCondition(k.Condition, env); err != nil {
		return out, fmt.Errorf("condition: %w", err)
	}
	for _, g := range k.Grades {
		c, err := compileCondition(g.When, env)
		if err != nil {
			return out, fmt.Errorf("grade: %w", err)
		}
		out.grades = append(out.grades, c)
	}
	for _, a := range k.Advice {
		c, err := optional(a.When, env)
		if err != nil {
			return out, fmt.Errorf("advice: %w", err)
		}
		out.advice = append(out.advice, c)
	}
	for _, m := range k.Remedy {
		r, err := compileRemedy(m, env)
		if err != nil {
			return out, fmt.Errorf("remedy %s: %w", m.Attr, err)
		}
		out.remedy = append(out.remedy, r)
	}
	if k.Affects != "" {
		if out.affects, err = compileValue(k.Affects, env); err != nil {
			return out, fmt.Errorf("affects: %w", err)
		}
	}
	return out, nil
}

func compileRemedy(m catalog.Remedy, env map[string]any) (remedy, error) {
	r := remedy{Remedy: m}
	var err error
	if m.Of != "" {
		if r.of, err = compileValue(m.Of, env); err != nil {
			return r, err
		}
	}
	if r.when, err = optional(m.When, env); err != nil {
		return r, err
	}
	if m.Value != "" && m.Value[0] == '=' {
		r.value, err = compileValue(m.Value[1:], env)
	}
	return r, err
}

func optional(src string, env map[string]any) (condition, error) {
	if src == "" {
		return nil, nil
	}
	return compileCondition(src, env)
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
