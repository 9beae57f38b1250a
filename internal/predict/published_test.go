package predict

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// published are the printed figures of an experiment, by case.
func published(t *testing.T, file, id string) map[string]map[string]float64 {
	t.Helper()
	path := "../../lab/replay/experiments/" + file
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Experiments []map[string]any `yaml:"experiments"`
	}
	if err := decode.YAML(path, text, &f); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]float64{}
	for _, e := range f.Experiments {
		if e["id"] != id {
			continue
		}
		for _, p := range e["published"].([]any) {
			p := p.(map[string]any)
			figures := map[string]float64{}
			for k, v := range p["figures"].(map[string]any) {
				if figures[k], err = strconv.ParseFloat(fmt.Sprint(v), 64); err != nil {
					t.Fatal(err)
				}
			}
			out[p["case"].(string)] = figures
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no figures of %s", path, id)
	}
	return out
}

// cell is a published figure and the path that it is of.
type cell struct {
	name string
	Observation
}

// leftOut predicts each cell from the others; cells of one group share a path.
func leftOut(t *testing.T, cells []cell, group func(cell) string) (bps, cores score) {
	t.Helper()
	costs, _ := knowledge.BuiltIn().Costs("power")
	for i, c := range cells {
		var rest []Observation
		for j, o := range cells {
			if j != i && group(o) == group(c) {
				rest = append(rest, o.Observation)
			}
		}
		p, err := predict(costs, c.Setup, nil, rest, draws)
		if err != nil {
			t.Fatal(err)
		}
		if p.Now.BPS == nil {
			t.Errorf("%s: unknown: %v", c.name, p.Now.Unknown)
			continue
		}
		bps.add(p.Now.BPS, c.BPS)
		t.Logf("%s: %.2f Gbit/s (%.2f to %.2f), published %.2f; %s", c.name, p.Now.BPS.Median/1e9, p.Now.BPS.Low/1e9, p.Now.BPS.High/1e9,
			c.BPS/1e9, p.Now.Limits[0].What)
		if len(c.Cores) > 0 {
			used := 0.0
			for _, x := range c.Cores {
				used += x
			}
			cores.add(p.Now.Cores, used)
			t.Logf("%s: %.2f cores (%.2f to %.2f), published %.2f", c.name, p.Now.Cores.Median, p.Now.Cores.Low, p.Now.Cores.High, used)
		}
	}
	return bps, cores
}

func wantWithin(t *testing.T, what string, s score, most, least float64) {
	t.Helper()
	t.Logf("%s: %d cells, off by %.1f %%, %.0f %% held", what, len(s.off), 100*s.median(), 100*s.coverage())
	if s.median() > most || s.coverage() < least {
		t.Errorf("%s: off by %.3f, %.2f held, want at most %v and at least %v", what, s.median(), s.coverage(), most, least)
	}
}

// Source S000: largesend off and on, one stream and eight, through two SEAs.
func TestPublishedE000(t *testing.T) {
	var cells []cell
	for id, streams := range map[string]int{"E000-BW1": 1, "E000-BW8": 8} {
		for name, figures := range published(t, "e000.yaml", id) {
			f, path := twoSystems()
			for _, h := range f.Hosts {
				h.Partition.Mode, h.Partition.VirtualCPUs = "Uncapped", new(2)
			}
			values := Values{at("lpar1:en0:mtu_bypass"): strings.TrimPrefix(name, "mtu_bypass=")}
			o := Observation{Setup: NewSetup(f, path, values, Load{Streams: streams}), BPS: figures["bps"], Cores: map[string]float64{}}
			for _, n := range o.Setup.Nodes {
				o.Cores[n.Host] = figures["cores"] / 4 // the article gives their sum
			}
			cells = append(cells, cell{id + " " + name, o})
		}
	}
	slices.SortFunc(cells, func(a, b cell) int { return strings.Compare(a.name, b.name) })
	bps, cores := leftOut(t, cells, func(cell) string { return "" })
	wantWithin(t, "throughput", bps, 0.15, 1)
	wantWithin(t, "cores", cores, 0.15, 1)
}

// Source S002: six directions between three LPARs on two systems, MTU and window.
func TestPublishedE002(t *testing.T) {
	name := regexp.MustCompile(`^(lpar\d) to (lpar\d), LS(,9000)? to LS(,9000)?, (\d+)$`)
	var cells []cell
	for c, figures := range published(t, "e002.yaml", "E002-MATRIX") {
		m := name.FindStringSubmatch(c)
		if m == nil {
			t.Fatalf("case %q", c)
		}
		window, _ := strconv.ParseFloat(m[5], 64)
		f, path := twoSystems()
		f.Hosts[0].Name, f.Hosts[3].Name = m[1], m[2]
		rename(path, "lpar1", "from", "lpar2", m[2], "from", m[1])
		if m[1] != "lpar3" && m[2] != "lpar3" {
			inside(f, path)
		}
		values := Values{}
		for _, x := range []struct{ host, jumbo string }{{m[1], m[3]}, {m[2], m[4]}} {
			en := model.Ref{Host: x.host, Element: "en0"}
			values[Target{en, "mtu_bypass"}] = "on"
			if x.jumbo != "" {
				values[Target{en, "mtu"}] = "9000"
			}
		}
		for _, hop := range path.Hops {
			if hop.Ref != nil {
				values[Target{*hop.Ref, "jumbo_frames"}] = "yes"
			}
		}
		cells = append(cells, cell{c, Observation{Setup: NewSetup(f, path, values, Load{Streams: 1, Window: window}), BPS: figures["bps"]}})
	}
	slices.SortFunc(cells, func(a, b cell) int { return strings.Compare(a.name, b.name) })
	bps, _ := leftOut(t, cells, func(c cell) string { return c.name[:len("lpar1 to lpar2")] })
	wantWithin(t, "throughput", bps, 0.15, 0.9)
}

// rename gives hosts of a path other names, in pairs.
func rename(path *model.Path, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		for _, hop := range path.Hops {
			if hop.Ref != nil && hop.Ref.Host == pairs[i] {
				hop.Ref.Host = pairs[i+1]
			}
		}
		for _, end := range []*model.Ref{&path.From, &path.To} {
			if end.Host == pairs[i] {
				end.Host = pairs[i+1]
			}
		}
	}
}

// inside leaves both ends on one hypervisor switch.
func inside(f *model.Fleet, path *model.Path) {
	f.Hosts = []*model.Host{f.Hosts[0], f.Hosts[3]}
	last := len(path.Hops)
	path.Hops = slices.Concat(path.Hops[:2], []model.Hop{{Kind: model.HypervisorSwitch}}, path.Hops[last-2:])
}

// Source S004: 24 streams over 100 Gbit/s, queues, jumbo frames and windows.
func TestPublishedE004(t *testing.T) {
	queues := map[string]int{"default": 8, "queues": 20, "queues and jumbo frames": 20}
	windows := map[string]float64{"256 KB": 256 << 10, "512 KB": 512 << 10, "1 MB": 1 << 20}
	var cells []cell
	for c, figures := range published(t, "e004.yaml", "E004-100G") {
		how, window, _ := strings.Cut(c, ", ")
		segment, line := 1448.0, 100e9*1448/1538
		if strings.Contains(how, "jumbo") {
			segment, line = 8948, 100e9*8948/9038
		}
		s := &Setup{Sent: largest, Received: segment, Window: windows[window], Streams: 24, Lanes: queues[how], Line: line, Nodes: []Node{
			{Host: "hosta", Role: Sender, Frame: largest, Most: new(4.0), Limit: "hosta's entitlement"},
			{Host: "hostb", Role: Receiver, Frame: segment, Most: new(8.0), Limit: "hostb's virtual processors"},
		}}
		cells = append(cells, cell{c, Observation{Setup: s, BPS: figures["bps"]}})
	}
	slices.SortFunc(cells, func(a, b cell) int { return strings.Compare(a.name, b.name) })
	bps, _ := leftOut(t, cells, func(cell) string { return "" })
	wantWithin(t, "throughput", bps, 0.15, 0.75)
}
