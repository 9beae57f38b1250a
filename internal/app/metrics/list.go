package metrics

import (
	_ "embed"
	"fmt"
	"sync"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect/live"
)

// Types of metrics.
const (
	Gauge   = "gauge"
	Counter = "counter"
)

// Metric is one of the list.
type Metric struct {
	Name   string      `yaml:"name"`
	Type   string      `yaml:"type"`
	Unit   string      `yaml:"unit,omitempty"` // bytes, seconds; empty: a number of things
	Labels []string    `yaml:"labels,omitempty"`
	Help   string      `yaml:"help"`
	Counts live.Metric `yaml:"counts,omitempty"` // the rate of an element that it is the total of
}

//go:embed metrics.yaml
var listText []byte

// List gives every metric, in the order of an output.
var List = sync.OnceValues(func() ([]Metric, error) {
	var file struct {
		Metrics []Metric `yaml:"metrics"`
	}
	err := decode.YAML("metrics.yaml", listText, &file)
	if err != nil {
		return nil, fmt.Errorf("metrics.yaml: %w", err)
	}
	return file.Metrics, nil
})
