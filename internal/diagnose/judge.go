package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Input is what was read and measured.
type Input struct {
	Fleet    *model.Fleet
	Before   *model.Fleet // an earlier reading; nil: counters are totals
	Path     *model.Path
	Measured []Measured
	Earlier  []Measured // of the earlier reading
	Activity Activity
	Links    []Link             // that were looked at, for a reason
	Load     []Stream           // that were sent
	Clocks   map[string]float64 // host → seconds that its clock is off
	Failed   map[string]string  // hosts that could not be read, and why
	Symptom  string             // one of catalog.Symptoms; empty: any
	Live     bool

	// For commands that can be pasted: the ends and what was read, as arguments with
	// the options that find them. Empty: the names of the ends.
	Ends, Hosts string
}

// weight of a certainty.
var weight = map[string]float64{"proved": 1, "likely": 0.6, "possible": 0.3}

// harms of findings that do not say what they cost.
var harms = map[finding.Severity]float64{
	finding.Critical: 0.9, finding.High: 0.5, finding.Medium: 0.3, finding.Low: 0.1, finding.Info: 0.02,
}

// Judge finds the causes.
func Judge(ctx context.Context, in Input) (*Diagnosis, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	rules, own := cat.Rules(), cat.Causes()
	for _, c := range own {
		if len(c.Checks) > 0 {
			rules = append(rules, c.Rule())
		}
	}
	set, err := rule.Compile(rules)
	if err != nil {
		return nil, err
	}
	facts := in.facts()
	all, err := set.Run(ctx, in.Fleet, rule.Options{Paths: []model.Path{*in.Path}, Before: in.Before, Measured: facts, InForce: true})
	if err != nil {
		return nil, err
	}
	d := newDiagnosis(in.Path.From, in.Path.To, in.Live)
	d.Measured, d.Connections = append(d.Measured, in.Measured...), append(d.Connections, in.Activity.Connections...)
	d.Load, d.Links, d.LineMbit = in.Load, in.Links, lineRate(in.Fleet, in.Path)
	d.Path = append(d.Path, refs(in.Path)...)
	j := &judgement{in: in, facts: facts, on: onPath(in), byRule: map[string][]finding.Finding{}}
	for _, f := range all {
		j.byRule[f.Rule] = append(j.byRule[f.Rule], f)
	}
	var causes []Cause
	for _, c := range own {
		found, passed, open := j.hold(c)
		if c.FullLine && d.full() {
			found = nil
		}
		causes = append(causes, found...)
		if len(found) == 0 && passed > 0 && len(open) == 0 && j.lacks(c) == nil {
			d.RuledOut = append(d.RuledOut, RuledOut{c.ID, c.Title, passed})
		}
		if c.Needed && len(found) == 0 && slices.ContainsFunc(open, j.matters) {
			j.unseen = true
		}
		d.open(c.ID, open)
	}
	causes = append(causes, j.down(own)...)
	j.unmeasured(d, cat.Measurements(), own)
	j.refused(d)
	j.between(d)
	d.rank(hide(causes), in.Symptom)
	d.Verdict = j.verdict(d)
	return d, nil
}

// facts are what was measured, as checks ask for it.
func (in Input) facts() map[string]float64 {
	out := map[string]float64{}
	line := lineRate(in.Fleet, in.Path)
	for _, m := range in.Measured {
		for _, end := range []model.Ref{m.From, m.To} {
			if line > 0 {
				out[end.String()+" line_mbit"] = line
			}
		}
		at := m.From.String()
		if m.Error != "" {
			continue
		}
		if m.RTTms > 0 {
			out[at+" rtt_ms"], out[at+" path_rtt_ms"] = m.RTTms, m.RTTms // rules know it by the first
			out[m.From.Host+" rtt_ms"] = m.RTTms                         // of the host's options
		}
		if m.Sent > 0 && !m.silent() {
			out[at+" loss_percent"] = 100 * float64(m.Lost) / float64(m.Sent)
		}
		if n := m.largest(); n > 0 {
			out[at+" path_mtu"] = float64(n)
		}
		for _, b := range in.Earlier {
			if b.From == m.From && b.To == m.To && b.RTTms > 0 {
				out[at+" rtt_before_ms"] = b.RTTms
			}
		}
	}
	for _, l := range in.Links {
		out[l.Port.String()+" link_looks"], out[l.Port.String()+" link_changes"] = float64(l.Looks), float64(l.Changes)
	}
	for host, n := range in.Activity.Cores {
		out[host+" cores_used"] = n
	}
	for _, c := range in.Activity.Connections {
		for _, end := range []model.Ref{in.Path.From, in.Path.To} {
			if at := end.String() + " recv_q"; c.Host == end.Host {
				out[at] = max(out[at], float64(c.RecvQ))
			}
		}
	}
	for host, off := range in.Clocks {
		out[host+" clock_offset_s"] = off
	}
	return out
}

// place says how an element belongs to the path.
type place int

const (
	elsewhere place = iota
	standby         // on another VIOS of a managed system of the path
	along           // on the path
)

// onPath gives the place of each element, with the options of hosts as elements.
func onPath(in Input) func(finding.Finding) place {
	hops, hosts, systems := map[model.Ref]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range refs(in.Path) {
		hops[r], hosts[r.Host] = true, true
		if x := in.Fleet.Host(r.Host); x != nil && x.MachineID != "" {
			systems[x.MachineID] = true
		}
	}
	near := map[string]*model.Host{} // asked for each finding of a fleet
	for _, h := range in.Fleet.Hosts {
		if near[h.Name] == nil && (hosts[h.Name] || h.Platform == model.VIOS && systems[h.MachineID]) {
			near[h.Name] = h
		}
	}
	return func(f finding.Finding) place {
		at := f.Element
		h := near[at.Host]
		switch {
		case hops[at] || hosts[at.Host] && slices.Contains([]string{"host", "no", "sysctl"}, at.Element):
			return along
		case h == nil:
			return elsewhere
		case h.Elements[at.Element] != nil && hops[model.Ref{Host: at.Host, Element: h.Elements[at.Element].MemberOf}]:
			return along // a member of an EtherChannel
		case h.Platform == model.VIOS && systems[h.MachineID]:
			return standby
		}
		return elsewhere
	}
}

type judgement struct {
	in     Input
	facts  map[string]float64 // "lpar1:en0 path_rtt_ms", as checks ask for them
	on     func(finding.Finding) place
	byRule map[string][]finding.Finding
	unseen bool // a cause that is needed could not be looked at
}

// matters says whether something that could not be looked at can hide a fault: what a
// VIOS counts of its own connections has nothing to do with those of the path.
func (j judgement) matters(f finding.Finding) bool {
	at := f.Element
	return at.Element != "host" || at.Host == j.in.Path.From.Host || at.Host == j.in.Path.To.Host
}

// hold gives a cause's findings on the path, how many of its checks passed there,
// and those that lacked a fact.
func (j judgement) hold(c knowledge.Cause) (found []Cause, passed int, open []finding.Finding) {
	at := map[model.Ref]int{}
	for _, id := range append([]string{c.ID}, c.Witnesses...) {
		for _, f := range j.byRule[id] {
			where := j.on(f)
			if where == elsewhere || where == standby && !c.Standby {
				continue
			}
			switch f.Verdict {
			case finding.Pass:
				passed++
			case finding.NotAssessed:
				open = append(open, f)
			case finding.Found:
				x := j.cause(c, f)
				if where == standby {
					x.Harm /= 2 // the path goes by the other one now
				}
				i, ok := at[f.Element]
				if c.Path && len(found) > 0 && !differ(found[0], x) {
					i, ok = 0, true
				}
				if ok {
					found[i] = found[i].with(x)
					continue
				}
				at[f.Element] = len(found)
				found = append(found, x)
			}
		}
	}
	return found, passed, open
}

// differ says whether two causes blame different elements that are no ends of the path:
// each direction can have a switch port of its own.
func differ(a, b Cause) bool { return a.blamed && b.blamed && a.At() != b.At() }

func (j judgement) cause(c knowledge.Cause, f finding.Finding) Cause {
	x := newCause(c, f.Element, cmp.Or(f.Certainty, c.Certainty, "possible"), cmp.Or(f.Harm, harms[f.Severity]), f.Title)
	x.Findings, x.Evidence = []string{f.ID}, slices.Clone(f.Evidence)
	if c.Certainty == "possible" {
		x.Certainty = "possible" // whatever its rules rest on
	}
	for i, e := range x.Evidence {
		if text, ok := strings.CutSuffix(e.Text, ", as given"); ok {
			x.Evidence[i].Text = text + ", measured"
		}
	}
	if slices.Contains(unlocated, c.ID) {
		x.Says = append(x.Says, j.gaps()...)
	}
	if len(c.Do) == 0 {
		x.Do = f.Advice
	}
	for _, m := range j.in.Measured {
		if c.ID == "mtu-black-hole" && m.From == f.Element && m.MTU != nil && m.LargePassed == 0 {
			x.blame(m.MTU)
		}
		if c.ID == "delay" && m.Late != nil {
			x.move(*m.Late)
		}
	}
	return x.filled(j.in)
}

// rank sorts causes by what they explain.
func (d *Diagnosis) rank(all []Cause, symptom string) {
	score := func(c Cause) float64 {
		s := c.Harm * weight[c.Certainty]
		if symptom != "" && slices.Contains(c.Symptoms, symptom) {
			s *= 2
		}
		return s
	}
	slices.SortStableFunc(all, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), strings.Compare(a.At(), b.At()))
	})
	for _, c := range all {
		if c.Certainty == "possible" {
			d.Possible = append(d.Possible, c)
			continue
		}
		d.Causes = append(d.Causes, c)
	}
}

// open notes what a cause's checks lacked.
func (d *Diagnosis) open(id string, lacking []finding.Finding) {
	for _, m := range finding.SummarizeMissing(lacking) {
		i := slices.IndexFunc(d.NotSeen, func(n NotSeen) bool { return n.What == m.What })
		if i < 0 {
			i = len(d.NotSeen)
			d.NotSeen = append(d.NotSeen, NotSeen{What: m.What, Allow: m.How})
		}
		if !slices.Contains(d.NotSeen[i].IDs, id) {
			d.NotSeen[i].IDs = append(d.NotSeen[i].IDs, id)
		}
	}
}

// verdict of a diagnosis: what was not seen is not healthy.
func (j judgement) verdict(d *Diagnosis) Verdict {
	switch {
	case len(d.Causes) > 0:
		return Found
	case d.slow(), j.unseen, j.in.Before == nil, len(d.RuledOut) == 0, len(j.in.Failed) > 0:
		return Inconclusive
	}
	return Nothing
}

// unlocated are causes that say what no element that was read shows.
var unlocated = []string{"packet-loss", "retransmissions"}

// between notes what lies between the ends and was not read. Of a Linux partition only an
// HMC says which SEA carries it: there the path is judged without.
func (j *judgement) between(d *Diagnosis) {
	for _, g := range slices.Backward(j.in.Path.Gaps) {
		host, _, _ := strings.Cut(g.What, ":")
		if h := j.in.Fleet.Host(host); h != nil && h.Platform != model.Linux {
			j.unseen = true
			open := NotSeen{What: g.What + ": " + g.Why, Allow: "name the hosts between the two as well", IDs: []string{}}
			d.NotSeen = append([]NotSeen{open}, d.NotSeen...)
		}
	}
}

// fullShare of the line is what streams move that fill it.
const fullShare = 0.8

// full says whether the streams that were sent filled the line.
func (d *Diagnosis) full() bool {
	return d.LineMbit > 0 && slices.ContainsFunc(d.Load, func(s Stream) bool { return s.BPS != nil && *s.BPS > fullShare*d.LineMbit*1e6 })
}

// slowShare of the line is less than what any host moves that has nothing wrong.
const slowShare = 0.05

// slow says whether the stream that was sent crept, and notes that the cause is open.
func (d *Diagnosis) slow() bool {
	i := slices.IndexFunc(d.Load, func(s Stream) bool { return s.Streams == 1 && s.BPS != nil && *s.BPS < slowShare*d.LineMbit*1e6 })
	if i < 0 {
		return false
	}
	d.NotSeen = append([]NotSeen{{
		What:  fmt.Sprintf("why a stream moved %.3g Mbit/s on a line of %.0f Mbit/s", *d.Load[i].BPS/1e6, d.LineMbit),
		Allow: "watch longer, while the path is in use: --for 60s",
		IDs:   []string{},
	}}, d.NotSeen...)
	return true
}

// Concerns says whether a host has to do with the path: it is on it, or a VIOS of a
// managed system that is.
func (in Input) Concerns(host string) bool {
	fleet := in.Fleet
	if fleet == nil {
		fleet = in.Before
	}
	h := fleet.Host(host)
	if h == nil {
		return in.Failed[host] != ""
	}
	return slices.ContainsFunc(refs(in.Path), func(r model.Ref) bool {
		x := fleet.Host(r.Host)
		return r.Host == host || x != nil && h.Platform == model.VIOS && h.MachineID != "" && x.MachineID == h.MachineID
	})
}
