package linewise

import (
	"math"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// NodeMetrics is what node_exporter of Prometheus serves of a Linux host, as text.
type NodeMetrics struct {
	parse.Report
	Metrics []*NodeMetric `json:"metrics"`
}

// NodeMetric is one value.
type NodeMetric struct {
	Name   string            `json:"name"` // node_network_receive_packets_total
	Labels map[string]string `json:"labels,omitempty"`
	Value  float64           `json:"value"`
	Line   int               `json:"-"` // 1-based
}

var (
	nodeMetric = parse.Lazy(`^([a-z_][a-zA-Z0-9_]*)(?:\{(.*)\})? ([-+0-9.eE]+|[+-]?Inf|NaN)(?: \d+)?$`)
	nodeLabel  = parse.Lazy(`([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"`)
	nodeNote   = parse.Lazy(`^#`)
)

var nodeOutput = &output[NodeMetrics]{
	name:    "node-exporter",
	ignored: nodeNote,
	rows:    []line[NodeMetrics]{(*NodeMetrics).readLine},
	ended:   true,
	recognised: func(n *NodeMetrics) bool {
		for _, m := range n.Metrics {
			if strings.HasPrefix(m.Name, "node_") {
				return true
			}
		}
		return false
	},
}

// ParseNodeMetrics reads them; parse.ErrNotRecognised without one of node_exporter.
func ParseNodeMetrics(text []byte) (*NodeMetrics, error) { return nodeOutput.parse(text) }

func (n *NodeMetrics) readLine(l parse.Line) bool {
	m := nodeMetric.FindStringSubmatch(strings.TrimSpace(l.Text))
	if m == nil {
		return false
	}
	v, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return false
	}
	metric := &NodeMetric{Name: m[1], Value: v, Line: l.Number}
	for _, label := range nodeLabel.Regexp().FindAllStringSubmatch(m[2], 32) {
		if metric.Labels == nil {
			metric.Labels = map[string]string{}
		}
		metric.Labels[label[1]] = label[2]
	}
	n.Metrics = append(n.Metrics, metric)
	return true
}

// Count is the value as a counter; false if it is none.
func (m *NodeMetric) Count() (uint64, bool) {
	if m.Value < 0 || m.Value > 1<<63 || m.Value != math.Trunc(m.Value) || math.IsNaN(m.Value) {
		return 0, false
	}
	return uint64(m.Value), true
}
