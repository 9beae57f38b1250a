package diagnosis

import (
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/predict"
)

// forecaster returns what says how much one stream of a path carries, now
// and with other settings.
func forecaster(hosts *model.Fleet, path *model.Path, costs *knowledge.Costs) func([]finding.Setting) diagnose.Forecast {
	return func(settings []finding.Setting) diagnose.Forecast {
		q := predict.Question{Fleet: hosts, Path: path, Costs: costs, Load: predict.Load{Streams: 1}}
		for _, s := range settings {
			if q.Values == nil {
				q.Values = predict.Values{}
			}
			at := predict.Target{Ref: s.Ref, Attr: s.Attr}
			q.Values[at] = s.Value
			q.Changes = append(q.Changes, predict.Change{Target: at, Text: s.Ref.String() + " " + s.Attr + "=" + s.Value})
		}
		p, err := q.Answer()
		if err != nil {
			return diagnose.Forecast{Unknown: []string{err.Error()}}
		}
		out := diagnose.Forecast{Now: interval(p.Now.BPS), Limit: limitOf(&p.Now), Unknown: p.Now.Unknown}
		if p.After != nil {
			out.After, out.Then = interval(p.After.BPS), limitOf(p.After)
			if len(out.Unknown) == 0 {
				out.Unknown = p.After.Unknown
			}
		}
		return out
	}
}

// interval is an estimate of bit/s in Mbit/s; nil: there is none.
func interval(e *predict.Estimate) *diagnose.Interval {
	if e == nil {
		return nil
	}
	return &diagnose.Interval{Median: e.Median / 1e6, Low: e.Low / 1e6, High: e.High / 1e6}
}

// limitOf returns what limits a state most likely.
func limitOf(s *predict.State) string {
	if len(s.Limits) == 0 {
		return ""
	}
	return s.Limits[0].What
}
