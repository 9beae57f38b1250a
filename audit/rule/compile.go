package rule

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"seaworthy/audit/expr"
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
	when      *expr.Expression // nil: always
	condition *expr.Expression
	grades    []*expr.Expression
	remedy    []remedy
	advice    []*expr.Expression // nil: always
	evidence  []*expr.Expression
	affects   *expr.Expression
	harm      *expr.Expression
	all       []keyed // the above
}

// keyed is an expression with its key in a check.
type keyed struct {
	key string
	is  *expr.Expression
}

type remedy struct {
	catalog.Remedy
	of    *expr.Expression
	value *expr.Expression
	when  *expr.Expression
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

func compileCheck(k catalog.Check) check {
	out := check{Check: k}
	use := func(key string, compile func(string) *expr.Expression, source string) *expr.Expression {
		x := compile(source)
		if x != nil {
			out.all = append(out.all, keyed{key, x})
		}
		return x
	}
	out.when, out.condition = use("when", expr.Condition, k.When), use("condition", expr.Condition, k.Condition)
	for _, g := range k.Grades {
		out.grades = append(out.grades, use("grades", expr.Condition, g.When))
	}
	for _, a := range k.Advice {
		out.advice = append(out.advice, use("advice", expr.Condition, a.When))
	}
	for _, source := range k.Evidence {
		out.evidence = append(out.evidence, use("evidence", expr.Value, source))
	}
	out.affects, out.harm = use("affects", expr.Related, k.Affects), use("harm", expr.Value, k.Harm)
	for _, m := range k.Remedy {
		key := "remedy " + m.Attr
		r := remedy{Remedy: m, of: use(key, expr.Related, m.Of), when: use(key, expr.Condition, m.When)}
		if source, ok := strings.CutPrefix(m.Value, "="); ok {
			r.value = use(key, expr.Value, source)
		}
		out.remedy = append(out.remedy, r)
	}
	return out
}

// verify compiles all expressions of a rule and looks for attributes that the
// catalogue does not have.
func (c *compiled) verify() error {
	cat, err := catalog.Load()
	if err != nil {
		return err
	}
	var errs []error
	for i, k := range c.checks {
		bad := func(key string, err error) {
			errs = append(errs, fmt.Errorf("%s: rule %s: check %d: %s: %w", c.rule.File, c.rule.ID, i+1, key, err))
		}
		for _, x := range k.all {
			if err := x.is.Verify(); err != nil {
				bad(x.key, err)
			}
		}
		for _, m := range k.remedy {
			if !cat.Knows(m.Attr) {
				bad("remedy", fmt.Errorf("there is no attribute %s (seaworthy attributes ls)", m.Attr))
			}
		}
	}
	return errors.Join(errs...)
}

var quoted = regexp.MustCompile(`"([a-z0-9_.]+)"`)

// mentioned are the attributes that rules have an opinion about.
func mentioned(rules []catalog.Rule) map[string]bool {
	out := map[string]bool{}
	read := func(text string) {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
	}
	for _, r := range rules {
		for _, k := range r.Checks {
			read(k.When)
			read(k.Condition)
			for _, m := range k.Remedy {
				out[m.Attr] = true
			}
		}
	}
	return out
}

// Asks says whether a rule of the set, or a property that rules use, asks for a
// fact of that name.
func (set *Set) Asks(name string) bool {
	cat, err := catalog.Load()
	return set.mentioned[name] || err == nil && cat.Fact(name).Meaning != ""
}
