package web

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/app/metrics"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/history"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/web/guard"
)

// Fleet is the hub of a fleet, as far as its pages ask it.
type Fleet interface {
	Zones(ctx context.Context) ([]control.ZoneState, error)
	Sweeps(ctx context.Context) ([]control.Sweep, error)
	Status(ctx context.Context, sweep string) (*control.Sweep, error)
	Schedules(ctx context.Context) ([]control.Schedule, error)
}

// fleetPages show the hub of a fleet over its history.
type fleetPages struct {
	s     *Server
	rules map[string]knowledge.Rule

	mu   sync.Mutex
	past *standing // as it was read last
}

// standing is what the history holds now.
type standing struct {
	generation string
	hosts      []history.Span
	findings   []history.Spell
}

func newFleetPages(s *Server) *fleetPages {
	p := &fleetPages{s: s, rules: map[string]knowledge.Rule{}}
	for _, r := range s.o.Rules {
		p.rules[r.ID] = r
	}
	s.page("/fleet", "fleet", p.fleet)
	s.page("/fleet/sweep", "fleetsweep", p.sweep)
	s.page("/fleet/findings", "fleetfindings", p.findings)
	return p
}

// now reads the history, unless nothing was added since.
func (p *fleetPages) now(ctx context.Context) (*standing, error) {
	store, err := p.s.o.History(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	generation, err := store.Generation(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock() // one reads it for all who ask
	if p.past != nil && p.past.generation == generation {
		return p.past, nil
	}
	out := &standing{generation: generation}
	out.hosts, err = store.Hosts(ctx, time.Now())
	if err == nil {
		out.findings, err = history.ReadStanding(ctx, store, string(finding.Found), slices.Sorted(maps.Keys(p.rules)))
	}
	if err != nil {
		return nil, err
	}
	p.past = out
	return out, nil
}

// ages is how old the readings of hosts are.
type ages struct {
	Hosts, Never, NotReached int
	Newest, Oldest           time.Time
	Day, Week                int // hosts whose last reading is older
}

func agesOf(hosts []history.Span, now time.Time) (out ages) {
	for _, h := range hosts {
		out.Hosts++
		if h.NotSeen() {
			out.NotReached++
		}
		if h.Last.IsZero() {
			out.Never++
			continue
		}
		if h.Last.After(out.Newest) {
			out.Newest = h.Last
		}
		if out.Oldest.IsZero() || h.Last.Before(out.Oldest) {
			out.Oldest = h.Last
		}
		out.Day += oneIf(now.Sub(h.Last) > 24*time.Hour)
		out.Week += oneIf(now.Sub(h.Last) > 7*24*time.Hour)
	}
	return out
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// fleetPage is a hub: zones, sweeps, schedules, the age of what it has.
type fleetPage struct {
	Zones     []control.ZoneState
	Sweeps    []control.Sweep
	Schedules []control.Schedule
	Ages      ages
	Findings  int
	At        time.Time
}

// fleet shows the hub. While a sweep runs the page asks again by itself.
func (p *fleetPages) fleet(r *request) (*view, error) {
	ctx := r.Context()
	b := &fleetPage{At: time.Now()}
	v := &view{Title: "Fleet", Body: b}
	hub := p.s.o.Fleet
	var err error
	b.Zones, err = hub.Zones(ctx)
	if err == nil {
		b.Sweeps, err = hub.Sweeps(ctx)
	}
	if err == nil {
		b.Schedules, err = hub.Schedules(ctx)
	}
	if err != nil {
		return nil, err
	}
	slices.Reverse(b.Sweeps) // the last first
	for _, s := range b.Sweeps {
		v.Busy = v.Busy || s.Ended.IsZero()
	}
	now, err := p.now(ctx)
	if err != nil {
		return nil, err
	}
	b.Ages, b.Findings = agesOf(now.hosts, b.At), len(now.findings)
	return v, nil
}

// sweep shows how far a sweep is, and which hosts were not read.
func (p *fleetPages) sweep(r *request) (*view, error) {
	id := cmp.Or(r.Get("id"), "latest")
	s, err := p.s.o.Fleet.Status(r.Context(), id)
	if err != nil {
		return nil, missing("%v", err)
	}
	return &view{Title: "Sweep " + s.ID, Busy: s.Ended.IsZero(), Body: s}, nil
}

// fleetRule is a rule with how often it found something.
type fleetRule struct {
	knowledge.Rule
	Elements, Hosts int
}

// fleetFindings are the findings of a fleet, by rule or each of one rule.
type fleetFindings struct {
	Rule  *knowledge.Rule // nil: all
	Rules []fleetRule
	Each  []history.Spell
	Pager Pager
	Ages  ages
}

// findings shows what the rules find on the hosts as last read.
func (p *fleetPages) findings(r *request) (*view, error) {
	now, err := p.now(r.Context())
	if err != nil {
		return nil, err
	}
	b := &fleetFindings{Ages: agesOf(now.hosts, time.Now())}
	v := &view{Title: "Findings", Body: b}
	id := r.Get("rule")
	if id == "" {
		b.Rules = p.counted(r.query, now.findings)
		return v, nil
	}
	rule, known := p.rules[id]
	if !known {
		return nil, missing("there is no rule %s", id)
	}
	b.Rule = &rule
	b.Each, b.Pager = chosen(r.query, now.findings, perPage, func(x history.Spell) bool {
		return x.Rule == id && matches(r.words(), x.Ref.String())
	})
	return v, nil
}

// counted are the rules that find something, the worst first.
func (p *fleetPages) counted(q query, all []history.Spell) []fleetRule {
	byRule := map[string]*fleetRule{}
	hosts := map[string]map[string]bool{}
	for _, x := range all {
		r := byRule[x.Rule]
		if r == nil {
			r = &fleetRule{Rule: p.rules[x.Rule]}
			byRule[x.Rule], hosts[x.Rule] = r, map[string]bool{}
		}
		r.Elements++
		hosts[x.Rule][x.Host] = true
	}
	var out []fleetRule
	for id, r := range byRule {
		r.Hosts = len(hosts[id])
		if matches(q.words(), id, r.Title) {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b fleetRule) int {
		return cmp.Or(finding.Severity(a.Severity).Rank()-finding.Severity(b.Severity).Rank(),
			cmp.Compare(b.Hosts, a.Hosts), strings.Compare(a.ID, b.ID))
	})
	return out
}

// serveMetrics answers with the metrics of the hub, and of what its history holds.
func (p *fleetPages) serveMetrics(w http.ResponseWriter, r *http.Request) {
	text, format, err := p.metrics(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", string(format))
	guard.Send(w, r, http.StatusOK, text)
}

func (p *fleetPages) metrics(r *http.Request) ([]byte, metrics.Format, error) {
	ctx := r.Context()
	format := metrics.Accepted(r.Header)
	s := metrics.Source{Version: p.s.o.Version, Hub: &metrics.Hub{}, Taken: map[string]time.Time{}}
	now, err := p.now(ctx)
	if err != nil {
		return nil, format, err
	}
	for _, h := range now.hosts {
		s.NotRead += oneIf(h.NotSeen() || h.Problem != "")
		if !h.Last.IsZero() {
			s.Taken[h.Host] = h.Last
		}
	}
	s.Hosts = len(s.Taken)
	for _, x := range now.findings {
		s.Findings = append(s.Findings, finding.Finding{Rule: x.Rule, Verdict: finding.Found,
			Severity: finding.Severity(p.rules[x.Rule].Severity), Element: x.Ref})
	}
	s.Hub.Zones, err = p.s.o.Fleet.Zones(ctx)
	if err == nil {
		s.Hub.Sweeps, err = p.s.o.Fleet.Sweeps(ctx)
	}
	if err != nil {
		return nil, format, err
	}
	all, err := s.Families()
	var text bytes.Buffer
	if err == nil {
		err = metrics.Write(&text, format, all)
	}
	return text.Bytes(), format, err
}
