//go:build grafana

package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/bargauge"
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// What the dashboards use of Grafana, by Grafana's own types.
func init() {
	r := cog.NewRuntime()
	r.RegisterPanelcfgVariant(stat.VariantConfig())
	r.RegisterPanelcfgVariant(table.VariantConfig())
	r.RegisterPanelcfgVariant(timeseries.VariantConfig())
	r.RegisterPanelcfgVariant(bargauge.VariantConfig())
}

var unitsUsed = []string{units.Seconds, units.BytesPerSecondSI, units.PacketsPerSecond, units.PercentUnit}

// strictly reads what Grafana has a type for; where nothing is wrong its types give an error that holds none.
func strictly(text []byte, into interface{ UnmarshalJSONStrict([]byte) error }) error {
	err := into.UnmarshalJSONStrict(text)
	var found cog.BuildErrors
	if errors.As(err, &found) && len(found) == 0 {
		return nil
	}
	return err
}

// ofGrafana reads a dashboard as Grafana's schema has it: no field that it does not know, none missing, and panels, queries and
// units of kinds that it has.
func ofGrafana(text []byte) error {
	var d dashboard.Dashboard
	err := strictly(text, &d)
	if err != nil {
		return err
	}
	var raw struct {
		Panels []json.RawMessage `json:"panels"`
	}
	err = json.Unmarshal(text, &raw)
	if err != nil || len(raw.Panels) == 0 {
		return fmt.Errorf("no panels: %w", err)
	}
	for _, panel := range raw.Panels {
		err = panelOfGrafana(panel)
		if err != nil {
			return err
		}
	}
	return d.Validate()
}

func panelOfGrafana(text []byte) error {
	var p dashboard.Panel
	err := strictly(text, &p)
	if err != nil {
		return err
	}
	_, known := cog.ConfigForPanelcfgVariant(p.Type)
	if !known {
		return fmt.Errorf("no panel is a %s", p.Type)
	}
	unit := p.FieldConfig.Defaults.Unit
	if unit != nil && !slices.Contains(unitsUsed, *unit) {
		return fmt.Errorf("no unit is %s", *unit)
	}
	var raw struct {
		Targets []json.RawMessage `json:"targets"`
	}
	err = json.Unmarshal(text, &raw)
	if err != nil || len(raw.Targets) == 0 {
		return fmt.Errorf("no queries: %w", err)
	}
	for _, target := range raw.Targets {
		err = strictly(target, &prometheus.Dataquery{})
		if err != nil {
			return fmt.Errorf("query of %s: %w", *p.Title, err)
		}
	}
	return p.Validate()
}

// The dashboards are of Grafana's own schema, and what is not is found: go test -tags grafana, since compiling the schema takes
// half a minute.
func TestGrafanaSchema(t *testing.T) {
	all, err := Dashboards()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		text, err := d.JSON()
		if err == nil {
			err = ofGrafana(text)
		}
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
	text, err := all[0].JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range [][2]string{
		{`"type": "stat"`, `"type": "stats"`}, {`"gridPos"`, `"gridpos"`}, {`"legendFormat"`, `"legend"`}, {`"unit": "s"`, `"unit": "seconds"`},
		{`"schemaVersion"`, `"version_of_schema"`}, {`"type": "timeseries"`, `"type": "graph"`}, {`"range": true`, `"range": "yes"`},
		{`"annotations"`, `"annotation"`}, {`"title"`, `"tilte"`},
	} {
		bad := bytes.Replace(text, []byte(wrong[0]), []byte(wrong[1]), 1)
		if bytes.Equal(bad, text) || ofGrafana(bad) == nil {
			t.Errorf("%s in place of %s is not found", wrong[1], wrong[0])
		}
	}
}
