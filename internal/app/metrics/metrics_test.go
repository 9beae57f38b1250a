package metrics

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	prom "github.com/prometheus/common/model"

	"seaworthy/internal/audit/desired"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/inventory/model"
)

// full is a source that has every metric.
func full() Source {
	up, speed := true, int64(10_000)
	counters := model.CountersOf(map[string]uint64{"rx.Bytes": 1000, "tx.Bytes": 2000, "rx.Packets": 10, "tx.Packets": 20,
		"rx.Packets Dropped": 1, "tx.Packets Dropped": 2, "rx.No Resource Errors": 7})
	sea := &model.Element{Name: "ent5", Kind: model.SEA, LinkUp: &up, Counters: counters}
	sea.SpeedMb, sea.BridgeMode = &speed, "All"
	host := &model.Host{Name: "vios1", Platform: model.VIOS, Level: "7200-05-03-2148", MachineID: "9009-22A*7812345",
		Taken: time.Unix(1_800_000_000, 0), Elements: map[string]*model.Element{"ent5": sea, "ent0": {Name: "ent0", Kind: model.Physical}},
		Protocols: model.CountersOf(map[string]uint64{"tcp.packets_sent.data_packets_retransmitted": 42})}
	evil := "a\"b\\c\nd\x1b[2J\u202e\xff"
	return Source{Version: "1.2.0", At: time.Unix(1_800_000_100, 0), Hosts: 1, NotRead: 1, Waived: 3,
		Findings: []finding.Finding{
			{Rule: "R001", Verdict: finding.Found, Severity: finding.High, Element: model.Ref{Host: "vios1", Element: evil}},
			{Rule: "R001", Verdict: finding.Found, Severity: finding.High, Element: model.Ref{Host: "vios1", Element: evil}},
			{Rule: "R034", Verdict: finding.NotAssessed, Element: model.Ref{Host: "vios1", Element: "ent5"}},
		},
		Fleet: &model.Fleet{Hosts: []*model.Host{host}},
		Hub: &Hub{Zones: []control.ZoneState{{Zone: control.Zone{Name: "dmz"}, Hosts: 4, Waiting: 2, Held: 1, Connected: true,
			Seen: time.Unix(1_800_000_000, 0), Refused: 5}},
			Sweeps: []control.Sweep{{ID: "1", Begun: time.Unix(1_800_000_000, 0), Ended: time.Unix(1_800_000_050, 0), All: 4, Read: 4},
				{ID: "2", Begun: time.Unix(1_800_000_060, 0), All: 4, Read: 1, Failed: 1}}},
		Drift: &desired.Result{Held: 5, Drift: []desired.Value{{Host: "vios1", Element: "ent5", Attr: "largesend", Entry: "largesend"}}},
	}
}

func familiesOf(t *testing.T, s Source) []*dto.MetricFamily {
	t.Helper()
	all, err := s.Families()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// written are metrics as text.
func written(t *testing.T, s Source, format Format) string {
	t.Helper()
	var b bytes.Buffer
	err := Write(&b, format, familiesOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every metric of the list is made, has what Prometheus asks of names, and is read back with the same value.
func TestList(t *testing.T) {
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	all := familiesOf(t, full())
	for _, m := range list {
		i := slices.IndexFunc(all, func(f *dto.MetricFamily) bool { return f.GetName() == m.Name })
		if i < 0 {
			t.Errorf("nothing makes %s", m.Name)
			continue
		}
		base := strings.TrimSuffix(m.Name, "_total")
		switch {
		case (m.Type == Counter) != (base != m.Name):
			t.Errorf("%s is a %s: counters and they alone end in _total", m.Name, m.Type)
		case m.Unit != "" && !strings.HasSuffix(base, "_"+m.Unit):
			t.Errorf("%s does not end with its unit, %s", m.Name, m.Unit)
		case m.Counts != "" && !slices.Contains(live.Metrics(), m.Counts):
			t.Errorf("%s counts %s, which there is not", m.Name, m.Counts)
		case !strings.HasSuffix(m.Help, "."):
			t.Errorf("%s: its help is no sentence: %s", m.Name, m.Help)
		}
	}
	for _, rate := range live.Metrics() {
		if !slices.ContainsFunc(list, func(m Metric) bool { return m.Counts == rate }) {
			t.Errorf("no metric is the total of %s", rate)
		}
	}
	text := written(t, full(), Text)
	parser := expfmt.NewTextParser(prom.LegacyValidation)
	back, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(back) != len(list) {
		t.Errorf("got %d metrics back of %d", len(back), len(list))
	}
	for _, want := range []string{
		`seaworthy_element_receive_bytes_total{host="vios1",element="ent5",kind="sea"} 1000`,
		`seaworthy_element_dropped_packets_total{host="vios1",element="ent5",kind="sea"} 3`,
		`seaworthy_element_buffer_misses_total{host="vios1",element="ent5",kind="sea"} 7`,
		`seaworthy_element_speed_bytes{host="vios1",element="ent5",kind="sea"} 1.25e+09`,
		`seaworthy_host_tcp_retransmitted_segments_total{host="vios1"} 42`,
		`seaworthy_fleet_jobs{zone="dmz",state="waiting"} 2`, `seaworthy_fleet_refused_messages_total{zone="dmz"} 5`,
		`seaworthy_fleet_sweep_hosts{outcome="to_come"} 2`, `seaworthy_fleet_sweeps_running 1`,
		`seaworthy_fleet_last_sweep_timestamp_seconds 1.80000005e+09`,
		`seaworthy_findings{severity="high"} 2`, `seaworthy_findings{severity="low"} 0`, `seaworthy_drift_values{state="held"} 5`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("lacks %s", want)
		}
	}
	if strings.Count(text, "seaworthy_finding{") != 1 {
		t.Error("a series is there twice")
	}
	if strings.Contains(text, "ent0") || strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("has what was not read, or what controls a terminal:\n%s", text)
	}
}

// What is not known is not there.
func TestUnknown(t *testing.T) {
	text := written(t, Source{Version: "1"}, Text)
	for _, name := range []string{"drift", "timestamp", "host_info", "element"} {
		if strings.Contains(text, name) {
			t.Errorf("has %s:\n%s", name, text)
		}
	}
}

// promtool of Prometheus reads the text and finds nothing wrong with names and help. OpenMetrics is read by the Prometheus of
// TestPrometheus.
func TestOtherParsers(t *testing.T) {
	text := written(t, full(), OpenMetrics)
	if !strings.HasSuffix(text, "# EOF\n") || !strings.Contains(text, "# UNIT seaworthy_element_receive_bytes bytes\n") {
		t.Errorf("not OpenMetrics:\n%s", text)
	}
	c := exec.CommandContext(t.Context(), tool(t, "promtool"), "check", "metrics")
	c.Stdin = strings.NewReader(written(t, full(), Text))
	out, err := c.CombinedOutput()
	if err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("promtool: %v: %s", err, out)
	}
}

// tool is a program of Debian's packages prometheus and victoria-metrics.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

var metricNames = regexp.MustCompile(`seaworthy_[a-z_]+`)

// Every expression is of metrics and labels that there are; every metric is on a dashboard.
func TestDashboards(t *testing.T) {
	all, err := Dashboards()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d dashboards, %v", len(all), err)
	}
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, d := range all {
		text, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metricNames.FindAllString(string(text), -1) {
			used[name] = true
		}
		checkModel(t, d.Name, text)
	}
	for name := range used {
		if !slices.ContainsFunc(list, func(m Metric) bool { return m.Name == name }) {
			t.Errorf("a dashboard asks for %s, which is not in metrics.yaml", name)
		}
	}
	for _, m := range list {
		if !used[m.Name] && !strings.HasSuffix(m.Name, "build_info") && m.Name != "seaworthy_findings_waived" {
			t.Errorf("no dashboard shows %s", m.Name)
		}
	}
}

// checkModel holds a dashboard against what Grafana's model asks: panels with ids of their own that do not overlap on a grid of 24
// columns, kinds that it has, and a data source that is a variable.
func checkModel(t *testing.T, name string, text []byte) {
	t.Helper()
	var d grafanaDashboard
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	err := in.Decode(&d)
	if err != nil || d.UID != name || d.Title == "" || len(d.Templating.List) == 0 {
		t.Fatalf("%s: %v: %+v", name, err, d)
	}
	cells, ids := map[[2]int]bool{}, map[int]bool{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.ID == 0 || p.Datasource.UID != "${datasource}" || len(p.Targets) == 0 {
			t.Errorf("%s: panel %+v", name, p)
		}
		ids[p.ID] = true
		if !slices.Contains([]string{"stat", "timeseries", "bargauge", "table"}, p.Type) {
			t.Errorf("%s: %s: Grafana has no panel %s", name, p.Title, p.Type)
		}
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if cells[at] || at[0] >= gridColumns {
					t.Fatalf("%s: %s lies on another panel, or beside the grid", name, p.Title)
				}
				cells[at] = true
			}
		}
	}
}

// The table of the documentation is made of the list: -update writes it.
func TestTable(t *testing.T) {
	const file = "../../../docs/site/metrics.md"
	const begin, end = "<!-- made of metrics.yaml: begin -->\n", "<!-- made of metrics.yaml: end -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	had, after, ended := strings.Cut(rest, end)
	want, err := Table()
	if err != nil || !found || !ended {
		t.Fatalf("%s has no table of metrics, or %v", file, err)
	}
	want = "\n" + want + "\n"
	if had == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s: the table is not that of metrics.yaml: UPDATE=1 go test ./internal/app/metrics writes it", file)
	}
	err = os.WriteFile(file, []byte(before+begin+want+end+after), 0o644)
	if err != nil {
		t.Fatal(err)
	}
}
