package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote/shellword"
)

// Interval is a prediction in Mbit/s, with its 95 % interval.
type Interval struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Forecast holds what one stream is expected to move over a path.
type Forecast struct {
	Now   *Interval `json:"now,omitempty"`   // with the settings as they are; nil: not known
	After *Interval `json:"after,omitempty"` // with those that are asked for; nil: not known
	// What limits it in each state: "the line"; empty: not known.
	Limit   string   `json:"limit,omitempty"`
	Then    string   `json:"then,omitempty"`
	Unknown []string `json:"unknown,omitempty"` // why there is no number
}

// Speed holds what a stream moved, and is expected to move once a setting is mended, in Mbit/s.
type Speed struct {
	Measured float64  `json:"measured_mbit"`
	Expected Interval `json:"expected_mbit"`
	By       string   `json:"by"` // what the expectation rests on
}

// single is the single stream that was measured; nil: there is none.
func (d *Diagnosis) single() *Stream {
	for i := range d.Load {
		if s := &d.Load[i]; s.Streams == 1 && s.BPS != nil {
			return s
		}
	}
	return nil
}

// expect predicts what a stream moves with the settings as they are. A measured stream
// that comes near it is explained by them.
func (j *judgement) expect(d *Diagnosis, causes []knowledge.Cause) {
	j.explained = slices.ContainsFunc(d.Load, func(s Stream) bool {
		return s.BPS != nil && d.LineMbit > 0 && *s.BPS/1e6 >= j.ranking.FullShare*d.LineMbit
	})
	s := d.single()
	if s == nil || j.in.Predict == nil {
		return
	}
	var wanted []finding.Setting
	for _, c := range causes {
		if len(c.Limits) == 0 {
			continue
		}
		found, _, _ := j.held(c)
		for _, x := range found {
			if x.Limits {
				wanted = append(wanted, x.settings...)
			}
		}
	}
	f := j.in.Predict(wanted)
	d.Forecast = &f
	j.explained = j.explained || f.Now != nil && *s.BPS/1e6 >= j.ranking.Explained*f.Now.Low
}

// ownDoing notes what a cause's counters gained while diagnose sent streams.
func (j *judgement) ownDoing(d *Diagnosis, c knowledge.Cause) {
	const what = "what counters gained while diagnose sent its own streams: they moved what the settings let expect, so it is their doing"
	i := slices.IndexFunc(d.NotSeen, func(n NotSeen) bool { return n.What == what })
	if i < 0 {
		i = len(d.NotSeen)
		d.NotSeen = append(d.NotSeen, NotSeen{What: what, Allow: "seaworthy diagnose " + j.ends() + " --for 60s, while the path is in use"})
	}
	d.NotSeen[i].IDs = append(d.NotSeen[i].IDs, c.ID)
}

// limit turns settings that limit a stream into causes, where one was measured to be
// slower than the path is expected to carry without them.
func (j *judgement) limit(d *Diagnosis, causes []Cause) {
	s := d.single()
	if s == nil || d.LineMbit == 0 {
		return
	}
	measured := *s.BPS / 1e6
	full := Interval{Median: d.LineMbit, Low: j.ranking.FullShare * d.LineMbit, High: d.LineMbit}
	other := slices.ContainsFunc(causes, func(c Cause) bool { return c.Certainty == "proved" })
	for i := range causes {
		c := &causes[i]
		if !c.Limits {
			continue
		}
		expected, by := full, "the line"
		if d.Forecast != nil && d.Forecast.Limit != "" {
			by += " (now limited by " + d.Forecast.Limit + ")"
		}
		if j.in.Predict != nil && len(c.settings) > 0 {
			if f := j.in.Predict(c.settings); f.After != nil {
				expected, by = *f.After, "the prediction"
				if f.Limit != "" {
					by += fmt.Sprintf(" (now limited by %s, then by %s)", f.Limit, f.Then)
				}
			}
		}
		if measured >= min(expected.Low, full.Low) {
			continue
		}
		c.Speed = &Speed{Measured: measured, Expected: expected, By: by}
		c.Harm = max(0, 1-measured/expected.Median)
		c.Certainty = "likely"
		if j.explained || !other {
			c.Certainty = "proved"
		}
	}
}

// limiting says whether a setting that limits throughput for certain is on the path.
func (j judgement) limiting(d *Diagnosis) bool {
	return slices.ContainsFunc(d.Possible, func(c Cause) bool { return c.Limits })
}

// command plans the settings that cure a cause, and nothing else; empty: there are none. What rests
// on a measurement is given as values, and left out of what is only possible where more is asked for.
func (c Cause) command(in Input) string {
	if len(c.cures) == 0 {
		return ""
	}
	head := "seaworthy plan " + cmp.Or(in.Hosts, in.Path.From.Host+" "+in.Path.To.Host)
	ids := slices.DeleteFunc(slices.Sorted(slices.Values(c.cures)), func(id string) bool { return slices.Contains(c.measured, id) })
	if len(ids) == 0 || len(c.measured) > 0 && c.Certainty != "possible" {
		return head + setFlags(c.settings)
	}
	return head + onlyFlag + strings.Join(slices.Compact(ids), ",")
}

const onlyFlag = " --only "

// setFlags gives settings as flags of plan, each attribute once: of several numbers the greatest.
func setFlags(settings []finding.Setting) (flags string) {
	values := map[string]string{}
	var order []string
	for _, s := range settings {
		name := s.Ref.String() + ":" + s.Attr
		had, known := values[name]
		if !known {
			order = append(order, name)
		}
		before, err := strconv.ParseUint(had, 10, 64)
		now, err2 := strconv.ParseUint(s.Value, 10, 64)
		if !known || err != nil || err2 != nil || now > before {
			values[name] = s.Value
		}
	}
	for _, name := range order {
		flags += " --set " + shellword.Quote(name+"="+values[name])
	}
	return flags
}

// Plan is the command that plans what cures all settings that limit the path; empty: there are none.
func (d *Diagnosis) Plan() string {
	var ids []string
	head := ""
	for _, c := range d.Possible {
		before, only, ok := strings.Cut(c.Plan, onlyFlag)
		if ok && c.Limits {
			head, ids = before, append(ids, strings.Split(only, ",")...)
		}
	}
	if head == "" {
		return ""
	}
	slices.Sort(ids)
	return head + onlyFlag + strings.Join(slices.Compact(ids), ",")
}

// readings are the commands whose outputs ruled a cause out, by host.
func (j judgement) readings(c knowledge.Cause) []string {
	var out []string
	for _, id := range append([]string{c.ID}, c.Witnesses...) {
		for _, f := range j.byRule[id] {
			where := j.on.Of(f.Element, f.Affects...)
			if f.Verdict != finding.Pass || where == graph.OffPath || where == graph.StandsBy && !c.Standby {
				continue
			}
			for _, e := range f.Evidence {
				if by := strings.TrimSpace(e.Host + " $ " + e.Command); e.Command != "" && !slices.Contains(out, by) {
					out = append(out, by)
				}
			}
		}
	}
	for _, name := range c.Measured {
		for _, end := range []model.Ref{j.in.Path.From, j.in.Path.To} {
			if v, ok := j.facts[end.String()+" "+name]; ok {
				out = append(out, fmt.Sprintf("%s: %s %.4g", end.Host, name, v))
			}
		}
	}
	return out
}
