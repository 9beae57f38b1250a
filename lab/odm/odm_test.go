package odm_test

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

func store(t *testing.T, builtin, node string, edit func(*topology.Node)) (*odm.Store, error) {
	t.Helper()
	top, err := topology.Load(t.Context(), builtin)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	s, n, ok := top.Node(node)
	if !ok {
		t.Fatalf("no node %s", node)
	}
	if edit != nil {
		edit(n)
	}
	return odm.New(s, n, cat)
}

func mustStore(t *testing.T, builtin, node string) *odm.Store {
	t.Helper()
	s, err := store(t, builtin, node, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMessages(t *testing.T) {
	for _, x := range []struct {
		err  *odm.Error
		want string
	}{
		{odm.Busy("/usr/lib/methods/chgent"),
			"Method error (/usr/lib/methods/chgent):\n\t0514-062 the device is busy: something holds it open\n"},
		{odm.NotFound("en9"), "chdev: 0514-519 no such customized device:\n\ten9\n"},
	} {
		if diff := cmp.Diff(x.want, x.err.Message("chdev")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.err.Code, diff)
		}
	}
}

// The level of a node decides its defaults.
func TestDefaultsByLevel(t *testing.T) {
	for level, want := range map[string]string{"7100-05-06-2015": "min", "7200-05-03-2148": "max_min"} {
		s, err := store(t, "two-systems", "lpar1", func(n *topology.Node) { n.Level = level })
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.Running("ent0", "buf_mode"); got != want {
			t.Errorf("%s: buf_mode: got %s, want %s", level, got, want)
		}
	}
}

func TestTopologySets(t *testing.T) {
	set := func(dev, attr, v string) func(*topology.Node) {
		return func(n *topology.Node) { n.Set = map[string]map[string]string{dev: {attr: v}} }
	}
	s, err := store(t, "two-systems", "lpar1", set("en0", "mtu_bypass", "on"))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Running("en0", "mtu_bypass"); got != "on" {
		t.Errorf("mtu_bypass: got %q, want on", got)
	}
	for want, edit := range map[string]func(*topology.Node){
		"lpar1 en7: no such device":      set("en7", "mtu", "9000"),
		"lpar1 en0: no attribute nosuch": set("en0", "nosuch", "1"),
		"must be one of":                 set("en0", "mtu_bypass", "perhaps"),
		"no option nosuch":               func(n *topology.Node) { n.Tunables = map[string]string{"nosuch": "1"} },
	} {
		if _, err := store(t, "two-systems", "lpar1", edit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestModes(t *testing.T) {
	s := mustStore(t, "two-systems", "lpar1")
	get := func() [2]string {
		as, err := s.Attributes("en0")
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range as {
			if a.Name == "thread" {
				return [2]string{a.Running, a.NextBoot}
			}
		}
		return [2]string{}
	}
	on := []odm.Setting{{Attr: "thread", Value: "on"}}
	for _, x := range []struct {
		mode odm.Mode
		want [2]string
	}{{odm.NextBoot, [2]string{"off", "on"}}, {odm.RunningOnly, [2]string{"on", "off"}}, {odm.Both, [2]string{"on", "on"}}} {
		if err := s.Change("en0", []odm.Setting{{Attr: "thread", Value: "off"}}, odm.Both); err != nil {
			t.Fatal(err)
		}
		if err := s.Change("en0", on, x.mode); err != nil {
			t.Fatal(err)
		}
		if got := get(); got != x.want {
			t.Errorf("mode %d: got running, next boot %v, want %v", x.mode, got, x.want)
		}
		s.Reboot()
		if got := get(); got[0] != x.want[1] {
			t.Errorf("mode %d: got %s after a boot, want %s", x.mode, got[0], x.want[1])
		}
	}
}

// A change of several attributes is done whole or not at all.
func TestAllOrNothing(t *testing.T) {
	s := mustStore(t, "two-systems", "lpar1")
	err := s.Change("en0", []odm.Setting{{Attr: "mtu_bypass", Value: "on"}, {Attr: "thread", Value: "sideways"}}, odm.Both)
	var e *odm.Error
	if !errors.As(err, &e) || e.Code != "0514-018" {
		t.Fatalf("got %v, want 0514-018", err)
	}
	if got, _ := s.Running("en0", "mtu_bypass"); got != "off" {
		t.Errorf("mtu_bypass: got %s, want it unchanged", got)
	}
	if len(e.Items) != 1 || !strings.HasPrefix(e.Items[0], "thread") {
		t.Errorf("got items %v, want thread only", e.Items)
	}
}

func TestSnapshot(t *testing.T) {
	s := mustStore(t, "two-systems", "vios1")
	before := s.Snapshot()
	want := s.Devices()
	if err := s.Change("ent5", []odm.Setting{{Attr: "largesend", Value: "0"}}, odm.Both); err != nil {
		t.Fatal(err)
	}
	if err := s.Unconfigure("en5", true); err == nil {
		t.Error("rmdev of an interface that is up: got success, want busy")
	}
	s.Discover()
	s.Restore(before)
	if got, _ := s.Running("ent5", "largesend"); got != "1" {
		t.Errorf("largesend: got %s, want 1", got)
	}
	if diff := cmp.Diff(want, s.Devices()); diff != "" {
		t.Errorf("devices (-want +got):\n%s", diff)
	}
}

func TestAllows(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	for _, x := range []struct {
		a    odm.Attribute
		v    string
		want bool
	}{
		{odm.Attribute{Attribute: knowledge.Attribute{Values: []string{"yes", "no"}}}, "yes", true},
		{odm.Attribute{Attribute: knowledge.Attribute{Values: []string{"yes", "no"}}}, "YES", false},
		{odm.Attribute{Attribute: knowledge.Attribute{Min: n(60), Max: n(65535)}}, "60", true},
		{odm.Attribute{Attribute: knowledge.Attribute{Min: n(60), Max: n(65535)}}, "59", false},
		{odm.Attribute{Attribute: knowledge.Attribute{Min: n(60), Max: n(65535)}}, "65536", false},
		{odm.Attribute{Attribute: knowledge.Attribute{Min: n(60), Max: n(65535)}}, "1e3", false},
		{odm.Attribute{Attribute: knowledge.Attribute{Min: n(128), Max: n(1024), Step: n(128)}}, "384", true},
		{odm.Attribute{Attribute: knowledge.Attribute{Min: n(128), Max: n(1024), Step: n(128)}}, "385", false},
		{odm.Attribute{Attribute: knowledge.Attribute{Type: "int"}}, "x", false},
		{odm.Attribute{Attribute: knowledge.Attribute{Type: "string"}}, "any thing", true},
		{odm.Attribute{Attribute: knowledge.Attribute{Type: "string"}}, "two\nlines", false},
		{odm.Attribute{}, "", false},
		{odm.Attribute{Optional: true, Attribute: knowledge.Attribute{Min: n(1)}}, "", true},
	} {
		if got := x.a.Allows(x.v); got != x.want {
			t.Errorf("%+v allows %q: got %v, want %v", x.a, x.v, got, x.want)
		}
	}
}

// Readers and writers at the same time; the race detector looks on.
func TestConcurrent(t *testing.T) {
	s := mustStore(t, "two-systems", "lpar1")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				v := "on"
				if i%2 == 1 {
					v = "off"
				}
				if err := s.Change("en0", []odm.Setting{{Attr: "mtu_bypass", Value: v}}, odm.Both); err != nil {
					t.Error(err)
				}
				s.Running("en0", "mtu_bypass")
				s.Devices()
				s.Snapshot()
			}
		})
	}
	wg.Wait()
}

func FuzzParseAddress(f *testing.F) {
	f.Add([]byte{10, 1, 0, 11}, "255.255.255.0", 0)
	f.Add([]byte{10, 1, 0, 11}, "0xffffff00", 0)
	f.Add([]byte{192, 0, 2, 1}, "", 24)
	f.Fuzz(func(t *testing.T, ip []byte, mask string, bits int) {
		addr, ok := netip.AddrFromSlice(ip)
		if !ok {
			return
		}
		p, err := odm.ParseAddress(addr, mask, bits)
		if err == nil && p.IsValid() != (bits >= 0 || mask != "") {
			t.Errorf("ParseAddress(%s, %q, %d): got %s", addr, mask, bits, p)
		}
	})
}

// An interface's aliases come and go one by one.
func TestAliases(t *testing.T) {
	s := mustStore(t, "two-systems", "lpar1")
	for _, x := range []struct{ attr, value, want, refused string }{
		{"alias4", "10.10.10.77,255.255.255.0", "10.10.10.11/24 10.10.10.77/24", ""},
		{"alias4", "10.10.20.78,255.255.0.0", "10.10.10.11/24 10.10.10.77/24 10.10.20.78/16", ""},
		{"alias4", "10.10.10.77,255.255.255.128", "10.10.10.11/24 10.10.10.77/25 10.10.20.78/16", ""},
		{"alias4", "10.10.10.300,255.255.255.0", "", "is not an IPv4 address"},
		{"alias4", "10.10.10.79,none", "", "is not an IPv4 address"},
		{"delalias4", "10.10.10.80,255.255.255.0", "", "has no alias 10.10.10.80"},
		{"delalias4", "10.10.10.77,255.255.255.0", "10.10.10.11/24 10.10.20.78/16", ""},
		{"alias4", "", "10.10.10.11/24", ""},
	} {
		err := s.Change("en0", []odm.Setting{{Attr: x.attr, Value: x.value}}, odm.Both)
		if x.refused != "" {
			var e *odm.Error
			if !errors.As(err, &e) || e.Code != "0514-018" || !strings.Contains(e.Reason, x.refused) {
				t.Errorf("%s=%s: got %v, want a refusal with %q", x.attr, x.value, err, x.refused)
			}
			continue
		}
		var got []string
		for _, p := range s.Addresses("en0") {
			got = append(got, p.String())
		}
		if err != nil || strings.Join(got, " ") != x.want {
			t.Errorf("%s=%s: got %s, %v, want %s", x.attr, x.value, got, err, x.want)
		}
	}
	if err := s.Change("ent0", []odm.Setting{{Attr: "alias4", Value: "1.2.3.4"}}, odm.Both); err == nil {
		t.Error("an adapter's alias4: got success, want to hear that it has none")
	}
}
