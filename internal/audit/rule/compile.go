package rule

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/knowledge"
)

// Set is a list of rules, compiled. It can be used for many fleets, also at
// the same time.
type Set struct {
	rules     []knowledge.Rule
	compiled  map[source]*expr.Expression
	mentioned map[string]bool // attributes they speak about
	defects   map[string]*knowledge.Defect
}

// source is an expression of a check.
type source struct {
	kind expr.Kind
	text string
}

// Has says whether a rule of that id, in any case of letters, is in the set.
func (set *Set) Has(id string) bool {
	return slices.ContainsFunc(set.rules, func(r knowledge.Rule) bool { return strings.EqualFold(r.ID, id) })
}

// IDs are the ids of the rules, in their order.
func (set *Set) IDs() []string {
	ids := make([]string, 0, len(set.rules))
	for _, r := range set.rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// Rule gives a rule of the set by its id, or false.
func (set *Set) Rule(id string) (knowledge.Rule, bool) {
	i := slices.IndexFunc(set.rules, func(r knowledge.Rule) bool { return r.ID == id })
	if i < 0 {
		return knowledge.Rule{}, false
	}
	return set.rules[i], true
}

// Advising gives the rules of which a remedy for that kind of element sets the attribute to
// the value.
func (set *Set) Advising(kind, attr, value string) []knowledge.Rule {
	var out []knowledge.Rule
	for _, r := range set.rules {
		advises := slices.ContainsFunc(r.Checks, func(k knowledge.Check) bool {
			return slices.Contains(k.Kind, kind) && slices.ContainsFunc(k.Remedy, func(m knowledge.Remedy) bool {
				return m.Of == "" && m.Attr == attr && m.Value == value
			})
		})
		if advises {
			out = append(out, r)
		}
	}
	return out
}

// Compile makes rules ready to judge by. A site's own are compiled at once, and
// the error names each that does not compile, with its file; the built-in ones,
// which tests have compiled, when they are first asked.
func Compile(rules []knowledge.Rule) (*Set, error) {
	set := &Set{rules: rules, compiled: map[source]*expr.Expression{}, mentioned: mentioned(rules)}
	if err := set.know(rules); err != nil {
		return nil, err
	}
	var errs []error
	for _, r := range rules {
		for _, k := range r.Checks {
			for _, x := range sources(&k) {
				if set.compiled[x.source] == nil {
					set.compiled[x.source] = expr.New(x.kind, x.text)
				}
			}
		}
		if !r.BuiltIn {
			errs = append(errs, set.verify(&r))
		}
	}
	return set, errors.Join(errs...)
}

// know collects the defects that expressions may ask for: those of the program, and
// those that rules were made from.
func (set *Set) know(rules []knowledge.Rule) error {
	all, err := knowledge.Defects()
	if err != nil {
		return err
	}
	set.defects = map[string]*knowledge.Defect{}
	for i := range all {
		set.defects[all[i].ID] = &all[i]
	}
	for _, r := range rules {
		if r.Known != nil {
			set.defects[r.ID] = r.Known
		}
	}
	return nil
}

// Defects are the known defects of the set, in the order of their ids.
func (set *Set) Defects() []*knowledge.Defect {
	return slices.SortedFunc(maps.Values(set.defects), func(a, b *knowledge.Defect) int { return strings.Compare(a.ID, b.ID) })
}

// keyed is an expression with its key in a check.
type keyed struct {
	key string
	source
}

// sources are the expressions of a check.
func sources(k *knowledge.Check) []keyed {
	all := []keyed{{"when", source{expr.Condition, k.When}}, {"condition", source{expr.Condition, k.Condition}}}
	for _, g := range k.Grades {
		all = append(all, keyed{"grades", source{expr.Condition, g.When}})
	}
	for _, a := range k.Advice {
		all = append(all, keyed{"advice", source{expr.Condition, a.When}})
	}
	if k.Rare != "" {
		all = append(all, keyed{"rare", source{expr.Condition, k.Rare}})
	}
	if k.Sign != "" {
		all = append(all, keyed{"sign", source{expr.Condition, k.Sign}})
	}
	for _, text := range k.Evidence {
		all = append(all, keyed{"evidence", source{expr.Value, text}})
	}
	all = append(all, keyed{"affects", source{expr.Related, k.Affects}}, keyed{"harm", source{expr.Value, k.Harm}})
	for _, m := range k.Remedy {
		key := "remedy " + m.Attr
		value, _ := strings.CutPrefix(m.Value, "=")
		if value == m.Value {
			value = "" // a literal
		}
		all = append(all, keyed{key, source{expr.Related, m.Of}}, keyed{key, source{expr.Condition, m.When}},
			keyed{key, source{expr.Value, value}})
	}
	return slices.DeleteFunc(all, func(x keyed) bool { return x.text == "" })
}

// verify compiles all expressions of a rule and looks for attributes that the
// catalogue does not have.
func (set *Set) verify(r *knowledge.Rule) error {
	cat, err := knowledge.Load()
	if err != nil {
		return err
	}
	var errs []error
	for i, k := range r.Checks {
		bad := func(key string, err error) {
			errs = append(errs, fmt.Errorf("%s: rule %s: check %d: %s: %w", r.File, r.ID, i+1, key, err))
		}
		for _, x := range sources(&k) {
			if err := set.compiled[x.source].Verify(); err != nil {
				bad(x.key, err)
			}
		}
		for _, m := range k.Remedy {
			if !cat.Knows(m.Attr) {
				bad("remedy", fmt.Errorf("there is no attribute %s (seaworthy attributes ls)", m.Attr))
			}
		}
	}
	return errors.Join(errs...)
}

var quoted = regexp.MustCompile(`"([a-z0-9_.]+)"`)

// mentioned are the attributes that rules have an opinion about.
func mentioned(rules []knowledge.Rule) map[string]bool {
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
	cat, err := knowledge.Load()
	return set.mentioned[name] || err == nil && cat.Fact(name).Meaning != ""
}
