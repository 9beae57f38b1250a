package assemble

import (
	"fmt"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// metricFeed has what node_exporter serves: the kernel's own counters under names of Prometheus.
type metricFeed struct{ *hostBuilder }

var metricRows = []row{
	{"node-exporter", feeds(2, metricFeed.metrics)},
}

var (
	// protocolMetric: node_netstat_TcpExt_ListenOverflows.
	protocolMetric = parse.Lazy(`^node_netstat_([A-Z][A-Za-z0-9]*)_(\w+)$`)
	// networkMetric: node_network_receive_packets_total.
	networkMetric = parse.Lazy(`^node_network_(receive|transmit)_` +
		`(bytes|packets|errs|drop|fifo|frame|compressed|multicast|carrier|colls)_total$`)
)

// counterNames are the kernel's names for what node_exporter takes from /proc/net/dev, where they differ. What the kernel
// dropped and what the device missed is one number there.
var counterNames = map[string]string{
	"rx_errs": "rx_errors", "tx_errs": "tx_errors", "rx_drop": "rx_dropped+missed", "tx_drop": "tx_dropped", "rx_fifo": "rx_fifo_errors",
	"tx_fifo": "tx_fifo_errors", "rx_multicast": "multicast", "tx_colls": "collisions",
}

func (b metricFeed) metrics(o Output, n *linewise.NodeMetrics) {
	for _, m := range n.Metrics {
		from := o.at(m.Line)
		count, whole := m.Count()
		protocol := protocolMetric.FindStringSubmatch(m.Name)
		switch {
		case protocol != nil && whole:
			b.protocols[protocol[1]+"."+protocol[2]] = count
		case m.Name == "node_nf_conntrack_entries":
			b.figure(model.Conntrack, m.Value, from)
		case m.Name == "node_nf_conntrack_entries_limit" && whole:
			kernelFeed(b).tunable("net.netfilter.nf_conntrack_max", fmt.Sprint(count), from)
		case m.Labels["device"] != "" && m.Labels["device"] != "lo" && strings.HasPrefix(m.Name, "node_network_"):
			b.network(m, from)
		}
	}
}

// network takes a value of a network device.
func (b metricFeed) network(m *linewise.NodeMetric, from model.Origin) {
	e := b.element(m.Labels["device"], model.Interface)
	count, whole := m.Count()
	counted := networkMetric.FindStringSubmatch(m.Name)
	switch {
	case counted != nil && whole:
		name := "rx_" + counted[2]
		if counted[1] == "transmit" {
			name = "tx_" + counted[2]
		}
		if kernel := counterNames[name]; kernel != "" {
			name = kernel
		}
		e.Counters = e.Counters.With(map[string]uint64{name: count})
	case m.Name == "node_network_mtu_bytes" && whole:
		from.Text = fmt.Sprintf("%s: mtu %d", e.Name, count)
		now(e, "mtu", fmt.Sprint(count), from)
	case m.Name == "node_network_speed_bytes" && whole && count > 0:
		e.SpeedMb = new(int64(count / 125_000))
	case m.Name == "node_network_carrier" && whole:
		e.LinkUp = new(count == 1)
	}
}
