package audit

import (
	"strings"
	"testing"

	"seaworthy/catalog"
)

// Every expression of the built-in rules compiles, and names attributes that
// exist.
func TestBuiltInRulesCompile(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := Compile(cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.rules {
		if err := set.rules[i].verify(); err != nil {
			t.Error(err)
		}
	}
}

// What is unknown stays unknown through every operator, unless the outcome does
// not depend on it, and names the facts that are missing.
func TestUnknownsNameTheirFacts(t *testing.T) {
	s := sessionOf(t, "two-systems")
	sea := s.joins.byHost["vios1"][4]
	if sea.Name != "ent5" {
		t.Fatalf("got %s, want the SEA", sea)
	}
	tests := []struct {
		source string
		want   truth
		what   string // facts that are missing
	}{
		{`true`, yes, ""},
		{`!true`, no, ""},
		{`el.unknown("a")`, open, "a"},
		{`!el.unknown("a")`, open, "a"},
		{`false && el.unknown("a")`, no, ""},
		{`el.unknown("a") && false`, no, ""},
		{`true && el.unknown("a")`, open, "a"},
		{`el.unknown("b") && el.unknown("a")`, open, "b,a"},
		{`el.unknown("a") || true`, yes, ""},
		{`el.unknown("a") || false`, open, "a"},
		{`el.unknown("a") || el.unknown("a")`, open, "a"},
		{`el.fact("rtt_ms") > 3 || true`, yes, ""},
		{`el.fact("rtt_ms") > 3`, open, "vios1 ent5: rtt ms, which no snapshot holds (--fact rtt_ms)"},
		{`el.unknown("a") ? true : false`, open, "a"},
		{`true ? el.unknown("a") : false`, open, "a"},
		{`[1, 2, 3].exists(x, x == 2 || el.unknown("a"))`, yes, ""},
		{`[1, 2, 3].all(x, x < 9 && el.unknown("a"))`, open, "a"},
		{`[1, 2, 3].exists(x, x > 5 && el.unknown("a"))`, no, ""},
		{`![1, 2, 3].exists(x, x == 2 && el.unknown("a"))`, open, "a"},
		{`el.peers.exists(p, p.up)`, open, "vios1 ent5: its peer: no path was given (--path)"},
		{`el.peers[0].speed > 10`, open, "vios1 ent5: its peer: no path was given (--path)"},
		{`el.members.size() > 1`, open, "vios1 ent5: its members (lsattr -El ent5)"},
		{`sum(el.peers.map(p, p.speed)) > 1`, open, "vios1 ent5: its peer: no path was given (--path)"},
		{`"ent1" in [el.element("ent77").name]`, open, "vios1 ent5: ent77 below it was not read"},
		{`el.ports.exists(p, p.owners.exists(o, o == el))`, yes, ""},
	}
	for _, tt := range tests {
		got, err := condition(tt.source).decide(s, sea)
		if err != nil || got.truth != tt.want || strings.Join(got.missing, ",") != tt.what {
			t.Errorf("%s: got %d missing %q %v, want %d missing %q", tt.source, got.truth, got.missing, err, tt.want, tt.what)
		}
	}
}

// sessionOf is a session over one of the catalogue's fleets.
func sessionOf(t testing.TB, name string) *session {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return builtIn(t).session(link(fleet(t, name, nil)), cat, Options{})
}

func TestExpressionsThatDoNotCompile(t *testing.T) {
	for source, want := range map[string]string{
		`el.on("mtu"`:                             "Syntax error",
		`el.nonsense`:                             "undefined field 'nonsense'",
		`el.nonsense("x")`:                        "undeclared reference to 'nonsense'",
		`el.attr("mtu")`:                          "gives string, want bool",
		`el.on()`:                                 "found no matching overload",
		`el.attr(5) == "x"`:                       "found no matching overload",
		`el.exists(x, true)`:                      "cannot be range of a comprehension",
		`el.on("jumbo_frame")`:                    "there is no attribute jumbo_frame",
		`timestamp(el) > 1`:                       "found no matching overload",
		`el.kind + 1 == "x"`:                      "found no matching overload",
		`on(el, "mtu_bypass")`:                    "on is now el.on(…)",
		`used(el) and up(el)`:                     "used is now el.used; and is now a && b; up is now el.up",
		`any(seas(el), on(#, "jumbo_frames"))`:    "any is now list.exists(x, …); seas is now el.seas; on is now el.on(…); # is now a variable",
		`measured(el, "rtt_ms") > 1`:              "measured is now el.fact(…)",
		strings.Repeat("true && ", 5000) + "true": "size exceeds limit",
	} {
		if err := condition(source).verify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got error %v, want one with %q", source, err, want)
		}
	}
}

// Every property and function answers, or says what is missing, for every element
// of the fleets: none fails.
func TestEveryPropertyAnswers(t *testing.T) {
	for _, name := range []string{"two-systems", "dedicated", "pair", "linux"} {
		s := sessionOf(t, name)
		for _, all := range s.joins.byHost {
			for _, e := range all {
				for property := range properties["element"] {
					if _, err := compiledAs("el."+property, properties["element"][property].gives).eval(s, e); err != nil {
						t.Errorf("%s: %v", e, err)
					}
				}
			}
		}
	}
}

func FuzzCondition(f *testing.F) {
	cat, err := catalog.Load()
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range cat.Rules()[:20] {
		for _, k := range r.Checks {
			f.Add(k.Condition)
		}
	}
	f.Add(`any(clients(el), # and not x)`)
	s := sessionOf(f, "two-systems")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 300 {
			return
		}
		x := condition(source)
		if x == nil || x.verify() != nil {
			return
		}
		if a, err := x.decide(s, s.joins.byHost["vios1"][0]); err == nil && a.truth == open && len(a.missing) == 0 {
			t.Errorf("%q: unknown, but nothing is said to be missing", source)
		}
	})
}

func BenchmarkCondition(b *testing.B) {
	s := sessionOf(b, "two-systems")
	e := s.joins.byHost["vios1"][0]
	x := condition(`el.used && el.platform == "aix" && el.virtual`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.decide(s, e); err != nil {
			b.Fatal(err)
		}
	}
}
