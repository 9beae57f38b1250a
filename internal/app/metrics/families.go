package metrics

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	dto "github.com/prometheus/client_model/go"
)

// families are the values of metrics by name, in the order of the list.
type families struct {
	list   []Metric
	byName map[string]*dto.MetricFamily
	seen   map[string]bool // series
	err    error           // the first
}

func newFamilies() (*families, error) {
	list, err := List()
	if err != nil {
		return nil, err
	}
	f := &families{list: list, byName: map[string]*dto.MetricFamily{}, seen: map[string]bool{}}
	for _, m := range list {
		kind := dto.MetricType_GAUGE
		if m.Type == Counter {
			kind = dto.MetricType_COUNTER
		}
		family := &dto.MetricFamily{Name: &m.Name, Help: &m.Help, Type: &kind}
		if m.Unit != "" {
			family.Unit = &m.Unit
		}
		f.byName[m.Name] = family
	}
	return f, nil
}

// add adds a value, with those of the metric's labels in their order. A series that is there stays.
func (f *families) add(name string, value float64, labels ...string) {
	i := slices.IndexFunc(f.list, func(m Metric) bool { return m.Name == name })
	if i < 0 || len(f.list[i].Labels) != len(labels) {
		if f.err == nil {
			f.err = fmt.Errorf("metric %s with %d labels is not in metrics.yaml", name, len(labels))
		}
		return
	}
	m := &dto.Metric{}
	key := name
	for n, label := range f.list[i].Labels {
		text := clean(labels[n])
		key += "\x00" + text
		m.Label = append(m.Label, &dto.LabelPair{Name: &label, Value: &text})
	}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	if f.list[i].Type == Counter {
		m.Counter = &dto.Counter{Value: &value}
	} else {
		m.Gauge = &dto.Gauge{Value: &value}
	}
	f.byName[name].Metric = append(f.byName[name].Metric, m)
}

// all are the metrics that have values.
func (f *families) all() ([]*dto.MetricFamily, error) {
	var out []*dto.MetricFamily
	for _, m := range f.list {
		if len(f.byName[m.Name].Metric) > 0 {
			out = append(out, f.byName[m.Name])
		}
	}
	return out, f.err
}

// clean is a text of a host as the value of a label: what controls a terminal, or is not to be seen,
// does not reach people who read the metrics.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
}
