package expr_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// What is unknown stays unknown through every operator, unless the outcome does
// not depend on it, and names the facts that are missing.
func TestUnknownsNameTheirFacts(t *testing.T) {
	s, g := sessionOf(t, "two-systems")
	sea := g.At(model.Ref{Host: "vios1", Element: "ent5"})
	tests := []struct {
		source string
		want   expr.Truth
		what   string // facts that are missing
	}{
		{`true`, expr.Yes, ""},
		{`!true`, expr.No, ""},
		{`el.unknown("a")`, expr.Unknown, "a"},
		{`!el.unknown("a")`, expr.Unknown, "a"},
		{`false && el.unknown("a")`, expr.No, ""},
		{`el.unknown("a") && false`, expr.No, ""},
		{`true && el.unknown("a")`, expr.Unknown, "a"},
		{`el.unknown("b") && el.unknown("a")`, expr.Unknown, "b,a"},
		{`el.unknown("a") || true`, expr.Yes, ""},
		{`el.unknown("a") || false`, expr.Unknown, "a"},
		{`el.unknown("a") || el.unknown("a")`, expr.Unknown, "a"},
		{`el.fact("rtt_ms") > 3 || true`, expr.Yes, ""},
		{`el.fact("rtt_ms") > 3`, expr.Unknown, "vios1 ent5: rtt ms (collect, which pings the other hosts it reads, or --fact rtt_ms)"},
		{`el.unknown("a") ? true : false`, expr.Unknown, "a"},
		{`true ? el.unknown("a") : false`, expr.Unknown, "a"},
		{`[1, 2, 3].exists(x, x == 2 || el.unknown("a"))`, expr.Yes, ""},
		{`[1, 2, 3].all(x, x < 9 && el.unknown("a"))`, expr.Unknown, "a"},
		{`[1, 2, 3].exists(x, x > 5 && el.unknown("a"))`, expr.No, ""},
		{`![1, 2, 3].exists(x, x == 2 && el.unknown("a"))`, expr.Unknown, "a"},
		{`el.peers.exists(p, p.up)`, expr.Unknown, "vios1 ent5: its peer: no path was given (--path)"},
		{`el.peers[0].speed > 10`, expr.Unknown, "vios1 ent5: its peer: no path was given (--path)"},
		{`el.members.size() > 1`, expr.Unknown, "vios1 ent5: its members (lsattr -El ent5)"},
		{`sum(el.peers.map(p, p.speed)) > 1`, expr.Unknown, "vios1 ent5: its peer: no path was given (--path)"},
		{`"ent1" in [el.element("ent77").name]`, expr.Unknown, "vios1 ent5: ent77 below it was not read"},
		{`el.ports.exists(p, p.owners.exists(o, o == el))`, expr.Yes, ""},
	}
	for _, tt := range tests {
		s.Failed = nil
		got := expr.New(expr.Condition, tt.source).Decide(s, sea)
		if s.Failed != nil || got.Truth != tt.want || strings.Join(got.Missing, ",") != tt.what {
			t.Errorf("%s: got %d missing %q %v, want %d missing %q", tt.source, got.Truth, got.Missing, s.Failed, tt.want, tt.what)
		}
	}
}

// sessionOf is a session over one of the catalogue's fleets.
func sessionOf(t testing.TB, name string) (*expr.Session, *graph.Graph) {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	base, ok := cat.Fleet(name)
	if !ok {
		t.Fatalf("no fleet %s", name)
	}
	fleet, err := rule.BuildFleet(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(t.Context(), fleet)
	if err != nil {
		t.Fatal(err)
	}
	return expr.NewSession(t.Context(), g, expr.Context{Catalog: cat}), g
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
		if err := expr.New(expr.Condition, source).Verify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got error %v, want one with %q", source, err, want)
		}
	}
}

// Loops in loops end, with a word; a second element does not wait for it again.
func TestNestedLoopsEnd(t *testing.T) {
	s, g := sessionOf(t, "two-systems")
	s.Within(time.Millisecond)
	source := "false"
	for i := range 12 {
		source = fmt.Sprintf("[1,2,3,4,5,6,7,8,9,10].exists(x%d, %s)", i, source)
	}
	endless := expr.New(expr.Condition, source)
	for _, name := range []string{"en0", "ent0"} {
		s.Failed = nil
		endless.Decide(s, g.At(model.Ref{Host: "lpar1", Element: name}))
		err := s.Failed
		if err == nil || !strings.Contains(err.Error(), "nested loops take too long") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

// Every property and function answers, or says what is missing, for every element
// of the fleets: none fails.
func TestEveryPropertyAnswers(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"two-systems", "dedicated", "pair", "linux"} {
		s, g := sessionOf(t, name)
		for _, host := range []string{"lpar1", "lpar2", "vios1", "vios2", "linux1"} {
			for _, e := range g.Of(host) {
				for _, property := range expr.PropertyNames(cat) {
					if e == nil {
						continue
					}
					expr.Anything("el."+property).Text(s, e)
					if s.Failed != nil {
						t.Errorf("%s: %v", e, s.Failed)
					}
				}
			}
		}
	}
}

func FuzzCondition(f *testing.F) {
	cat, err := knowledge.Load()
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range cat.Rules()[:20] {
		for _, k := range r.Checks {
			f.Add(k.Condition)
		}
	}
	f.Add(`any(clients(el), # and not x)`)
	s, g := sessionOf(f, "two-systems")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 300 {
			return
		}
		x := expr.New(expr.Condition, source)
		if x == nil || x.Verify() != nil {
			return
		}
		s.Failed = nil
		if a := x.Decide(s, g.Of("vios1")[0]); s.Failed == nil && a.Truth == expr.Unknown && len(a.Missing) == 0 {
			t.Errorf("%q: unknown, but nothing is said to be missing", source)
		}
	})
}

func BenchmarkCondition(b *testing.B) {
	s, g := sessionOf(b, "two-systems")
	e := g.Of("vios1")[0]
	x := expr.New(expr.Condition, `el.used && el.platform == "aix" && el.virtual`)
	b.ReportAllocs()
	for b.Loop() {
		x.Decide(s, e)
		if s.Failed != nil {
			b.Fatal(s.Failed)
		}
	}
}
