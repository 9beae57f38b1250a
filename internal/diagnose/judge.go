package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Input holds what was read and measured.
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
	Unread   string             // the end that is known by its address alone; empty: none
	Symptom  string             // one of catalog.Symptoms; empty: any
	Live     bool

	// Predict says what a stream of the path carries now and with other settings; nil: nobody
	// predicts.
	Predict func([]finding.Setting) Forecast

	// For commands that can be pasted: the ends and what was read, as arguments with
	// the options that find them. Empty: the names of the ends.
	Ends, Hosts string
}

// Judge finds the causes.
func Judge(ctx context.Context, in Input) (*Diagnosis, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	own := cat.Causes()
	facts := in.facts()
	all, unread, err := findings(ctx, cat, in, facts)
	if err != nil {
		return nil, err
	}
	d := newDiagnosis(in.Path.From, in.Path.To, in.Live)
	d.LevelsNotRead = unread
	d.Measured, d.Connections = append(d.Measured, in.Measured...), append(d.Connections, in.Activity.Connections...)
	d.Load, d.Links = in.Load, in.Links
	d.LineMbit, d.BundleMbit = lineRate(in.Fleet, in.Path), float64(in.Fleet.LineRate(in.Path))/1e6
	d.Path = append(d.Path, refs(in.Path)...)
	on := graph.Of(in.Fleet).OnPath(in.Path)
	j := &judgement{in: in, ranking: cat.Ranking(), facts: facts, on: on, byRule: map[string][]finding.Finding{},
		undecided: map[string]bool{}}
	for _, f := range all {
		j.byRule[f.Rule] = append(j.byRule[f.Rule], f)
	}
	j.expect(d, own)
	var causes []Cause
	for _, c := range own {
		found, passed, open := j.held(c)
		if c.ByLoad && j.explained && len(found) > 0 {
			j.ownDoing(d, c)
			continue
		}
		causes = append(causes, found...)
		if len(found) == 0 && passed > 0 && len(open) == 0 && len(j.lacks(c)) == 0 {
			d.RuledOut = append(d.RuledOut, RuledOut{ID: c.ID, Title: c.Title, Seen: passed, By: j.readings(c)})
		}
		if c.Needed && len(found) == 0 && slices.ContainsFunc(open, j.matters) {
			j.unseen, j.undecided[c.ID] = true, true
		}
		d.open(c.ID, open)
	}
	causes = append(causes, j.down(own)...)
	known, err := j.defects()
	if err != nil {
		return nil, err
	}
	causes = append(causes, known...)
	j.unmeasured(d, cat.Measurements(), own)
	j.refused(d, own)
	j.between(d)
	j.farEnd(d)
	j.hung(d)
	causes = hide(causes)
	j.limit(d, causes)
	j.rank(d, causes)
	d.State = j.state(d)
	d.Unread = slices.Sorted(maps.Keys(in.Failed))
	d.Incomplete = j.unseen || in.Before == nil || len(in.Failed) > 0
	conclusion{*j, d}.conclude(cat.Innocence(), own)
	return d, nil
}

// conclude gives the verdict, with what proves it or what would.
func (j conclusion) conclude(with knowledge.Innocence, causes []knowledge.Cause) {
	j.d.Clean = j.cleanParts(with.Parts, causes)
	j.d.Verdict = j.verdict()
	switch j.d.Verdict {
	case NotNetwork:
		j.lookElsewhere(with.Elsewhere)
	case Inconclusive:
		if s := j.crept(j.d); s != nil {
			j.d.noteCrept(s)
		}
		j.decide(with.Readings)
	}
}

// ruleSet holds all rules, the known defects and the causes' own checks.
func ruleSet(cat *knowledge.Catalog) (*rule.Set, error) {
	defects, err := knowledge.Defects()
	if err != nil {
		return nil, err
	}
	rules := append(cat.Rules(), knowledge.DefectRules(defects)...)
	for _, c := range cat.Causes() {
		if len(c.Checks) > 0 {
			rules = append(rules, c.Rule())
		}
	}
	return rule.Compile(rules)
}

// findings are those of all rules, and the known defects that wait for a level.
func findings(ctx context.Context, cat *knowledge.Catalog, in Input, facts map[string]float64) (all []finding.Finding,
	unread []rule.UnreadLevel, err error) {
	set, err := ruleSet(cat)
	if err != nil {
		return nil, nil, err
	}
	before := withoutOwn(in, cat.Causes())
	all, err = set.Run(ctx, in.Fleet, rule.Options{Paths: []model.Path{*in.Path}, Before: before, Measured: facts, InForce: true})
	if err != nil {
		return nil, nil, err
	}
	unread, err = levelsNotRead(ctx, set, in, facts)
	return all, unread, err
}

type judgement struct {
	in      Input
	ranking knowledge.Ranking
	facts   map[string]float64 // "lpar1:en0 path_rtt_ms", as checks ask for them
	on      *graph.Places
	byRule  map[string][]finding.Finding
	unseen  bool // a cause that is needed could not be looked at
	gap     bool // something between the ends was not read

	undecided map[string]bool // causes that are needed and could not be looked at

	explained bool // a stream moved what the settings of the path let expect
}

// matters says whether something that could not be looked at can hide a fault: what a
// VIOS counts of its own connections has nothing to do with those of the path.
func (j judgement) matters(f finding.Finding) bool {
	at := f.Element
	return at.Element != "host" || at.Host == j.in.Path.From.Host || at.Host == j.in.Path.To.Host
}

// held gives a cause's findings on the path, how many of its checks passed there,
// and those that lacked a fact.
func (j judgement) held(c knowledge.Cause) (found []Cause, passed int, open []finding.Finding) {
	at := map[model.Ref]int{}
	for _, id := range append([]string{c.ID}, c.Witnesses...) {
		for _, f := range j.byRule[id] {
			where := j.on.Of(f.Element, f.Affects...)
			if where == graph.OffPath || where == graph.StandsBy && !c.Standby {
				continue
			}
			switch f.Verdict {
			case finding.Pass:
				passed++
			case finding.NotAssessed:
				open = append(open, f)
			case finding.Found:
				if f.Rare {
					passed++
					continue
				}
				x := j.cause(c, f)
				if where == graph.StandsBy {
					x.Harm *= j.ranking.StandBy
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
	harm := cmp.Or(f.Harm, j.ranking.Severities[string(f.Severity)])
	x := newCause(c, f.Element, cmp.Or(f.Certainty, c.Certainty, "possible"), harm, f.Title)
	x.Findings, x.Evidence = []string{f.ID}, slices.Clone(f.Evidence)
	x.Limits = slices.Contains(c.Limits, f.Rule)
	if x.Limits && f.Rule != c.ID {
		x.Title = f.Title // of several settings the one that it is
	}
	x.remedy(f, j.in.Live)
	if c.Certainty == "possible" || c.Silences && slices.ContainsFunc(j.in.Measured, Measured.answered) {
		x.Certainty = "possible" // whatever its rules rest on
	}
	for i, e := range x.Evidence {
		if text, ok := strings.CutSuffix(e.Text, givenSuffix); ok {
			x.Evidence[i].Text = text + ", measured"
		}
	}
	if c.Unlocated {
		x.Says = append(x.Says, j.gaps()...)
	}
	if len(c.Do) == 0 {
		x.Do = f.Advice
	}
	for _, m := range j.in.Measured {
		if c.Located == knowledge.LocatedByMTU && m.From == f.Element && m.MTU != nil && m.LargePassed == 0 {
			x.blame(m.MTU)
		}
		if c.Located == knowledge.LocatedByTrip && m.Late != nil {
			x.move(*m.Late)
		}
	}
	for _, id := range c.Cures {
		for _, cure := range j.byRule[id] {
			if cure.Verdict == finding.Found && j.on.Of(cure.Element, cure.Affects...) != graph.OffPath {
				x.remedy(cure, j.in.Live)
			}
		}
	}
	return x
}

// rank sorts causes by what they explain, those beside the network last.
func (j judgement) rank(d *Diagnosis, all []Cause) {
	explain(all)
	symptom := j.in.Symptom
	score := func(c Cause) float64 {
		s := c.Harm * j.ranking.Certainties[c.Certainty]
		if c.defect && !c.shows {
			s *= j.ranking.NoSign
		}
		if symptom != "" && slices.Contains(c.Symptoms, symptom) {
			s *= 2
		}
		return s
	}
	last := func(c Cause) int {
		if c.beside() {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(score(b), score(a)), b.explains()-a.explains(), strings.Compare(a.At(), b.At()))
	})
	all = withoutRepeats(all)
	var cured []string // by the causes
	for _, c := range all {
		if c.Certainty != "possible" {
			cured = append(cured, c.cures...)
		}
	}
	for i := range all {
		c := all[i].filled(j.in)
		if c.Certainty == "possible" {
			if len(c.cures) > 0 && !slices.ContainsFunc(c.cures, func(id string) bool { return !slices.Contains(cured, id) }) {
				continue // what a cause has mended already
			}
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

// verdict of a diagnosis: what was not seen is not healthy. Where a program was seen to keep the
// network waiting, it is enough that packets arrive.
func (j conclusion) verdict() Verdict {
	d := j.d
	limiting := j.limiting(d)
	switch {
	case !d.innocent(), limiting && len(d.Causes) > 0:
		return Found
	case limiting:
		return Settings
	case j.crept(d) != nil:
		return Inconclusive
	case len(d.Causes) > 0 && (j.delivered() || j.passes()):
		return NotNetwork
	case d.Incomplete, len(d.RuledOut) == 0:
		return Inconclusive
	}
	return NotNetwork
}

// between notes what lies between the ends and was not read. Of a Linux partition only an
// HMC says which SEA carries it: there the path is judged without.
func (j *judgement) between(d *Diagnosis) {
	for _, g := range slices.Backward(j.in.Path.Gaps) {
		host, _, _ := strings.Cut(g.What, ":")
		if h := j.in.Fleet.Host(host); h != nil && h.Platform != model.Linux {
			j.unseen, j.gap = true, true
			open := NotSeen{What: g.What + ": " + g.Why, Allow: "name the hosts between the two as well", IDs: []string{}}
			d.NotSeen = append([]NotSeen{open}, d.NotSeen...)
		}
	}
}

// crept is the stream that was sent and moved so little that the path has a fault; nil: none did.
func (j judgement) crept(d *Diagnosis) *Stream {
	i := slices.IndexFunc(d.Load, func(s Stream) bool {
		return s.Streams == 1 && s.BPS != nil && *s.BPS < j.ranking.SlowShare*d.LineMbit*1e6
	})
	if i < 0 {
		return nil
	}
	return &d.Load[i]
}

// noteCrept notes that it is open why a stream crept.
func (d *Diagnosis) noteCrept(s *Stream) {
	d.NotSeen = append([]NotSeen{{
		What:  fmt.Sprintf("why a stream moved %.3g Mbit/s on a line of %.0f Mbit/s", *s.BPS/1e6, d.LineMbit),
		Allow: "watch longer, while the path is in use: --for 60s",
		IDs:   []string{},
	}}, d.NotSeen...)
}
