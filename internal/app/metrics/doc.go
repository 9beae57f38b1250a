// Package metrics gives an audit, and the counters of the hosts that it read, to Prometheus
// and what understands its formats: as text, as OpenMetrics, by remote write.
//
// metrics.yaml lists every metric once. Values, the table of the documentation and the
// dashboards of dashboards.yaml come from that list. A value that a host did not show is
// missing, never zero. Values have no time of their own: node_exporter takes none.
// seaworthy_snapshot_timestamp_seconds says how old they are.
package metrics
