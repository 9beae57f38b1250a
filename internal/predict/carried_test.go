package predict

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// snapshots are two readings of twoSystems an hour apart. lpar1 sent 450 GB of payload in frames of 60,000 bytes, whose
// acknowledgements came back; each VIOS used 0.8 cores for it, and had used 0.2 on average before.
func snapshots() (before, after *model.Fleet, path *model.Path) {
	before, path = twoSystems()
	after, _ = twoSystems()
	const frames, acks, each = 7_500_000, 3_000_000, 60_000 + headers + timestamps + 14
	for i, f := range []*model.Fleet{before, after} {
		n := uint64(i)
		count := func(e *model.Element, data, back string) {
			e.Counters = e.Counters.With(map[string]uint64{data + ".Bytes": 1000 + n*frames*each, data + ".Packets": 10 + n*frames,
				back + ".Bytes": 500 + n*acks*66, back + ".Packets": 5 + n*acks})
			e.CountedS = new(int64(86400 + 3600*i))
		}
		for j, h := range f.Hosts {
			h.Taken = time.Date(2026, 5, 1, 10+i, 0, 0, 0, time.UTC)
			h.Figures = map[string]model.Figure{model.Uptime: {Value: float64(36000 + 3600*i)}, model.CoresMean: {Value: 0.2}}
			if i == 1 {
				h.Figures[model.CoresMean] = model.Figure{Value: (0.2*36000 + 0.8*3600) / 39600}
			}
			if j == 1 || j == 2 {
				h.Elements["ent4"] = &model.Element{Name: "ent4", Kind: model.Virtual}
				h.Elements["ent5"].Trunks = []string{"ent4"}
			}
		}
		count(f.Hosts[0].Elements["ent0"], "tx", "rx")
		count(f.Hosts[1].Elements["ent4"], "rx", "tx")
		count(f.Hosts[2].Elements["ent4"], "tx", "rx")
		count(f.Hosts[3].Elements["ent0"], "rx", "tx")
	}
	return before, after, path
}

func TestCarried(t *testing.T) {
	before, after, path := snapshots()
	got, unused := NewCarried(before, after, path)
	if len(got) != 4 || len(unused) > 0 {
		t.Fatalf("got %+v, not used: %v", got, unused)
	}
	for i, want := range []Role{Sender, Bridge, Bridge, Receiver} {
		c := got[i]
		if c.Role != want || c.Seconds != 3600 || math.Abs(c.BPS/1e9-1) > 0.001 || math.Abs(c.Frame-60000) > 1 || math.Abs(c.Cores-0.8) > 0.001 {
			t.Errorf("%s: got %+v, want 1 Gbit/s in frames of 60,000 bytes for 0.8 cores", c.Host, c)
		}
		// Two figures rounded to a hundredth over eleven hours, for one.
		if c.Off < 0.03 || c.Off > 0.06 {
			t.Errorf("%s: 0.8 ± %v cores", c.Host, c.Off)
		}
	}
}

func TestNothingCarried(t *testing.T) {
	for want, damage := range map[string]func(before, after *model.Host){
		"was booted in between":         func(_, after *model.Host) { after.Figures[model.Uptime] = model.Figure{Value: 60} },
		"or its clock was set":          func(_, after *model.Host) { after.Taken = after.Taken.Add(time.Hour) },
		"do not say what it used":       func(before, _ *model.Host) { delete(before.Figures, model.CoresMean) },
		"ent4: its counters were reset": func(_, after *model.Host) { after.Elements["ent4"].CountedS = new(int64(9)) },
		"ent4: its counters of bytes": func(_, after *model.Host) {
			after.Elements["ent4"].Counters = after.Elements["ent4"].Counters.With(map[string]uint64{"rx.Bytes": 1})
		},
		"ent4: it was not read in both": func(_, after *model.Host) { delete(after.Elements, "ent4") },
		"it carried nothing": func(before, after *model.Host) {
			after.Elements["ent4"].Counters = before.Elements["ent4"].Counters
		},
		"take the snapshots further apart": func(before, after *model.Host) {
			after.Figures[model.CoresMean] = before.Figures[model.CoresMean]
		},
		"two different hosts have this name (": func(before, after *model.Host) { before.MachineID, after.MachineID = "9009-22A*1", "9009-22A*2" },
	} {
		before, after, path := snapshots()
		for mac, h := range map[string]*model.Host{"1": before.Host("vios1"), "2": after.Host("vios1")} {
			h.Elements["ent0"].MAC = mac
			if !strings.HasPrefix(want, "two") {
				h.Elements["ent0"].MAC = ""
			}
		}
		damage(before.Host("vios1"), after.Host("vios1"))
		if want == "take the snapshots further apart" { // a month up
			for i, h := range []*model.Host{before.Host("vios1"), after.Host("vios1")} {
				h.Figures[model.Uptime] = model.Figure{Value: float64(30*86400 + 3600*i)}
			}
		}
		got, unused := NewCarried(before, after, path)
		if len(got) != 3 || len(unused) != 1 || !strings.Contains(unused[0], want) {
			t.Errorf("got %d hosts, not used %q, want %q", len(got), unused, want)
		}
	}
}

// What passed between two snapshots leaves less open of what hosts use, and says nothing of what the path can carry.
func TestCarriedMovesPriors(t *testing.T) {
	before, after, path := snapshots()
	carried, _ := NewCarried(before, after, path)
	for _, h := range after.Hosts {
		h.Partition.Mode, h.Partition.VirtualCPUs = "Uncapped", new(16)
	}
	costs, _ := knowledge.BuiltIn().Costs("power")
	q := Question{Fleet: after, Path: path, Load: Load{Streams: 1}, Costs: costs, Values: Values{at("lpar1:en0:mtu_bypass"): "on"}}
	alone, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	q.Carried = carried
	got, err := q.Answer()
	if err != nil {
		t.Fatal(err)
	}
	width := func(e *Estimate) float64 { return math.Log(e.High / e.Low) }
	perBit := func(p *Prediction) float64 { return p.After.Hosts[1].Cores.Median / p.After.BPS.Median * 1e9 }
	if width(got.After.Cores) > 0.9*width(alone.After.Cores) || math.Abs(perBit(got)-0.8) > math.Abs(perBit(alone)-0.8) || math.Abs(perBit(got)/0.8-1) > 0.25 {
		t.Errorf("cores %+v, alone %+v; %.2f cores of vios1 a Gbit/s, alone %.2f, seen 0.80", got.After.Cores, alone.After.Cores, perBit(got), perBit(alone))
	}
	bridged := func(a Assumption) bool {
		return a.What == "all that vios1 used (0.80 cores) was for the 1000 Mbit/s that it bridged"
	}
	if len(got.Carried) != 4 || got.Fitted != 0 || !slices.ContainsFunc(got.Assumed, bridged) {
		t.Errorf("got %+v", got)
	}
	if r := got.Now.BPS.Median / alone.Now.BPS.Median; r < 0.9 || r > 1.1 {
		t.Errorf("throughput × %.2f by traffic that shows none", r)
	}
	q.Load = Load{Sessions: 20, Request: 700, Response: 700}
	if got, err = q.Answer(); err != nil || len(got.Carried) > 0 || len(got.Unused) != 4 {
		t.Errorf("sessions: got %+v, %v", got, err)
	}
}
