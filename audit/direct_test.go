package audit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/expr-lang/expr/vm"
	"github.com/google/go-cmp/cmp"

	"seaworthy/catalog"
)

// questions are the conditions of all rules that end in a program.
func questions(set *Set) (leaves []leaf, lists []quantifier) {
	var walk func(c condition)
	walk = func(c condition) {
		switch c := c.(type) {
		case leaf:
			leaves = append(leaves, c)
		case negation:
			walk(c.inner)
		case junction:
			walk(c.left)
			walk(c.right)
		case choice:
			walk(c.cond)
			walk(c.then)
			walk(c.other)
		case quantifier:
			lists = append(lists, c)
			walk(c.body)
		}
	}
	for _, r := range set.rules {
		for _, k := range r.checks {
			if k.when != nil {
				walk(k.when)
			}
			walk(k.condition)
		}
	}
	return leaves, lists
}

func source(t *testing.T, program func() (*vm.Program, error)) string {
	t.Helper()
	p, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return p.Source().String()
}

// What is asked directly gets the machine's answer and leaves its evidence, of
// every element of the fleets that the rules are tested with, the right and the
// wrong kinds.
func TestDirectAnswersAsTheMachine(t *testing.T) {
	set := builtIn(t)
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	leaves, lists := questions(set)
	direct := 0
	for _, name := range []string{"two-systems", "dedicated", "pair", "linux"} {
		f := fleet(t, name, nil)
		joins := link(f)
		s := set.session(joins, cat, Options{})
		var all []*element
		for _, host := range slices.Sorted(maps.Keys(joins.byHost)) {
			all = append(all, joins.byHost[host]...)
		}
		for _, e := range all {
			env := s.words
			env["el"], env["_0"], env["_1"] = e, e, e
			for _, l := range leaves {
				if l.direct == nil {
					continue
				}
				direct++
				got := said(s, func() (any, error) { return l.decide(env) })
				want := said(s, func() (any, error) { return leaf{program: l.program}.decide(env) })
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s on %s (-machine +direct):\n%s", source(t, l.program), e, d)
				}
			}
			for _, q := range lists {
				if q.direct == nil {
					continue
				}
				q.body = leaf{direct: func(map[string]any) (bool, error) { return false, nil }}
				slow := q
				slow.direct = nil
				got := said(s, func() (any, error) { return q.decide(env) })
				want := said(s, func() (any, error) { return slow.decide(env) })
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s(%s) on %s (-machine +direct):\n%s", q.name, source(t, q.list), e, d)
				}
				env["_0"], env["_1"] = e, e
			}
		}
	}
	if direct == 0 {
		t.Error("no question was asked directly, want most")
	}
}

// said is an answer, its error and the evidence it left.
func said(s *session, ask func() (any, error)) string {
	s.seen = newTrace()
	a, err := ask()
	return fmt.Sprintf("%+v %v %+v", a, err, *s.seen)
}

// A word that fails, or panics, directly is left to the machine.
func TestDirectLeavesTheRestToTheMachine(t *testing.T) {
	one := &element{Name: "en0"}
	env := map[string]any{"el": one}
	for name, d := range map[string]direct[bool]{
		"none":  nil,
		"error": func(map[string]any) (bool, error) { return true, errors.New("odd") },
		"panic": func(map[string]any) (bool, error) { panic("odd") },
	} {
		if v, unsaid, ok := asked(d, env); ok {
			t.Errorf("%s: got %v, %v, want it left to the machine", name, v, unsaid)
		}
	}
	unsaid := func(map[string]any) (bool, error) { return false, missing("mtu") }
	if _, u, ok := asked(unsaid, env); !ok || u == nil || u.what[0] != "mtu" {
		t.Errorf("unknown: got %v, %v, want what is missing", u, ok)
	}
}

func BenchmarkDirect(b *testing.B) {
	f := fleet(b, "two-systems", nil)
	set := builtIn(b)
	cat, err := catalog.Load()
	if err != nil {
		b.Fatal(err)
	}
	s := set.session(link(f), cat, Options{})
	l := newLanguage(s.words)
	c, err := l.condition("used(el)")
	if err != nil {
		b.Fatal(err)
	}
	env := s.words
	env["el"] = s.joins.byHost[f.Hosts[0].Name][0]
	for name, x := range map[string]condition{"direct": c, "machine": leaf{program: c.(leaf).program}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.decide(env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
