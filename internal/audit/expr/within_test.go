package expr

import (
	"fmt"
	"slices"
	"testing"
)

// How far conditions look, which parts facts decide, and what they ask for.
func TestWithin(t *testing.T) {
	known := func(attribute string) bool { return attribute != "state" }
	for source, want := range map[string]struct {
		whole  Look // the smallest limit at which nothing is left open; Anywhere + 1: none
		asks   string
		leaves bool
	}{
		`el.kind == "sea"`: {whole: AtKind},
		`el.kind in ["sea", "vlan"] || el.kind != "x"`:                        {whole: AtKind},
		`el.kind == "sea" && !el.on("largesend")`:                             {whole: AtElement, asks: "[largesend]"},
		`el.num("mtu") < 9000 || el.known("speed")`:                           {whole: AtElement, asks: "[mtu speed]"},
		`el.nums("a").exists(n, n > 3)`:                                       {whole: AtElement, asks: "[a]"},
		`el.name == "en0" && el.attr("b") != el.default("b")`:                 {whole: AtElement, asks: "[b]"},
		`el.known("a") ? el.on("a") : el.kind == "x"`:                         {whole: AtElement, asks: "[a]"},
		`el.real.off("a")`:                                                    {whole: AtHost, asks: "[a][real]"},
		`el.ports.exists(p, p.off("a"))`:                                      {whole: AtHost, asks: "[a][ports]", leaves: true},
		`el.siblings("sea").exists(s, s != el)`:                               {whole: AtHost, asks: "[]sea"},
		`el.element("ent0").on("a") && el.tunables.on("b")`:                   {whole: AtHost, asks: "[a b][tunables]ent0"},
		`el.members.size() > 1 && has(el.adapter)`:                            {whole: AtHost, asks: "[][adapter members]"},
		`cel.bind(x, el.num("a"), x > 1 && x < 5)`:                            {whole: AtElement, asks: "[a]"},
		`el.state == "x" || el.on("state")`:                                   {whole: Anywhere + 1}, // no such property
		`el.on("state")`:                                                      {whole: Anywhere + 1}, // facts do not tell it
		`el.members[0].on("a")`:                                               {whole: Anywhere},     // facts keep no order
		`el.members.map(m, m.name) == ["ent0"]`:                               {whole: Anywhere},
		`el.ports.exists(el, el.off("a"))`:                                    {whole: Anywhere, leaves: true},
		`el.attr(el.name) == "x"`:                                             {whole: Anywhere, leaves: true},
		`el.counter("rx.Packets") > 0`:                                        {whole: Anywhere},
		`el.allowed("a") > 0`:                                                 {whole: Anywhere},
		`el.carriers.exists(c, c.on("a"))`:                                    {whole: Anywhere, leaves: true},
		`el.kind == "sea" && el.seas.exists(s, s.on("a"))`:                    {whole: Anywhere, leaves: true},
		`el.link && el.kind == "physical-adapter" && el.adapter.on("mtu") `:   {whole: Anywhere, leaves: true},
		`el.kind == "sea" || el.members.filter(m, m.on("a")).size() > 0`:      {whole: Anywhere},
		`el.kind == "sea" && [el.num("a"), 3].exists(n, n == el.num("b"))`:    {whole: AtElement, asks: "[a b]"},
		`el.trunks.exists_one(a, a.on("x")) && el.host.startsWith("lpar")`:    {whole: AtHost, asks: "[x][trunks]"},
		`el.kind == "interface" && el.overlay && el.adapter.kind == "vlan"`:   {whole: AtHost, asks: "[][adapter]"},
		`el.kind == "virtual-adapter" && el.virtual_adapters.exists(x, true)`: {whole: Anywhere, leaves: true},
	} {
		x := New(Condition, source)
		err := x.Verify()
		if err != nil && want.whole > Anywhere {
			continue
		}
		t.Run(source, func(t *testing.T) { checkWithin(t, x, known, want.whole, want.asks, want.leaves) })
	}
}

func checkWithin(t *testing.T, x *Expression, known func(string) bool, whole Look, asks string, leaves bool) {
	t.Helper()
	for limit := AtKind; limit <= Anywhere; limit++ {
		p, err := x.Within(limit, known)
		if err != nil {
			t.Fatal(err)
		}
		if p.Whole != (limit >= whole) {
			t.Errorf("within %d: whole is %t", limit, p.Whole)
		}
		_, err = p.program()
		if err != nil {
			t.Errorf("within %d: %v", limit, err)
		}
		if limit != whole || limit == Anywhere || asks == "" {
			continue
		}
		got := fmt.Sprint(p.Asks.Attributes)
		if len(p.Asks.Relations) > 0 {
			got += fmt.Sprint(p.Asks.Relations)
		}
		for _, more := range slices.Concat(p.Asks.Siblings, p.Asks.Named) {
			got += more
		}
		if got != asks {
			t.Errorf("asks for %s, want %s", got, asks)
		}
	}
	got, err := x.LeavesHost()
	if err != nil || got != leaves {
		t.Errorf("leaves its host: %t, %v", got, err)
	}
}
