package routes_test

import (
	"errors"
	"flag"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[routes.Table]{
	Parse:  routes.Parse,
	Report: func(t *routes.Table) *parse.Report { return &t.Report },
}

const sample = `Routing tables
Destination        Gateway           Flags   Refs     Use  If   Exp  Groups

Route Tree for Protocol Family 2 (Internet):
default            192.0.2.1         UG        7 117544066 en0      -      -
192.0.2.0          192.0.2.40        UHSb      0         0 en0      -      -   =>
Only the root user can specify the Z flag.
192.0.2/24         192.0.2.40        U         0       639 en0    120      -
127/8              127.0.0.1         U         1      7504 lo0      -      -

Route Tree for Protocol Family 24 (Internet v6):
::1%1              ::1%1             UH        2       798 lo0      -      -
`

const old = `Tables de routage
Destination  Passerelle   Indic.  Refs     Utilis  If   PMTU  Exp  Groupes

Arborescence de la route pour la famille de protocoles 2 (Internet):
default      192.0.2.254  UG        3    446237 en0  1500    -      -   =>
default      192.0.2.253  UG        7    596156 en0     -    -      +stf
`

func TestParse(t *testing.T) {
	v := codec.Read(t, sample)
	if len(v.Unknown) > 0 || len(v.Warnings) != 1 || v.Warnings[0].Number != 7 {
		t.Errorf("report: got %+v, want only a warning about line 7", v.Report)
	}
	d := defaults(v)
	if len(d) != 1 || d[0].Gateway != "192.0.2.1" || d[0].Interface != "en0" || *d[0].Use != 117544066 || d[0].Expires != nil {
		t.Errorf("default route: got %+v", d)
	}
	r := v.Families[0].Routes
	if len(r) != 4 || !r[1].Same || r[2].Same || r[2].Expires == nil || *r[2].Expires != 120 {
		t.Errorf("routes: got %+v", r)
	}
	if f := v.Families[1]; f.Number != 24 || f.Name != "Internet v6" || len(f.Routes) != 1 {
		t.Errorf("family: got %+v", f)
	}
}

func TestOtherLanguageAndLevel(t *testing.T) {
	v := codec.Read(t, old)
	d := defaults(v)
	if len(v.Unknown) > 0 || len(d) != 2 || *d[0].PMTU != 1500 || d[1].PMTU != nil || d[1].Groups != "+stf" || *d[1].Refs != 7 {
		t.Errorf("got %+v, unknown %v", d, v.Unknown)
	}
}

// Lines cut out of a table, and a route that has no gateway.
func TestParts(t *testing.T) {
	v := codec.Read(t, "Route tree for Protocol Family 24 (Internet v6):\n::1%1              ::1%1             UH        0         0 lo0      -      -\nfe80::80de:eff:fe65:c1a                   UHXLWl    2         7 lo0      -      -\n")
	if len(v.Unknown) > 0 || len(v.Families[0].Routes) != 2 {
		t.Fatalf("got %+v, unknown %v", v.Families, v.Unknown)
	}
	if r := v.Families[0].Routes[1]; r.Gateway != "" || r.Flags != "UHXLWl" || *r.Use != 7 || r.Interface != "lo0" {
		t.Errorf("route without gateway: got %+v", r)
	}
	v = codec.Read(t, "Destination Gateway Flags Refs Use If Exp Groups\ndefault 192.0.2.1 UG 1 123 en0 - -\n")
	if f := v.Families; len(f) != 1 || f[0].Number != 0 || f[0].Routes[0].Gateway != "192.0.2.1" || len(defaults(v)) != 0 {
		t.Errorf("routes under no family: got %+v", f)
	}
}

func TestNotGuessed(t *testing.T) {
	for _, row := range []string{
		"default            192.0.2.1         UG        7 117544066 en0      -",
		"default            192.0.2.1         UG       -7 117544066 en0      -      -",
		"default            192.0.2.1         UG        7     1,5   en0      -      -",
		"default 192.0.2.1 UG 7 12 en0 - - => =>",
	} {
		head := "Routing tables\nDestination Gateway Flags Refs Use If Exp Groups\n\nRoute Tree for Protocol Family 2 (Internet):\n"
		v := codec.Read(t, head+row+"\n")
		if n := len(v.Families[0].Routes); n != 0 || len(v.Unknown) != 1 {
			t.Errorf("%q: got %d routes, unknown %v, want it kept as unknown", row, n, v.Unknown)
		}
	}
	for _, text := range []string{"", "netstat: illegal option\n", "Kernel IP routing table\n"} {
		if _, err := routes.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

// defaults are the default routes of the Internet.
func defaults(t *routes.Table) (out []*routes.Route) {
	for _, f := range t.Families {
		for _, r := range f.Routes {
			if f.Number == 2 && r.Destination == "default" {
				out = append(out, r)
			}
		}
	}
	return out
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "netstat_rn/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample); codec.Damaged(t, old) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, old, "Tree 2 (Internet):\nNo Word Here Is A Number At All\n")
}

const costs = `Routing tables
Destination      Gateway           Flags    Wt  Policy  If   Cost Config_Cost

Route tree for Protocol Family 2 (Internet):
default          192.0.2.1         UG        1    RND   en0    256       0 =>
default          192.0.2.2         UG        1    RND   en1      1       1
192.0.2/24       192.0.2.40        U         1    -     en0      0       0

Route tree for Protocol Family 24 (Internet v6):
::1%1            ::1%1             UH        1    -     lo0      0       0
`

// netstat -C has costs where netstat -r has counts: neither is taken for the other.
func TestCosts(t *testing.T) {
	v := codec.Read(t, costs)
	d := defaults(v)
	if len(v.Unknown) > 0 || len(d) != 2 || *d[0].Costs.Current != 256 || *d[0].Costs.Configured != 0 ||
		d[0].Costs.Policy != "RND" || *d[1].Costs.Weight != 1 || !d[0].Same {
		t.Fatalf("got %+v, unknown %v", d, v.Unknown)
	}
	if d[0].Refs != nil || d[0].Use != nil || d[0].Expires != nil || d[0].Groups != "" {
		t.Errorf("costs were taken for counts: %+v", d[0])
	}
}
