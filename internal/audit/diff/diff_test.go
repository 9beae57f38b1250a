package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
)

// pair is a system with two VIOSes, the first of which is active.
func pair(first, second string, taken time.Time) *model.Fleet {
	vios := func(name, state string) *model.Host {
		trunk := &model.Element{Name: "ent4", Kind: model.Virtual, VirtualFacts: model.VirtualFacts{PVID: new(1), VLANs: []int{10, 11}, VSwitch: "ETHERNET0"}, MemberOf: "ent5",
			Attrs: map[string]*model.Attr{}}
		return &model.Host{Name: name, Platform: model.VIOS, MachineID: "9009-22A*7812345", Taken: taken, IOSLevel: "3.1.2.10",
			Elements: map[string]*model.Element{
				"ent4": trunk,
				"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{HAState: state, Real: "ent0", Trunks: []string{"ent4"}}, Attrs: map[string]*model.Attr{
					"large_receive": {Name: "large_receive", Running: new("yes"), NextBoot: new("yes")},
					"thread":        {Name: "thread", Running: new("1"), NextBoot: new("1")},
				}},
				"ent0": {Name: "ent0", Kind: model.Physical, LinkUp: new(true), Attrs: map[string]*model.Attr{},
					Counters: model.CountersOf(map[string]uint64{"CRC Errors": 7, "rx.Packets": 100})},
			}}
	}
	return &model.Fleet{Hosts: []*model.Host{vios("v1", first), vios("v2", second)}}
}

var (
	monday  = time.Date(2026, 3, 2, 22, 0, 0, 0, time.UTC)
	tuesday = monday.AddDate(0, 0, 1)
)

func TestDiff(t *testing.T) {
	sea := func(f *model.Fleet) *model.Element { return f.Host("v1").Elements["ent5"] }
	port := func(f *model.Fleet) *model.Element { return f.Host("v1").Elements["ent0"] }
	tests := []struct {
		name   string
		change func(now *model.Fleet)
		want   string // changes, one after the other
		unread int
	}{
		{"nothing", func(*model.Fleet) {}, "", 0},
		{"a setting, now and at the next boot", func(f *model.Fleet) {
			sea(f).Attrs["large_receive"] = &model.Attr{Running: new("no"), NextBoot: new("no")}
		}, "setting v1:ent5 large_receive yes → no", 0},
		{"only at the next boot", func(f *model.Fleet) { sea(f).Attrs["large_receive"].NextBoot = new("no") },
			"setting v1:ent5 large_receive (next boot) yes → no", 0},
		{"a running value that is not known now is no change", func(f *model.Fleet) { sea(f).Attrs["large_receive"].Running = nil }, "", 0},
		{"a setting that was not read", func(f *model.Fleet) { delete(sea(f).Attrs, "thread") }, "", 1},
		{"a level", func(f *model.Fleet) { f.Host("v1").IOSLevel = "3.1.4.0" }, "level v1:host ioslevel 3.1.2.10 → 3.1.4.0", 0},
		{"a level that was not read", func(f *model.Fleet) { f.Host("v1").IOSLevel = "" }, "", 1},
		{"another VLAN, so that nobody bridges one that the other SEA has too", func(f *model.Fleet) { f.Host("v1").Elements["ent4"].VLANs = []int{10, 12} },
			"failover ETHERNET0 [11] [v1:ent5] → []; topology v1:ent4 VLANs 10,11 → 10,12", 0},
		{"an adapter that went", func(f *model.Fleet) { delete(f.Host("v1").Elements, "ent0") }, "topology v1:ent0 element physical-adapter → -", 0},
		{"one that came", func(f *model.Fleet) {
			f.Host("v2").Elements["ent9"] = &model.Element{Name: "ent9", Kind: model.VNIC}
		},
			"topology v2:ent9 element - → vnic", 0},
		{"a link", func(f *model.Fleet) { port(f).LinkUp = new(false) }, "link v1:ent0 link up → down", 0},
		{"a link not read", func(f *model.Fleet) { port(f).LinkUp = nil }, "", 1},
		{"a failover", func(f *model.Fleet) { f.Hosts = pair("BACKUP", "PRIMARY", tuesday).Hosts },
			"failover ETHERNET0 [1 10 11] [v1:ent5] → [v2:ent5]; active v1:ent5 state PRIMARY → BACKUP; active v2:ent5 state BACKUP → PRIMARY", 0},
		{"nobody bridges any more", func(f *model.Fleet) { sea(f).HAState = "LIMBO" },
			"failover ETHERNET0 [1 10 11] [v1:ent5] → []; active v1:ent5 state PRIMARY → LIMBO", 0},
		{"who is active is not known", func(f *model.Fleet) { sea(f).HAState = "RECOVERY" }, "active v1:ent5 state PRIMARY → RECOVERY", 0},
		{"a host that was not read", func(f *model.Fleet) { f.Hosts = f.Hosts[:1] }, "removed v2", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, now := pair("PRIMARY", "BACKUP", monday), pair("PRIMARY", "BACKUP", tuesday)
			tt.change(now)
			d := compared(t, before, now)
			if got := strings.Join(said(d), "; "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			unread := 0
			for _, u := range d.Unread {
				unread += len(u.What)
			}
			if unread != tt.unread {
				t.Errorf("got %d values not read (%v), want %d", unread, d.Unread, tt.unread)
			}
			if d.Changed() != (tt.want != "" && len(d.Removed) == 0) {
				t.Errorf("Changed() is %v", d.Changed())
			}
		})
	}
}

func compared(t *testing.T, before, now *model.Fleet) *diff.Diff {
	t.Helper()
	d, err := diff.Of(t.Context(), before, now)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// said are a diff's changes in words.
func said(d *diff.Diff) []string {
	var out []string
	for _, h := range d.Removed {
		out = append(out, "removed "+h)
	}
	for _, f := range d.Failovers {
		out = append(out, fmt.Sprintf("failover %s %v %v → %v", f.VSwitch, f.VLANs, f.Before, f.After))
	}
	or := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for _, c := range d.Changes {
		value := ""
		if c.Value != "" {
			value = " (" + c.Value + ")"
		}
		out = append(out, fmt.Sprintf("%s %s %s%s %s → %s", c.Kind, c.Ref, c.What, value, or(c.Before), or(c.After)))
	}
	return out
}

// Error counters that grew are listed, others are not, nor those of an adapter
// whose growth is not known.
func TestCounters(t *testing.T) {
	before, now := pair("PRIMARY", "BACKUP", monday), pair("PRIMARY", "BACKUP", tuesday)
	now.Host("v1").Elements["ent0"].Counters = model.CountersOf(map[string]uint64{"CRC Errors": 31, "rx.Packets": 900})
	now.Host("v2").Elements["ent0"].Counters = model.CountersOf(map[string]uint64{"CRC Errors": 3, "rx.Packets": 10})
	d := compared(t, before, now)
	if len(d.Counters) != 1 || d.Counters[0].Ref.String() != "v1:ent0" || d.Counters[0].Text != "+24 in 1 d (1/h)" || d.Changed() {
		t.Errorf("got %+v, want the 24 CRC errors of v1:ent0 alone, and no change", d.Counters)
	}
}

// What fewer than one in a million packets suffered is rare, where packets are counted.
func TestRare(t *testing.T) {
	for name, tt := range map[string]struct {
		counters map[string]uint64 // of the earlier reading: CRC Errors 7, rx.Packets 100
		packets  uint64
		rare     bool
	}{
		"two of five million":  {map[string]uint64{"CRC Errors": 9, "rx.Packets": 5_000_100}, 5_000_000, true},
		"five of five million": {map[string]uint64{"CRC Errors": 12, "rx.Packets": 5_000_100}, 5_000_000, false},
		"no packets counted":   {map[string]uint64{"CRC Errors": 9}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			before, now := pair("PRIMARY", "BACKUP", monday), pair("PRIMARY", "BACKUP", tuesday)
			now.Host("v1").Elements["ent0"].Counters = model.CountersOf(tt.counters)
			d, err := diff.Of(t.Context(), before, now)
			if err != nil {
				t.Fatal(err)
			}
			got := d.Counters
			if len(got) != 1 || got[0].Packets != tt.packets || got[0].Rare() != tt.rare {
				t.Errorf("got %+v, want %d packets, rare: %v", got, tt.packets, tt.rare)
			}
		})
	}
	before, now := pair("PRIMARY", "BACKUP", monday), pair("PRIMARY", "BACKUP", tuesday)
	counts := func(sent, again uint64) model.Counters {
		return model.CountersOf(map[string]uint64{"tcp.packets_sent": sent, "tcp.packets_received": sent,
			"tcp.packets_sent.data_packets_retransmitted": again})
	}
	before.Host("v1").Protocols, now.Host("v1").Protocols = counts(100, 0), counts(1_500_100, 1)
	d, err := diff.Of(t.Context(), before, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Counters; len(got) != 1 || got[0].Packets != 3_000_000 || !got[0].Rare() {
		t.Errorf("of TCP: got %+v, want one retransmission in 3 million packets", got)
	}
}

// A host that was down the second time has lost none of its devices.
func TestHostNotRead(t *testing.T) {
	before, now := pair("PRIMARY", "BACKUP", monday), pair("PRIMARY", "BACKUP", tuesday)
	now.Host("v1").Elements = nil
	d := compared(t, before, now)
	for _, c := range said(d) {
		if strings.Contains(c, "topology v1") {
			t.Errorf("got %q, want no change of a host that was not read", c)
		}
	}
	if len(d.Unread) != 1 || d.Unread[0].Host != "v1" || now.HasRead("v1") || !now.HasRead("v2") {
		t.Errorf("got unread %+v, want v1", d.Unread)
	}
}

func TestFindings(t *testing.T) {
	f := func(id string, v finding.Verdict, symptoms ...string) finding.Finding {
		host, element, _ := strings.Cut(id[5:], ":")
		return finding.Finding{ID: id, Verdict: v, Element: model.Ref{Host: host, Element: element}, Symptoms: symptoms}
	}
	before := []finding.Finding{f("R001/a:en0", finding.Found), f("R002/a:en0", finding.Found), f("R003/a:en0", finding.Found),
		f("R004/a:en0", finding.NotAssessed), f("R005/a:en0", finding.Found), f("R006/b:en0", finding.Found)}
	now := []finding.Finding{f("R001/a:en0", finding.Found), f("R003/a:en0", finding.NotAssessed), f("R004/a:en0", finding.Found),
		f("R007/a:en0", finding.Found, "R005/a:en0")}
	got := diff.Compare(before, now)
	got.Unread(func(host string) bool { return host == "a" })
	ids := func(all []finding.Finding) (out []string) {
		for _, x := range all {
			out = append(out, x.ID)
		}
		return out
	}
	for _, x := range []struct {
		what      string
		got, want []string
	}{
		{"new", ids(got.New), []string{"R004/a:en0", "R007/a:en0"}},
		{"gone", ids(got.Gone), []string{"R002/a:en0"}}, // not R005, which is a symptom now
		{"lost", ids(got.Lost), []string{"R003/a:en0", "R006/b:en0"}},
		{"still", ids(got.Still), []string{"R001/a:en0"}},
	} {
		if !slices.Equal(x.got, x.want) {
			t.Errorf("%s: got %v, want %v", x.what, x.got, x.want)
		}
	}
	if now[2].Change != diff.Assessed || now[3].Change != diff.New || now[0].Change != diff.Still {
		t.Errorf("got changes %q, %q, %q", now[2].Change, now[3].Change, now[0].Change)
	}
}

// What collect sends to time round trips is not an error that grew; more than that is.
func TestOwnProbes(t *testing.T) {
	for _, tt := range []struct {
		grown uint64
		want  int
	}{{5, 0}, {10, 0}, {11, 1}} {
		reading := func(dropped uint64) *model.Fleet {
			lpar1 := &model.Host{Name: "lpar1", Platform: model.AIX, Elements: map[string]*model.Element{"en0": {Name: "en0"}},
				Protocols: model.CountersOf(map[string]uint64{"udp.dropped_due_to_no_socket": dropped})}
			lpar2 := &model.Host{Name: "lpar2", Platform: model.AIX, Elements: map[string]*model.Element{"en0": {Name: "en0"}},
				Figures: map[string]model.Figure{model.RoundTripTo("en0", "lpar1"): {Value: 0.2}}}
			return &model.Fleet{Hosts: []*model.Host{lpar1, lpar2}}
		}
		if d := compared(t, reading(100), reading(100+tt.grown)); len(d.Counters) != tt.want {
			t.Errorf("grown by %d: got %v, want %d counters", tt.grown, d.Counters, tt.want)
		}
	}
}
