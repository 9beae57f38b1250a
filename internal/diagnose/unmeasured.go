package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// lacks returns the measurements that decide a cause and that neither direction of the
// path has.
func (j judgement) lacks(c knowledge.Cause) []string {
	return slices.DeleteFunc(slices.Clone(c.Measured), func(name string) bool {
		for _, end := range []model.Ref{j.in.Path.From, j.in.Path.To} {
			if _, ok := j.facts[end.String()+" "+name]; ok {
				return true
			}
		}
		return false
	})
}

// unmeasured lists the causes that stay open since nothing was measured of them, with
// the command that would. An end that is known to be silent is a cause of its own, and
// explains why there is no measurement.
func (j *judgement) unmeasured(d *Diagnosis, all []knowledge.Measurement, causes []knowledge.Cause) {
	if len(j.in.Failed) > 0 || slices.ContainsFunc(j.in.Measured, func(m Measured) bool { return m.silent() && !j.keptOut(m) }) {
		return
	}
	for _, m := range all {
		var ids []string
		for _, c := range causes {
			if slices.Contains(j.lacks(c), m.Name) {
				ids = append(ids, c.ID)
			}
		}
		if len(ids) == 0 {
			continue
		}
		j.unseen = true
		with := strings.NewReplacer(" A B", " "+j.ends())
		d.NotSeen = append(d.NotSeen, NotSeen{What: m.Title + j.whyUnmeasured(), Allow: with.Replace(m.How), IDs: ids})
	}
}

// ends names both ends as arguments of a command.
func (j judgement) ends() string {
	return cmp.Or(j.in.Ends, j.in.Path.From.Host+" "+j.in.Path.To.Host)
}

// hosts names the hosts of the path as arguments of a command that reads them.
func (j conclusion) hosts() string {
	if j.in.Live && j.in.Hosts != "" {
		return j.in.Hosts
	}
	names := graph.Of(j.in.Fleet).OnPath(j.in.Path).Hosts(graph.StandsBy)
	return strings.Join(names, " ")
}

// whyUnmeasured is the first error of the pings, to follow what was not measured.
func (j judgement) whyUnmeasured() string {
	for _, m := range j.in.Measured {
		if m.Error != "" {
			return ", not measured (" + m.Error + ")"
		}
	}
	return ", not measured"
}
