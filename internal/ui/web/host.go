package web

import (
	"html/template"
	"maps"
	"slices"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/drawing"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/store"
)

type host struct {
	*model.Host
	Text       template.HTML
	Findings   []*finding.Finding
	Pager      Pager
	Unassessed int
	Commands   []store.Command
	Times      []time.Time
	Why        string // there are no commands
}

// host shows a host: findings, elements, and what its commands printed.
func (s *Server) host(r *request) (*view, error) {
	name := r.Get("name")
	h := r.state.Host(name)
	if h == nil {
		return nil, missing("%s was not read", name)
	}
	b := host{Host: h, Times: r.state.Times(name)}
	var all []*finding.Finding
	all, b.Unassessed = severe(r.state.Verdicts(name))
	b.Findings, b.Pager = paged(r.query, all, perPage)
	var err error
	if b.Commands, err = r.state.Commands(name); err != nil {
		b.Why = err.Error()
	}
	b.Text, err = printed(func(p *report.Document) { report.Host(p, briefly(h)) })
	return &view{Title: name, Body: b}, err
}

// mostElements is how many elements of a host a page shows.
const mostElements = 300

// briefly is a host with as many of its elements as a page shows.
func briefly(h *model.Host) *model.Host {
	if len(h.Elements) <= mostElements {
		return h
	}
	short := *h
	short.Elements = map[string]*model.Element{}
	for _, name := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural)[:mostElements] {
		short.Elements[name] = h.Elements[name]
	}
	return &short
}

type pathChoice struct {
	From, To string
	Names    []string // to choose from
	Error    string
	Drawing  template.HTML
	Text     template.HTML
	Findings []*finding.Finding
	Command  string
}

// mostNames is how many names a list to choose from has.
const mostNames = 400

// names are hosts to choose from.
func names(state *store.State) (all []string) {
	for _, x := range state.Rows[:min(len(state.Rows), mostNames)] {
		all = append(all, x.Host)
	}
	return all
}

// path draws the way between two interfaces, with what is wrong on it.
func (s *Server) path(r *request) (*view, error) {
	b := pathChoice{From: r.Get("from"), To: r.Get("to")}
	b.Names = names(r.state)
	if b.From == "" || b.To == "" {
		return &view{Title: "Path", Body: b}, nil
	}
	p, err := r.state.Graph().Path(b.From, b.To)
	if err != nil {
		b.Error = err.Error()
		return &view{Title: "Path", Body: b}, nil
	}
	on := finding.Concerning(r.state.Findings, r.state.Graph().OnPath(p))
	for i := range on {
		if on[i].Verdict == finding.Found {
			b.Findings = append(b.Findings, &on[i])
		}
	}
	d := drawing.Path(r.state.Fleet, p, drawing.Options{Findings: on})
	if b.Drawing, err = printed(func(p *report.Document) { report.Drawing(p, d) }); err != nil {
		return nil, err
	}
	b.Text, err = printed(func(to *report.Document) { report.Path(to, r.state.Fleet, p) })
	b.Command = s.command(r.state, "show", "path", b.From, b.To)
	return &view{Title: b.From + " → " + b.To, Body: b}, err
}

type vlans struct {
	System   string
	Systems  []string
	Segments []segment
	Drawing  template.HTML
	Pager    Pager
}

// segment is a VLAN with its LPARs.
type segment struct {
	graph.Segment
	LPARs []lpar
}

// lpar is one by its name; it was read, or only an HMC or an SEA names it.
type lpar struct {
	Name string
	Read bool
}

// mostDrawn is how many VLANs of a system are drawn.
const mostDrawn = 40

// vlans lists the VLANs of hypervisor switches, and draws those of one system.
func (s *Server) vlans(r *request) (*view, error) {
	b := vlans{System: r.Get("system")}
	var chosen []graph.Segment
	for _, x := range r.state.Graph().Segments() {
		if b.System != "" && x.System != b.System || !matches(r.words(), x.System, x.VSwitch) {
			continue
		}
		chosen = append(chosen, x)
		if x.System != "" && !slices.Contains(b.Systems, x.System) && len(b.Systems) < mostNames {
			b.Systems = append(b.Systems, x.System)
		}
	}
	part, pager := paged(r.query, chosen, perPage)
	b.Pager = pager
	for _, x := range part {
		one := segment{Segment: x}
		for _, name := range x.Clients {
			one.LPARs = append(one.LPARs, lpar{name, r.state.Host(name) != nil})
		}
		b.Segments = append(b.Segments, one)
	}
	var err error
	if len(b.Systems) == 1 && len(chosen) <= mostDrawn {
		b.Drawing, err = printed(func(p *report.Document) { report.Drawing(p, drawing.Map(chosen)) })
	}
	return &view{Title: "VLANs", Body: b}, err
}

// command is a command line that shows the same on a terminal.
func (s *Server) command(state *store.State, words ...string) string {
	return commandLine(slices.Concat([]string{"seaworthy"}, words, s.words(state))...)
}

// words are the arguments by which a command finds the hosts of the pages.
func (s *Server) words(state *store.State) []string {
	if s.o.Words != nil {
		return s.o.Words
	}
	return state.Folders
}
