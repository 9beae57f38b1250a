package report

import (
	"bytes"

	"seaworthy/internal/app/metrics"
)

var _ = register(Format{
	Name: "prometheus",
	Fits: func(data any) bool { _, ok := data.(inspected); return ok },
	Print: func(to Output, r Result) error {
		all, err := metricsOf(r.Data.(inspected).Inspected()).Families()
		if err != nil {
			return err
		}
		var text bytes.Buffer
		err = metrics.Write(&text, metrics.Text, all)
		if err != nil {
			return err
		}
		_, err = to.W.Write(text.Bytes())
		return err
	},
})

// metricsOf is an audit as metrics are made of it.
func metricsOf(a Inspection) metrics.Source {
	return metrics.Source{Version: a.Version, At: a.At, Hosts: len(a.Hosts), NotRead: len(a.NotRead), Findings: a.Findings,
		Waived: len(a.Waived), Fleet: a.Fleet}
}
