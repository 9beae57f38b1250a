package confirm

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/replica"
)

// reading is two systems with a VIOS and a client each, as they were read at a time.
func reading(at time.Time) *model.Fleet {
	f := &model.Fleet{}
	for _, n := range []string{"1", "2"} {
		machine := "9009-22A*781234" + n
		client := &model.Host{Name: "lpar" + n, Platform: model.AIX, MachineID: machine, Taken: at, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Virtual, State: "Available", VirtualFacts: model.VirtualFacts{PVID: new(1), Trunk: new(false)}},
			"en0": {Name: "en0", Kind: model.Interface, On: "ent0", Up: new(true),
				Addrs: []netip.Prefix{netip.MustParsePrefix("192.0.2.1" + n + "/24")}}}}
		vios := &model.Host{Name: "vios" + n, Platform: model.VIOS, MachineID: machine, Taken: at, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical, State: "Available", LinkUp: new(true), MemberOf: "ent5"},
			"ent4": {Name: "ent4", Kind: model.Virtual, MemberOf: "ent5",
				VirtualFacts: model.VirtualFacts{PVID: new(1), Trunk: new(true), Priority: new(1)}},
			"ent5": {Name: "ent5", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", Trunks: []string{"ent4"}}}}}
		f.Hosts = append(f.Hosts, client, vios)
	}
	return f
}

func TestProved(t *testing.T) {
	catalogue, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	count := func(f *model.Fleet, host, element string, counters map[string]uint64) {
		f.Host(host).Elements[element].Counters = model.CountersOf(counters)
	}
	measured := func(largest int, v pathmtu.Verdict) []diagnose.Measured {
		from, to := model.Ref{Host: "lpar1", Element: "en0"}, model.Ref{Host: "lpar2", Element: "en0"}
		return []diagnose.Measured{{From: from, To: to, MTU: &pathmtu.Direction{Wanted: 9000, Largest: largest, Verdict: v}}}
	}
	for name, c := range map[string]struct {
		change func(r *Readings)
		want   []string
	}{
		"in order": {func(*Readings) {}, nil},
		"no link": {func(r *Readings) { r.Fleet.Host("vios1").Elements["ent0"].LinkUp = new(false) },
			[]string{"vios1:ent0 port-down"}},
		"link not read": {func(r *Readings) { r.Fleet.Host("vios1").Elements["ent0"].LinkUp = nil }, nil},
		"lost frames": {func(r *Readings) {
			count(r.Before, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 500, "rx.Packets": 1_000_000})
			count(r.Fleet, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 1500, "rx.Packets": 1_199_000})
		}, []string{"vios1:ent0 loss 0.5"}},
		"one in ten million": {func(r *Readings) {
			count(r.Before, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 0, "rx.Packets": 0})
			count(r.Fleet, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 1, "rx.Packets": 10_000_000})
		}, nil},
		"totals alone": {func(r *Readings) {
			r.Before = nil
			count(r.Fleet, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 1500, "rx.Packets": 1_199_000})
		}, nil},
		"errors that do not grow": {func(r *Readings) {
			count(r.Before, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 500, "rx.Packets": 1_000_000})
			count(r.Fleet, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 500, "rx.Packets": 1_199_000})
		}, nil},
		"packets not counted": {func(r *Readings) {
			count(r.Before, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 500})
			count(r.Fleet, "vios1", "ent0", map[string]uint64{"rx.Receive Errors": 900})
		}, nil},
		"damaged as by half duplex": {func(r *Readings) {
			count(r.Before, "vios2", "ent0", map[string]uint64{"CRC Errors": 0, "rx.Packets": 0})
			count(r.Fleet, "vios2", "ent0", map[string]uint64{"CRC Errors": 50, "rx.Packets": 950})
		}, []string{"vios2:ent0 duplex 5"}},
		"small buffers": {func(r *Readings) {
			count(r.Before, "lpar2", "ent0", map[string]uint64{"rx.No Resource Errors": 1, "rx.Bytes": 0})
			count(r.Fleet, "lpar2", "ent0", map[string]uint64{"rx.No Resource Errors": 9, "rx.Bytes": 50_000_000 / 8 * 60})
		}, []string{"lpar2:ent0 full-buffers 50M"}},
		"refused jumbo frames": {func(r *Readings) { r.Measured = measured(1500, pathmtu.BlackHole) }, []string{"sw1/2 no-jumbo 1500"}},
		"jumbo frames pass":    {func(r *Readings) { r.Measured = measured(9000, pathmtu.Whole) }, nil},
		"nothing passes":       {func(r *Readings) { r.Measured = measured(0, pathmtu.NoAnswer) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
			r := Readings{Before: reading(begun), Fleet: reading(begun.Add(time.Minute))}
			c.change(&r)
			made, err := replica.Of(r.Fleet, catalogue, replica.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Proved(r, made)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, f := range got {
				names = append(names, f.Fault.String())
				if f.Why == "" || !strings.Contains(f.Cause, "/") {
					t.Errorf("%s: cause %q, why %q", f.Fault, f.Cause, f.Why)
				}
			}
			if !slices.Equal(names, c.want) {
				t.Errorf("got %v, want %v", names, c.want)
			}
		})
	}
}

// Each kind names a cause of the knowledge.
func TestKinds(t *testing.T) {
	catalogue, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		if !slices.ContainsFunc(catalogue.Causes(), func(c knowledge.Cause) bool { return c.ID == k.cause }) {
			t.Errorf("%s is not a cause", k.cause)
		}
	}
}

// Causes that are not proved by counters are planted by what was measured or read of the host's state.
func TestCausing(t *testing.T) {
	catalogue, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	from, to := model.Ref{Host: "lpar1", Element: "en0"}, model.Ref{Host: "lpar2", Element: "en0"}
	for name, c := range map[string]struct {
		change func(r *Readings)
		cause  string
		at     model.Ref
		want   string
		err    string
	}{
		"clock": {func(r *Readings) { r.Clocks = map[string]float64{"vios1": 900.4} }, "clock", model.Ref{Host: "vios1"},
			"vios1 clock-jump 15m0s", ""},
		"clock not asked": {func(*Readings) {}, "clock", model.Ref{Host: "vios1"}, "", "not known how far"},
		"pings": {func(r *Readings) { r.Measured = []diagnose.Measured{{From: from, To: to, Sent: 100, Lost: 19}} }, "packet-loss", from,
			"vios2:ent0 loss 10", ""},
		"no ping answered": {func(r *Readings) { r.Measured = []diagnose.Measured{{From: from, To: to, Sent: 5, Lost: 5}} }, "packet-loss", from,
			"", "no ping was lost that says"},
		"limbo": {func(r *Readings) { r.Fleet.Host("vios2").Elements["ent5"].HAState = "LIMBO" }, "sea-state",
			model.Ref{Host: "vios2", Element: "ent5"}, "vios2:ent0 port-down", ""},
		"unhealthy": {func(r *Readings) { r.Fleet.Host("vios2").Elements["ent5"].HAState = "UNHEALTHY" }, "sea-state",
			model.Ref{Host: "vios2", Element: "ent5"}, "", "LIMBO alone"},
		"a setting": {func(*Readings) {}, "window", from, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := Readings{Fleet: reading(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))}
			c.change(&r)
			made, err := replica.Of(r.Fleet, catalogue, replica.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := newPlanter(r, made)
			if err != nil {
				t.Fatal(err)
			}
			f, err := p.causing(c.cause, c.at)
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Fatalf("got %v, want %q", err, c.err)
			}
			if got := f; (got != nil) != (c.want != "") || got != nil && got.Fault.String() != c.want {
				t.Errorf("got %v, want %q", got, c.want)
			}
		})
	}
}
