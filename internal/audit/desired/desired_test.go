package desired

import (
	"strings"
	"testing"
	"time"

	"seaworthy/internal/inventory/model"
)

var today = time.Date(2026, 6, 15, 12, 0, 0, 0, time.Local)

func attr(running, nextBoot string) *model.Attr {
	a := &model.Attr{}
	if running != "-" {
		a.Running = &running
	}
	if nextBoot != "-" {
		a.NextBoot = &nextBoot
	}
	return a
}

// hosts are two partitions and a VIOS: lpar1 in VLAN 10 at 10 Gbit/s, db1 whose adapter was not read.
func hosts() *model.Fleet {
	element := func(name string, kind model.Kind, on string, attrs map[string]*model.Attr) *model.Element {
		return &model.Element{Name: name, Kind: kind, On: on, Attrs: attrs}
	}
	ent0 := element("ent0", model.Virtual, "", nil)
	ent0.PVID, ent0.SpeedMb = new(10), new(int64(10000))
	lpar1 := &model.Host{Name: "lpar1", Platform: model.AIX, Level: "7300-02-01-2346", Elements: map[string]*model.Element{
		"ent0": ent0,
		"en0":  element("en0", model.Interface, "ent0", map[string]*model.Attr{"mtu_bypass": attr("off", "on"), "mtu": attr("1500", "1500"), "rfc1323": attr("1", "")}),
	}, Tunables: map[string]*model.Attr{"sb_max": attr("0x100000", "1048576")}}
	db1 := &model.Host{Name: "db1", Platform: model.AIX, Elements: map[string]*model.Element{
		"en0": element("en0", model.Interface, "", map[string]*model.Attr{"mtu_bypass": attr("-", "-"), "mtu": attr("9000", "9000"), "rfc1323": attr("1", "1")}),
	}}
	lpar1.Elements["en0"].Up, db1.Elements["en0"].Up = new(true), new(true)
	free := element("en1", model.Interface, "", map[string]*model.Attr{"mtu": attr("1500", "1500")})
	free.Up = new(false)
	db1.Elements["en1"] = free // not meant, whatever it has
	vios := &model.Host{Name: "vios1", Platform: model.VIOS, IOSLevel: "4.1.1.0", Elements: map[string]*model.Element{
		"ent5": element("ent5", model.SEA, "", map[string]*model.Attr{"largesend": attr("1", "1")}),
	}}
	return &model.Fleet{Hosts: []*model.Host{lpar1, db1, vios}}
}

// judged says of each value where it went: "drift lpar1:en0 mtu_bypass".
func judged(t *testing.T, wanted string) []string {
	t.Helper()
	s, err := Parse("site.yaml", []byte("schema: seaworthy.site/1\nroles: {database: [\"db*\"]}\nwanted:\n"+wanted))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Judge(t.Context(), hosts(), today)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, list := range []struct {
		name string
		of   []Value
	}{{"drift", r.Drift}, {"unknown", r.Unknown}, {"excepted", r.Excepted}} {
		for _, v := range list.of {
			all = append(all, list.name+" "+v.Ref().String()+" "+v.Attr)
		}
	}
	for range r.Held {
		all = append(all, "held")
	}
	for _, text := range r.Idle {
		all = append(all, "idle "+text)
	}
	return all
}

func TestJudge(t *testing.T) {
	entry := func(of, values, except string) string {
		return "  - {name: one, reason: because, of: {" + of + "}, values: {" + values + "}" + except + "}\n"
	}
	for _, c := range []struct{ name, wanted, want string }{
		{"a running value differs, and one was not read", entry("kind: interface", `mtu_bypass: "on"`, ""), "drift lpar1:en0 mtu_bypass; unknown db1:en0 mtu_bypass"},
		{"the next boot differs", entry("kind: interface, at: \"lpar1:*\"", `mtu_bypass: "off"`, ""), "drift lpar1:en0 mtu_bypass"},
		{"what the ODM leaves empty", entry("kind: interface", `rfc1323: "1"`, ""), "held; held"},
		{"other spellings", entry("kind: sea, platform: vios, level: \"4.1*\"", `largesend: "1"`, ""), "held"},
		{"an option in hexadecimal", entry("kind: tunables", `sb_max: "1048576"`, ""), "held; unknown db1:no sb_max; unknown vios1:no sb_max"},
		{"a role", entry("kind: interface, role: database", `mtu: "1500"`, ""), "drift db1:en0 mtu"},
		{"a level that was not read", entry("kind: interface, level: \"7300*\"", `mtu: "9000"`, ""), "drift lpar1:en0 mtu; held"},
		{"a level that was not read, and another value", entry("kind: interface, level: \"7300*\"", `mtu: "1500"`, ""), "held; unknown db1:en0 mtu"},
		{"a VLAN", entry("kind: interface, vlan: 10", `mtu: "9000"`, ""), "drift lpar1:en0 mtu; held"},
		{"another VLAN", entry("kind: interface, vlan: 11, at: \"lpar1:*\"", `mtu: "9000"`, ""), "idle one: no element of these hosts is meant"},
		{"a speed", entry("kind: interface, speed_mbit: 10000, at: \"lpar1:*\"", `mtu: "9000"`, ""), "drift lpar1:en0 mtu"},
		{"an exception", entry("kind: interface, at: \"lpar1:*\"", `mtu: "9000"`, `, except: [{at: "lpar1:en0", reason: old switch, until: 2026-06-15}]`), "excepted lpar1:en0 mtu"},
		{"an exception that ended", entry("kind: interface, at: \"lpar1:*\"", `mtu: "9000"`, `, except: [{at: "lpar1:en0", reason: old switch, until: 2026-06-14}]`),
			"drift lpar1:en0 mtu; idle one: the exception at lpar1:en0 ended on 2026-06-14"},
		{"an exception that is not needed", entry("kind: interface, at: \"lpar1:*\"", `mtu: "1500"`, `, except: [{at: "lpar1:en0", reason: old switch, until: 2027-01-31}]`),
			"held; idle one: the exception at lpar1:en0 is not needed: nothing there differs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judged(t, c.wanted)
			want := strings.Split(c.want, "; ")
			for _, w := range want {
				if !strings.Contains("; "+strings.Join(got, "; ")+"; ", "; "+w+"; ") {
					t.Errorf("got %q, want %q", got, want)
				}
			}
			if len(got) != len(want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"wanted: []", "it names no format"},
		{"schema: seaworthy.site/1\nwanted: [{name: a, reason: b, of: {kind: interface}, values: {mtu_bypas: \"on\"}}]", "no such attribute, did you mean mtu_bypass"},
		{"schema: seaworthy.site/1\nwanted: [{name: a, of: {kind: interface}, values: {mtu: \"1500\"}}]", "reason: want why"},
		{"schema: seaworthy.site/1\nwanted: [{name: a, reason: b, of: {kind: interface, role: x}, values: {mtu: \"1500\"}}]", "the file's roles do not have it"},
		{"schema: seaworthy.site/1\nwanted: [{name: a, reason: b, of: {kind: interface, plattform: aix}, values: {mtu: \"1500\"}}]", "plattform"},
		{"schema: seaworthy.site/1\nwanted: [{name: a, reason: b, of: {kind: interface}, values: {mtu: \"1500\"}, except: [{at: \"*\", reason: c, until: soon}]}]", "want the last day"},
		{"schema: seaworthy.site/1\nwanted:\n- &x {name: a, reason: b, of: {kind: interface}, values: {mtu: \"1500\"}}\n- *x", "the name stands twice"},
	} {
		_, err := Parse("site.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

// Two entries that want different values at one place contradict each other; the message names both.
func TestContradiction(t *testing.T) {
	s, err := Parse("site.yaml", []byte(`schema: seaworthy.site/1
wanted:
  - {name: all, reason: b, of: {kind: interface}, values: {mtu: "1500"}}
  - {name: jumbo, reason: b, of: {kind: interface, at: "lpar1:*"}, values: {mtu: "9000"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Judge(t.Context(), hosts(), today)
	if err == nil || !strings.Contains(err.Error(), "all and jumbo want different values of mtu at lpar1:en0") {
		t.Errorf("got %v", err)
	}
}

// What is proposed from hosts that agree is what they have.
func TestPropose(t *testing.T) {
	f := hosts()
	f.Hosts[0].Elements["en0"].Attrs["mtu"] = attr("9000", "9000")
	s, err := Propose(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Wanted) != 1 || s.Wanted[0].Values["mtu"] != "9000" || s.Wanted[0].Values["mtu_bypass"] != "" {
		t.Errorf("got %+v, want mtu of the AIX interfaces, and not mtu_bypass, which one of them did not say", s.Wanted)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("schema: seaworthy.site/1\nroles: {a: [\"db*\"]}\nwanted: [{name: a, reason: b, of: {kind: interface, role: a}, values: {mtu: \"1500\"}}]"))
	f.Add([]byte("schema: seaworthy.site/1\nwanted: [{name: a, reason: b, of: {kind: \"[\", at: \"[\"}, values: {mtu: \"1500\"}}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("site.yaml", text)
		if err != nil {
			return
		}
		r, err := s.Judge(t.Context(), hosts(), today)
		if err == nil && r.Held < 0 {
			t.Error("fewer than no values are as wanted")
		}
	})
}
