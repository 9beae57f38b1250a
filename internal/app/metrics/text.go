package metrics

import (
	"fmt"
	"io"
	"net/http"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// Format is how metrics are written as text.
type Format = expfmt.Format

// Text is the format that node_exporter's textfile collector reads, OpenMetrics the standard's.
var (
	Text        = expfmt.NewFormat(expfmt.TypeTextPlain)
	OpenMetrics = expfmt.NewFormat(expfmt.TypeOpenMetrics)
)

// Accepted is the format that a request asks for: a stable OpenMetrics, the text format, or the protocol buffers of Prometheus.
func Accepted(h http.Header) Format {
	return expfmt.NegotiateAccept(h, expfmt.DefaultOpenMetricsAcceptedFormats()...)
}

// Write writes metrics.
func Write(w io.Writer, format Format, all []*dto.MetricFamily) error {
	to := expfmt.NewEncoder(w, format)
	for _, family := range all {
		err := to.Encode(family)
		if err != nil {
			return fmt.Errorf("metric %s: %w", family.GetName(), err)
		}
	}
	end, ends := to.(expfmt.Closer)
	if ends {
		return end.Close()
	}
	return nil
}
