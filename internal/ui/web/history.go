package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/past"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/report"
)

// pastPage is what the history knows of a host, a path or a managed system over a time.
type pastPage struct {
	Name     string // of the history
	Systems  []string
	Hosts    []history.Span // to choose from
	Zoned    bool           // some are in a zone
	Pager    Pager
	Spans    []choice
	Counters []choice
	Of       []string // hosts that are shown
	More     int      // hosts of the system that are not
	From, To time.Time
	Error    string
	Waiting  bool
	Notes    []string
	Chart    template.HTML
	Numbers  template.HTML
	Changes  []pastChange
	Since    string // a command
}

// choice is one of a list to choose from.
type choice struct {
	Value, Name string
	Chosen      bool
}

// pastChange is a change with the addresses of what shows it.
type pastChange struct {
	history.Change
	Lines string
	Title string // of a rule
}

// spans are over which time the history may be shown.
var spans = []choice{{Value: "1h", Name: "1 hour"}, {Value: "24h", Name: "24 hours"}, {Value: "7d", Name: "7 days"},
	{Value: "30d", Name: "30 days"}, {Value: "90d", Name: "90 days"}, {Value: "365d", Name: "a year"}}

// standardSpan is shown where none is asked for.
const standardSpan = "7d"

// historyPages show what was: hosts, paths and systems over time.
type historyPages struct {
	open OpenHistory // nil: none was named
	jobs *jobs
}

// history shows a host, a path or a managed system over time, or the hosts to choose from.
func (p *historyPages) history(r *request) (*view, error) {
	if p.open == nil {
		return nil, missing("no history was named: seaworthy serve --history URL shows one")
	}
	open, err := p.open(r.Context())
	if err != nil {
		return nil, err
	}
	defer open.Close()
	b := &pastPage{Name: open.Name()}
	v := &view{Title: "History", Body: b}
	err = b.ask(r.Context(), r.query, open)
	if err != nil {
		b.Error = err.Error()
		return v, nil
	}
	if len(b.Of) == 0 {
		all, err := open.Hosts(r.Context(), b.To)
		b.Hosts, b.Pager = chosen(r.query, all, perPage, func(h history.Span) bool { return matches(r.words(), h.Host, h.Zone) })
		b.Zoned = slices.ContainsFunc(all, func(h history.Span) bool { return h.Zone != "" })
		return v, err
	}
	generation, err := open.Generation(r.Context())
	if err != nil {
		return nil, err
	}
	counter := r.Get("counter")
	w := history.Window{From: b.From, To: b.To, Hosts: b.Of}
	// The time goes on while snapshots are read: for ten minutes the answer is the same one.
	key := fmt.Sprintf("history %s %q %q %q %q %d", generation, counter, r.Get("span"), r.Get("until"), b.Of, b.To.Unix()/600)
	got, done, err := p.jobs.do(key, func(ctx context.Context) (any, error) {
		store, err := p.open(ctx)
		if err != nil {
			return nil, err
		}
		defer store.Close()
		return past.CourseOf(ctx, store, w, counter)
	})
	if err != nil {
		return nil, err
	}
	if !done {
		b.Waiting, v.Busy = true, true
		return v, nil
	}
	return v, b.show(r.query, got.(*past.Course), counter)
}

// ask reads what the address asks for.
func (b *pastPage) ask(ctx context.Context, q query, store *history.Store) error {
	span := cmp.Or(q.Get("span"), standardSpan)
	for _, x := range spans {
		x.Chosen = x.Value == span
		b.Spans = append(b.Spans, x)
	}
	age, err := past.ParseAge(span)
	if err != nil {
		return err
	}
	b.To = past.Now().Truncate(time.Minute).Add(time.Minute)
	if q.Get("until") != "" {
		b.To, err = past.ParseTime(q.Get("until"))
		if err != nil {
			return err
		}
	}
	b.From = b.To.Add(-age)
	b.Systems, err = past.Systems(ctx, store, mostNames)
	if err != nil {
		return err
	}
	host, system := q.Get("host"), q.Get("system")
	from, to := q.Get("from"), q.Get("to")
	switch {
	case host != "":
		_, err = store.Snapshots(ctx, b.To, host)
		b.Of = []string{host}
	case from != "" && to != "":
		b.Of, err = past.OnPath(ctx, store, b.To, from, to)
	case system != "":
		b.Of, b.More, err = past.OfSystem(ctx, store, b.To, system)
		if err == nil && len(b.Of) == 0 {
			err = missing("the history has no host of the managed system %s", system)
		}
	}
	return err
}

// mostLanes bounds the rows of each part of the figure.
const mostLanes = 40

// show fills the page with a course.
func (b *pastPage) show(q query, c *past.Course, counter string) error {
	for _, name := range c.Counters {
		b.Counters = append(b.Counters, choice{Value: name, Name: name, Chosen: name == counter})
	}
	parts, left := partsOf(c)
	b.From, b.To = begin(c), c.To
	figure := &chart.Past{Name: "History of " + named(b.Of), From: b.From, To: b.To, Parts: parts}
	if figure.Lanes() > 0 {
		b.Chart = template.HTML(chart.Inline(figure))
		var err error
		b.Numbers, err = printed(func(d *report.Document) { d.Table(figure.Table()) })
		if err != nil {
			return err
		}
	}
	b.notes(c, left)
	var all []pastChange
	for _, x := range c.Changes {
		p := pastChange{Change: x, Title: c.Titles[x.Attribute], Lines: link("/history/lines", "host", x.Host, "element", x.Element,
			"attribute", x.Attribute, "from", stamp(x.LastSeen), "to", stamp(x.FirstSeen))}
		if x.Layer == history.Finding {
			p.Lines = ""
		}
		if matches(q.words(), x.Ref.String(), x.Attribute, p.Title) {
			all = append(all, p)
		}
	}
	b.Changes, b.Pager = paged(q, all, perPage)
	if len(b.Of) == 1 {
		b.Since = commandLine("seaworthy", "history", "at", stamp(b.To.Truncate(time.Second)), b.Of[0], "--history", b.Name)
	}
	return nil
}

// begin is where the axis begins: shortly before the first thing to show, if most of the time is empty.
func begin(c *past.Course) time.Time {
	first := c.To
	for _, t := range c.Spells {
		first = earlier(first, t.Began)
	}
	for _, p := range c.Seen {
		first = earlier(first, p.Taken)
	}
	for _, x := range c.Runs {
		first = earlier(first, x.Began)
	}
	for _, x := range c.Results {
		first = earlier(first, x.Made)
	}
	first = first.Add(-c.To.Sub(first) / 20)
	if first.Before(c.From) || c.To.Sub(first) < time.Minute || first.Sub(c.From) < c.To.Sub(c.From)/2 {
		return c.From
	}
	return first
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// named are hosts in a title.
func named(hosts []string) string {
	const most = 4
	if len(hosts) <= most {
		return strings.Join(hosts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(hosts[:most], ", "), len(hosts)-most)
}

// notes say what the figure does not show.
func (b *pastPage) notes(c *past.Course, left int) {
	if len(c.Seen) == 0 {
		b.Notes = append(b.Notes, "No snapshot was taken in this time.")
	}
	if b.More > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf("%s of this system are left out.", report.Plural(b.More, "host")))
	}
	if c.Left > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf("The counters of %s were not read: there are too many, or their raw text was removed. "+
			"Choose a shorter time to see them.", report.Plural(c.Left, "snapshot")))
	}
	if left > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf("%s are left out of the figure; the table of changes has them all.", report.Plural(left, "row")))
	}
	if len(c.Rates) == 0 && len(c.Seen) > 1 {
		b.Notes = append(b.Notes, "No counter of this kind rose between two snapshots.")
	}
}

// partsOf are the rows of the figure; left says how many there would be more.
func partsOf(c *past.Course) (parts []chart.Part, left int) {
	add := func(name string, rows []chart.Lane) {
		if len(rows) > mostLanes {
			left += len(rows) - mostLanes
			rows = rows[:mostLanes]
		}
		if len(rows) > 0 {
			parts = append(parts, chart.Part{Name: name, Rows: rows})
		}
	}
	add("Rates between snapshots; the highest at the right", rateLanes(c))
	add("Findings", spellLanes(c))
	add("Settings that changed", settingLanes(c))
	add("Runs of seaworthy, and what was measured", eventLanes(c))
	add("Snapshots", seenLanes(c))
	return parts, left
}

func rateLanes(c *past.Course) (out []chart.Lane) {
	list := slices.Clone(c.Rates)
	slices.SortStableFunc(list, func(a, b past.Rate) int { return cmp.Compare(b.Peak, a.Peak) })
	list = list[:min(len(list), mostLanes)]
	slices.SortStableFunc(list, func(a, b past.Rate) int { return cmp.Or(a.Ref.Compare(b.Ref), cmp.Compare(a.Counter, b.Counter)) })
	for i, r := range list {
		l := chart.Lane{Name: r.Ref.String() + " " + r.Counter, Unit: r.Unit, Class: i % 3}
		for _, p := range r.Points {
			step := chart.Step{From: p.From, To: p.To, Value: p.Value, Why: p.Why}
			if p.Why != "" {
				step.Value = math.NaN()
			}
			l.Steps = append(l.Steps, step)
		}
		out = append(out, l)
	}
	return out
}

// lanes are rows by their names, in the order in which these were first asked for.
type lanes struct {
	all []chart.Lane
	at  map[string]int
}

func (l *lanes) add(name string, class int, told bool, s chart.Spell) {
	i, there := l.at[name]
	if !there {
		if l.at == nil {
			l.at = map[string]int{}
		}
		i = len(l.all)
		l.at[name] = i
		l.all = append(l.all, chart.Lane{Name: name, Class: class, Told: told})
	}
	l.all[i].Spells = append(l.all[i].Spells, s)
}

func spellLanes(c *past.Course) []chart.Lane {
	var out lanes
	for _, s := range c.Spells {
		last := s.Last
		if last.IsZero() {
			last = c.To
		}
		out.add(s.Rule+" "+s.Ref.String(), 1, false, chart.Spell{From: s.Began, To: last, Text: cmp.Or(c.Titles[s.Rule], "finding")})
	}
	return out.all
}

func settingLanes(c *past.Course) []chart.Lane {
	var out lanes
	for _, x := range slices.Backward(c.Changes) {
		if x.Layer == history.Finding {
			continue
		}
		text := worded(x.Before) + " → " + worded(x.After)
		out.add(x.Ref.String()+" "+x.Attribute, 3, true, chart.Spell{From: x.LastSeen, To: x.FirstSeen, Text: text})
	}
	return out.all
}

// worded is a value of a change; – is none.
func worded(value *string) string {
	switch {
	case value == nil:
		return "–"
	case *value == "":
		return "(empty)"
	}
	return *value
}

func eventLanes(c *past.Course) []chart.Lane {
	var out lanes
	for _, r := range c.Runs {
		to := r.Ended
		if to.IsZero() {
			to = r.Began
		}
		out.add("run "+r.ID, 2, true, chart.Spell{From: r.Began, To: to, Text: cmp.Or(r.Outcome, "not ended")})
	}
	for _, r := range c.Results {
		out.add(r.Kind, 0, true, chart.Spell{From: r.Made, To: r.Made, Text: r.Summary})
	}
	return out.all
}

func seenLanes(c *past.Course) []chart.Lane {
	var out lanes
	for _, p := range c.Seen {
		out.add(p.Host, 7, false, chart.Spell{From: p.Taken, To: p.Taken, Text: "snapshot"})
	}
	slices.SortFunc(out.all, func(a, b chart.Lane) int { return cmp.Compare(a.Name, b.Name) })
	return out.all
}

// pastLines is the page of the lines by which two snapshots of a host differ.
type pastLines struct {
	Host, Element, Attribute string
	Before, After            time.Time
	Outputs                  []past.Lines
	Left                     int // outputs that differ and are not shown
}

// mostOutputs bounds how many outputs are shown side by side.
const mostOutputs = 60

// lines shows the lines by which two snapshots of a host differ, those about an element first.
func (p *historyPages) lines(r *request) (*view, error) {
	if p.open == nil {
		return nil, missing("no history was named: seaworthy serve --history URL shows one")
	}
	b := pastLines{Host: r.Get("host"), Element: r.Get("element"), Attribute: r.Get("attribute")}
	var err error
	b.Before, err = past.ParseTime(r.Get("from"))
	if err == nil {
		b.After, err = past.ParseTime(r.Get("to"))
	}
	if err != nil {
		return nil, missing("%v", err)
	}
	open, err := p.open(r.Context())
	if err != nil {
		return nil, err
	}
	defer open.Close()
	b.Outputs, err = past.LinesBetween(r.Context(), open, b.Host, b.Before, b.After, b.Element, b.Attribute)
	if err != nil {
		return nil, missing("%v", err)
	}
	if len(b.Outputs) > mostOutputs {
		b.Left = len(b.Outputs) - mostOutputs
		b.Outputs = b.Outputs[:mostOutputs]
	}
	return &view{Title: "Lines of " + b.Host, Body: b}, nil
}
