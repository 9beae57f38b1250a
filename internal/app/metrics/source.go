package metrics

import (
	"maps"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"

	"seaworthy/internal/audit/desired"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/collect/live"
	"seaworthy/internal/inventory/model"
)

// Source is what metrics are made of.
type Source struct {
	Version  string
	At       time.Time         // of the audit; zero: none was made
	Hosts    int               // that were judged
	NotRead  int               // hosts, or not to their end
	Findings []finding.Finding // of verdict FINDING and NOT_ASSESSED
	Waived   int
	Fleet    *model.Fleet         // the hosts; nil: their values are left out
	Drift    *desired.Result      // nil: no site's file was held against them
	Taken    map[string]time.Time // when hosts were read of which Fleet has no values
	Hub      *Hub                 // nil: there is none
}

// severities are those of findings.
var severities = []finding.Severity{finding.Critical, finding.High, finding.Medium, finding.Low, finding.Info}

// Families are the metrics that have values, in the order of the list.
func (s Source) Families() ([]*dto.MetricFamily, error) {
	f, err := newFamilies()
	if err != nil {
		return nil, err
	}
	f.add("seaworthy_build_info", 1, s.Version)
	if !s.At.IsZero() {
		f.add("seaworthy_last_audit_timestamp_seconds", float64(s.At.Unix()))
	}
	f.add("seaworthy_hosts", float64(s.Hosts))
	f.add("seaworthy_hosts_not_read", float64(s.NotRead))
	s.addFindings(f)
	if s.Drift != nil {
		addDrift(f, s.Drift)
	}
	if s.Fleet != nil {
		for _, h := range s.Fleet.Hosts {
			err = addHost(f, h)
			if err != nil {
				return nil, err
			}
		}
	}
	for _, host := range slices.Sorted(maps.Keys(s.Taken)) {
		f.add("seaworthy_snapshot_timestamp_seconds", seconds(s.Taken[host]), host)
	}
	if s.Hub != nil {
		s.Hub.add(f)
	}
	return f.all()
}

func (s Source) addFindings(f *families) {
	counts, lacking := map[finding.Severity]int{}, map[string]int{}
	for _, x := range s.Findings {
		switch x.Verdict {
		case finding.Found:
			f.add("seaworthy_finding", 1, x.Rule, string(x.Severity), x.Element.Host, x.Element.Element)
			counts[x.Severity]++
		case finding.NotAssessed:
			lacking[x.Rule]++
		}
	}
	for _, severity := range severities {
		f.add("seaworthy_findings", float64(counts[severity]), string(severity))
	}
	for _, rule := range slices.Sorted(maps.Keys(lacking)) {
		f.add("seaworthy_rule_not_assessed", float64(lacking[rule]), rule)
	}
	f.add("seaworthy_findings_waived", float64(s.Waived))
}

func addDrift(f *families, d *desired.Result) {
	for _, v := range d.Drift {
		f.add("seaworthy_drift", 1, v.Host, v.Element, v.Attr, v.Entry)
	}
	f.add("seaworthy_drift_values", float64(d.Held), "held")
	f.add("seaworthy_drift_values", float64(len(d.Drift)), "drift")
	f.add("seaworthy_drift_values", float64(len(d.Unknown)), "unknown")
	f.add("seaworthy_drift_values", float64(len(d.Excepted)), "excepted")
}

func addHost(f *families, h *model.Host) error {
	f.add("seaworthy_host_info", 1, h.Name, string(h.Platform), h.Level, h.MachineID)
	if !h.Taken.IsZero() {
		f.add("seaworthy_snapshot_timestamp_seconds", float64(h.Taken.Unix()), h.Name)
	}
	n, known := live.Retransmitted(h.Protocols)
	if known {
		f.add("seaworthy_host_tcp_retransmitted_segments_total", float64(n), h.Name)
	}
	list, err := List()
	if err != nil {
		return err
	}
	for _, name := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		e := h.Elements[name]
		if e == nil {
			continue
		}
		addElement(f, h.Name, name, e)
		totals := live.Totals(e.Counters)
		for _, m := range list {
			n, known := totals[m.Counts]
			if known {
				f.add(m.Name, float64(n), h.Name, name, string(e.Kind))
			}
		}
	}
	return nil
}

func addElement(f *families, host, name string, e *model.Element) {
	kind := string(e.Kind)
	if e.SpeedMb != nil && *e.SpeedMb > 0 {
		f.add("seaworthy_element_speed_bytes", float64(*e.SpeedMb)*1e6/8, host, name, kind)
	}
	if e.LinkUp != nil {
		f.add("seaworthy_element_link_up", oneIf(*e.LinkUp), host, name, kind)
	}
	if e.Kind == model.SEA && e.BridgeMode != "" {
		f.add("seaworthy_sea_bridging", oneIf(e.BridgeMode != "None"), host, name)
	}
}

// oneIf is a truth as a number.
func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
