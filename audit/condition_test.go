package audit

import (
	"strings"
	"testing"
)

func TestThreeValues(t *testing.T) {
	s := &session{seen: newTrace()}
	words := map[string]any{
		"yes": func() bool { return true },
		"no":  func() bool { return false },
		"hm":  func(what string) (bool, error) { return false, missing(what) },
		"n":   func() (int, error) { return 0, missing("n") },
		"one": []int{1}, "many": []int{1, 2, 3}, "none_of_them": []int{},
		"list": func() ([]int, error) { return nil, missing("list") },
		"odd": func(i int) (bool, error) {
			if i == 2 {
				return false, missing("two")
			}
			return i%2 == 1, nil
		},
	}
	_ = s
	tests := []struct {
		src  string
		want truth
		what string // what is missing
	}{
		{`yes()`, yes, ""},
		{`not yes()`, no, ""},
		{`hm("a")`, open, "a"},
		{`not hm("a")`, open, "a"},
		{`no() and hm("a")`, no, ""},
		{`hm("a") and no()`, no, ""},
		{`yes() and hm("a")`, open, "a"},
		{`hm("a") && hm("b")`, open, "a,b"},
		{`yes() or hm("a")`, yes, ""},
		{`hm("a") or yes()`, yes, ""},
		{`hm("a") or no()`, open, "a"},
		{`hm("a") || hm("a")`, open, "a"},
		{`n() > 3 or yes()`, yes, ""},
		{`n() > 3`, open, "n"},
		{`hm("a") ? yes() : yes()`, yes, ""},
		{`hm("a") ? yes() : no()`, open, "a"},
		{`yes() ? hm("a") : no()`, open, "a"},
		{`any(many, odd(#))`, yes, ""},
		{`all(many, odd(#))`, open, "two"},
		{`any(many, # == 2 and odd(#))`, open, "two"},
		{`any(many, # > 5 and odd(2))`, no, ""},
		{`none(many, odd(#))`, no, ""},
		{`none(many, # == 2 and odd(#))`, open, "two"},
		{`all(none_of_them, no())`, yes, ""},
		{`any(none_of_them, yes())`, no, ""},
		{`any(list(), # == 1)`, open, "list"},
		{`any(many, any(one, # == 1) and # == 3)`, yes, ""},
		{`any(many, any([#, 7], # == 7 and odd(2)))`, open, "two"},
		{`len(filter(many, # > 1)) == 2`, yes, ""},
		{`any(many, len(filter(one, # == 1)) == 1 and # == 3)`, yes, ""},
	}
	for _, tt := range tests {
		c, err := newLanguage(words).condition(tt.src)
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		got, err := c.decide(words)
		if err != nil || got.truth != tt.want || strings.Join(got.missing, ",") != tt.what {
			t.Errorf("%s: got %d missing %q %v, want %d missing %q", tt.src, got.truth, got.missing, err, tt.want, tt.what)
		}
	}
}

func TestConditionsThatDoNotCompile(t *testing.T) {
	words := (&session{seen: newTrace()}).vocabulary()
	for src, want := range map[string]string{
		`on(el, "x"`:         "unexpected token",
		`nonsense(el)`:       "unknown name nonsense",
		`attr(el, "mtu")`:    "a yes or no is wanted",
		`on(el)`:             "not enough arguments",
		`any(el, true)`:      "wants a list",
		`attr(el, 5) == "x"`: "cannot use",
		`el.shoesize == 1`:   "has no field",
		`now() == 1`:         "now",
		strings.Repeat("true and ", 5000) + "true": "exceeds",
	} {
		if _, err := newLanguage(words).condition(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: got error %v, want one with %q", src, err, want)
		}
	}
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{`on(el, "x") and num(el, "y") > 3`, `any(clients(el), any(seas(#), #.kind == "sea"))`, `not (used(el) ? true : hm)`, `any([1,2], # > #index)`, `let x = 1; x == 1`} {
		f.Add(s)
	}
	s := &session{seen: newTrace(), joins: link(fleet(f, "two-systems", nil)), cat: nil}
	words := s.vocabulary()
	words["el"] = s.joins.byHost["vios1"][0]
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 300 {
			return
		}
		c, err := newLanguage(words).condition(src)
		if err != nil {
			return
		}
		if a, err := c.decide(words); err == nil && a.truth == open && len(a.missing) == 0 {
			t.Errorf("%q: open, but nothing said to be missing", src)
		}
	})
}

func FuzzParseSeverity(f *testing.F) {
	f.Add("High")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSeverity(text)
		if err == nil && !strings.EqualFold(string(s), text) {
			t.Errorf("ParseSeverity(%q): got %q", text, s)
		}
	})
}
