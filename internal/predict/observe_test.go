package predict

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/measure/probe/sock"
)

// measured is a comparison over the path of two systems: 1 Gbit/s before, 4 after.
func measured() *measure.Result {
	f, p := twoSystems()
	r := &measure.Result{Path: &model.Excerpt{Path: *p, Fleet: f}, Hosts: []measure.HostInfo{{Name: "lpar1", OS: "linux"}}}
	r.Options = measure.Options{From: "lpar1", To: "lpar2", Variants: []string{"before", "after"},
		Changes:   []measure.Change{{Variant: "after", Values: []string{"lpar1:en0 mtu_bypass: off → on"}}},
		Workloads: []measure.Workload{{Name: "2 streams", Kind: load.Stream, Streams: 2}}}
	for _, v := range []struct {
		variant string
		bps     float64
	}{{"before", 1e9}, {"after", 4e9}, {"before", 1.1e9}, {"after", 4.4e9}} {
		socket := sock.State{Granted: sock.Buffers{Send: new(131072), Receive: new(262144)}}
		r.Trials = append(r.Trials, measure.Trial{Variant: v.variant, Workload: "2 streams",
			Measure: measure.Measure{BPS: &v.bps, Sockets: map[string][]sock.State{"lpar1": {socket}, "lpar2": {socket}}},
			CPU:     map[string]measure.HostCPU{"vios1": {Usage: meter.Usage{Cores: v.bps / 1e9}}}})
	}
	return r
}

func TestObserve(t *testing.T) {
	r := measured()
	seen, unused := Observe(r, &r.Path.Path)
	if len(seen) != 2 || len(unused) > 0 {
		t.Fatalf("got %d observations, not used: %v", len(seen), unused)
	}
	before, after := seen[0], seen[1]
	if before.BPS != 1.05e9 || after.BPS != 4.2e9 || before.Spread <= 0 || after.Cores["vios1"] != 4.2 {
		t.Errorf("got %+v and %+v", before, after)
	}
	// lpar1 is Linux, which says twice the bytes that hold data.
	if s := before.Setup; s.Sent != 1448 || s.Window != 65536 || s.Streams != 2 {
		t.Errorf("before: got %+v", s)
	}
	if s := after.Setup; s.Sent != oneWindow*65536 {
		t.Errorf("after: got %v bytes a frame, want those of largesend in that window", s.Sent)
	}
}

func TestNotObserved(t *testing.T) {
	for want, damage := range map[string]func(*measure.Result){
		"holds no path":                   func(r *measure.Result) { r.Path = nil },
		"its path is lpar3:en0":           func(r *measure.Result) { r.Path.Path.From.Host = "lpar3" },
		"how large its messages are":      func(r *measure.Result) { r.Options.Workloads[0].Kind = load.RequestResponse },
		"requests at a rate":              func(r *measure.Result) { r.Options.Workloads[0].Rate = 100 },
		"what \"after\" changed is not":   func(r *measure.Result) { r.Options.Changes[0].Values = []string{"jumbo frames"} },
		"vios2:ent5 was not read":         func(r *measure.Result) { delete(r.Path.Fleet.Host("vios2").Elements["ent5"].Attrs, "large_receive") },
		"only streams from --from to --t": func(r *measure.Result) { r.Options.Workloads[0].Reverse = true },
	} {
		r := measured()
		_, path := twoSystems()
		damage(r)
		if _, unused := Observe(r, path); !slices.ContainsFunc(unused, func(x string) bool { return strings.Contains(x, want) }) {
			t.Errorf("got %q, want %q", unused, want)
		}
	}
}

// A stream takes one port of an EtherChannel.
func TestEtherChannelLine(t *testing.T) {
	f, p := twoSystems()
	second := *f.Host("vios1").Elements["ent0"]
	second.Name = "ent1"
	f.Host("vios1").Elements["ent1"] = &second
	i := slices.IndexFunc(p.Hops, func(h model.Hop) bool { return h.Kind == string(model.Physical) })
	p.Hops[i].Note = "member of ent9"
	p.Hops = slices.Insert(p.Hops, i+1, model.Hop{Ref: &model.Ref{Host: "vios1", Element: "ent1"}, Kind: string(model.Physical), Note: "member of ent9"})
	f.Host("vios2").Elements["ent0"].SpeedMb = new(int64(40_000))
	f.Host("vios1").Elements["ent0"].SpeedMb = new(int64(10_000))
	for streams, want := range map[int]float64{1: 10e9, 8: 20e9} {
		if got := NewSetup(f, p, nil, Load{Streams: streams}).Line / 1448 * 1538; got < want*0.999 || got > want*1.001 {
			t.Errorf("%d streams: got %v bit/s, want %v", streams, got, want)
		}
	}
}
