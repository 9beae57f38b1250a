package metrics

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/klauspost/compress/snappy"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/encoding/protowire"

	"seaworthy/internal/app"
	"seaworthy/internal/base/post"
)

// seriesAtOnce is how many series a request has, as senders of Prometheus do.
const seriesAtOnce = 2000

// longestPush bounds one request with its retries.
const longestPush = 30 * time.Second

// RemoteWrite is where metrics are sent by the remote write protocol 1.0:
// https://prometheus.io/docs/specs/prw/remote_write_spec/.
type RemoteWrite struct {
	URL    string
	Auth   string            // value of the header Authorization; empty: none
	Labels map[string]string // that every series gets
}

// labelNames are names of labels that a user may give.
var labelNames = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// Check refuses a target that cannot be meant.
func (r RemoteWrite) Check() error {
	err := post.Check(r.URL)
	if err != nil {
		return app.Usage("--remote-write: %w", err)
	}
	for name := range r.Labels {
		if !labelNames.MatchString(name) || len(name) > 1 && name[:2] == "__" {
			return app.Usage("--label %s: expected NAME=VALUE with letters, digits and underscores in NAME", name)
		}
	}
	return nil
}

// Pushed is what was sent.
type Pushed struct {
	Series   int `json:"series"`
	Requests int `json:"requests"`
}

// Push sends metrics with a time. What was sent before an error stays sent: a second push
// of the same time adds nothing.
func (r RemoteWrite) Push(ctx context.Context, all []*dto.MetricFamily, at time.Time) (Pushed, error) {
	var done Pushed
	for series := range slices.Chunk(r.series(all), seriesAtOnce) {
		h := http.Header{}
		h.Set("Content-Type", "application/x-protobuf")
		h.Set("Content-Encoding", "snappy")
		h.Set("X-Prometheus-Remote-Write-Version", "0.1.0")
		body := snappy.Encode(nil, writeRequest(series, at))
		err := post.Send(ctx, post.Message{URL: r.URL, Auth: r.Auth, Header: h, Body: body, Within: longestPush})
		if err != nil {
			return done, fmt.Errorf("remote write: %d series of %d were sent: %w", done.Series, r.count(all), err)
		}
		done.Series += len(series)
		done.Requests++
	}
	return done, nil
}

// count is how many series there are.
func (r RemoteWrite) count(all []*dto.MetricFamily) (n int) {
	for _, family := range all {
		n += len(family.Metric)
	}
	return n
}

// label is a name and a value.
type label struct{ name, value string }

// series is a value with its labels, sorted by name.
type series struct {
	labels []label
	value  float64
}

func (r RemoteWrite) series(all []*dto.MetricFamily) []series {
	out := make([]series, 0, r.count(all))
	for _, family := range all {
		for _, m := range family.Metric {
			values := maps.Clone(r.Labels)
			if values == nil {
				values = map[string]string{}
			}
			values["__name__"] = family.GetName()
			for _, l := range m.Label {
				values[l.GetName()] = l.GetValue()
			}
			s := series{value: m.GetGauge().GetValue()}
			if m.Counter != nil {
				s.value = m.Counter.GetValue()
			}
			for name, value := range values {
				if value != "" { // an empty label is none
					s.labels = append(s.labels, label{name, value})
				}
			}
			slices.SortFunc(s.labels, func(a, b label) int { return cmp.Compare(a.name, b.name) })
			out = append(out, s)
		}
	}
	return out
}

// writeRequest is a prometheus.WriteRequest: timeseries = 1 {labels = 1 {name = 1, value = 2},
// samples = 2 {value = 1, timestamp = 2 in milliseconds}}.
func writeRequest(all []series, at time.Time) []byte {
	var out []byte
	for _, s := range all {
		var one []byte
		for _, l := range s.labels {
			var pair []byte
			pair = protowire.AppendTag(pair, 1, protowire.BytesType)
			pair = protowire.AppendString(pair, l.name)
			pair = protowire.AppendTag(pair, 2, protowire.BytesType)
			pair = protowire.AppendString(pair, l.value)
			one = protowire.AppendTag(one, 1, protowire.BytesType)
			one = protowire.AppendBytes(one, pair)
		}
		var sample []byte
		sample = protowire.AppendTag(sample, 1, protowire.Fixed64Type)
		sample = protowire.AppendFixed64(sample, math.Float64bits(s.value))
		sample = protowire.AppendTag(sample, 2, protowire.VarintType)
		sample = protowire.AppendVarint(sample, uint64(at.UnixMilli()))
		one = protowire.AppendTag(one, 2, protowire.BytesType)
		one = protowire.AppendBytes(one, sample)
		out = protowire.AppendTag(out, 1, protowire.BytesType)
		out = protowire.AppendBytes(out, one)
	}
	return out
}
