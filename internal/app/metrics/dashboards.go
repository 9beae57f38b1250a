package metrics

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
)

// Dashboard is panels that belong together.
type Dashboard struct {
	Name   string  `yaml:"name"` // of its file, and its uid
	Title  string  `yaml:"title"`
	Host   bool    `yaml:"host,omitempty"` // it is of a host that is chosen
	Panels []Panel `yaml:"panels"`
}

// Panel is a chart, a number or a table.
type Panel struct {
	Title   string  `yaml:"title"`
	Kind    string  `yaml:"kind"`             // stat, timeseries, bargauge, table
	Unit    string  `yaml:"unit,omitempty"`   // as Grafana names it: s, Bps, pps, percentunit; empty: a number
	Width   int     `yaml:"width"`            // of 24 columns
	Height  int     `yaml:"height,omitempty"` // 0: 8
	Queries []Query `yaml:"queries"`
}

// Query is an expression of PromQL.
type Query struct {
	Expr   string `yaml:"expr"`
	Legend string `yaml:"legend,omitempty"`
}

// What Grafana's grid is.
const (
	gridColumns = 24
	usualHeight = 8
)

//go:embed dashboards.yaml
var dashboardsText []byte

// Dashboards gives all dashboards.
var Dashboards = sync.OnceValues(func() ([]Dashboard, error) {
	var file struct {
		Dashboards []Dashboard `yaml:"dashboards"`
	}
	err := decode.YAML("dashboards.yaml", dashboardsText, &file)
	if err != nil {
		return nil, fmt.Errorf("dashboards.yaml: %w", err)
	}
	return file.Dashboards, nil
})

// The part of Grafana's dashboard model that panels need:
// https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/.
type (
	grafanaDashboard struct {
		UID           string         `json:"uid"`
		Title         string         `json:"title"`
		Tags          []string       `json:"tags"`
		SchemaVersion int            `json:"schemaVersion"`
		Editable      bool           `json:"editable"`
		Refresh       string         `json:"refresh"`
		Time          grafanaTime    `json:"time"`
		Annotations   grafanaNotes   `json:"annotations"`
		Templating    grafanaList    `json:"templating"`
		Panels        []grafanaPanel `json:"panels"`
	}
	grafanaTime struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	grafanaNotes struct {
		List []any `json:"list"`
	}
	grafanaList struct {
		List []grafanaVariable `json:"list"`
	}
	grafanaVariable struct {
		Name       string         `json:"name"`
		Label      string         `json:"label"`
		Type       string         `json:"type"`
		Query      any            `json:"query"`
		Datasource *grafanaSource `json:"datasource,omitempty"`
		Refresh    int            `json:"refresh"`
		Sort       int            `json:"sort"`
		Multi      bool           `json:"multi"`
		IncludeAll bool           `json:"includeAll"`
	}
	grafanaQuery struct {
		Query string `json:"query"`
		RefID string `json:"refId"`
	}
	grafanaSource struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
	grafanaPanel struct {
		ID          int             `json:"id"`
		Title       string          `json:"title"`
		Type        string          `json:"type"`
		Datasource  grafanaSource   `json:"datasource"`
		GridPos     grafanaPlace    `json:"gridPos"`
		FieldConfig grafanaFields   `json:"fieldConfig"`
		Targets     []grafanaTarget `json:"targets"`
	}
	grafanaPlace struct {
		X int `json:"x"`
		Y int `json:"y"`
		W int `json:"w"`
		H int `json:"h"`
	}
	grafanaFields struct {
		Defaults  grafanaDefaults `json:"defaults"`
		Overrides []any           `json:"overrides"`
	}
	grafanaDefaults struct {
		Unit string `json:"unit,omitempty"`
	}
	grafanaTarget struct {
		RefID        string        `json:"refId"`
		Datasource   grafanaSource `json:"datasource"`
		Expr         string        `json:"expr"`
		LegendFormat string        `json:"legendFormat,omitempty"`
		Instant      bool          `json:"instant"`
		Range        bool          `json:"range"`
		Format       string        `json:"format"`
	}
)

// schemaVersion is that of Grafana 9.0; later ones bring a dashboard up to theirs when they read it.
const schemaVersion = 36

// source is the data source that the user chooses.
var source = grafanaSource{Type: "prometheus", UID: "${datasource}"}

// JSON is a dashboard as Grafana imports it.
func (d Dashboard) JSON() ([]byte, error) {
	out := grafanaDashboard{UID: d.Name, Title: d.Title, Tags: []string{"seaworthy"}, SchemaVersion: schemaVersion, Editable: true,
		Refresh: "1m", Time: grafanaTime{From: "now-24h", To: "now"}}
	out.Annotations.List = []any{}
	out.Templating.List = append(out.Templating.List, grafanaVariable{Name: "datasource", Label: "Data source", Type: "datasource",
		Query: "prometheus", Refresh: 1})
	if d.Host {
		out.Templating.List = append(out.Templating.List, grafanaVariable{Name: "host", Label: "Host", Type: "query", Datasource: &source,
			Query: grafanaQuery{Query: "label_values(seaworthy_host_info, host)", RefID: "host"}, Refresh: 2, Sort: 1, Multi: true})
	}
	place := grafanaPlace{}
	row := 0
	for i, p := range d.Panels {
		place.W, place.H = p.Width, p.Height
		if place.H == 0 {
			place.H = usualHeight
		}
		if place.X+place.W > gridColumns {
			place.X, place.Y, row = 0, place.Y+row, 0
		}
		out.Panels = append(out.Panels, p.grafana(i+1, place))
		place.X += place.W
		row = max(row, place.H)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}

// grafana is a panel at a place.
func (p Panel) grafana(id int, at grafanaPlace) grafanaPanel {
	out := grafanaPanel{ID: id, Title: p.Title, Type: p.Kind, Datasource: source, GridPos: at,
		FieldConfig: grafanaFields{Defaults: grafanaDefaults{Unit: p.Unit}, Overrides: []any{}}}
	for i, q := range p.Queries {
		t := grafanaTarget{RefID: string(rune('A' + i)), Datasource: source, Expr: q.Expr, LegendFormat: q.Legend, Format: "time_series"}
		t.Range = p.Kind == "timeseries"
		t.Instant = !t.Range
		if p.Kind == "table" {
			t.Format = "table"
		}
		out.Targets = append(out.Targets, t)
	}
	return out
}

// Table is the list of metrics as a table of Markdown.
func Table() (string, error) {
	list, err := List()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| metric | type | labels | what it says |\n| --- | --- | --- | --- |\n")
	for _, m := range list {
		labels := ""
		for i, l := range m.Labels {
			if i > 0 {
				labels += ", "
			}
			labels += "`" + l + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, labels, m.Help)
	}
	return b.String(), nil
}
