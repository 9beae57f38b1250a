package audit

import (
	"fmt"
	"strings"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// session is a run over hosts of one fleet. It is used by one goroutine.
type session struct {
	joins  *joins
	cat    *catalog.Catalog
	opts   Options
	words  map[string]any
	passed int

	labels     map[string]string   // printed names of counters as label has them
	ordinaries map[string][]string // by layer, as ordinary has them
	mtus       map[subnetView]*mtus

	nextBoot     bool // judge the values of the next boot instead of the running ones
	seen         *trace
	lastTunables *element
	parts        []Finding       // scratch: what the checks of one rule say
	mentioned    map[string]bool // attributes that rules speak about
	claimed      map[value]bool  // differences to the next boot that a finding has named
}

func (set *Set) session(links *joins, cat *catalog.Catalog, opts Options) *session {
	s := &session{joins: links, cat: cat, opts: opts, seen: newTrace(), mentioned: set.mentioned, claimed: map[value]bool{}}
	s.words = s.vocabulary()
	return s
}

// value names an attribute of an element.
type value struct {
	inventory.Ref
	attr string
}

func (s *session) claim(values []value) {
	for _, v := range values {
		s.claimed[v] = true
	}
}

// trace is what a condition looked at: the source of evidence.
type trace struct {
	evidence []Evidence
	drifting []value // what has another next-boot value
	odm      bool    // a running value was not visible, the ODM's was taken
	counters bool
	totals   bool // ... and at least one was a total since boot
}

func newTrace() *trace { return &trace{} }

// reset forgets all but the room.
func (t *trace) reset() { *t = trace{evidence: t.evidence[:0], drifting: t.drifting[:0]} }

// add keeps a line, once. A rule looks at few.
func (t *trace) add(e Evidence) {
	for i := range t.evidence {
		if h := &t.evidence[i]; h.Text == e.Text && h.Command == e.Command && h.Host == e.Host {
			return
		}
	}
	t.evidence = append(t.evidence, e)
}

// value gives an attribute's value in the view that is judged. The ODM's value
// stands for a running one that the host does not show, and the other way.
func (s *session) value(a *inventory.Attr) (string, bool) {
	if a == nil {
		return "", false
	}
	first, second := a.Running, a.NextBoot
	if s.nextBoot {
		first, second = second, first
		// An attribute left empty in the ODM keeps getting its value from elsewhere.
		if first != nil && *first == "" && second != nil {
			first = second
		}
	}
	switch {
	case first != nil:
		return *first, true
	case second != nil:
		return *second, true
	}
	return "", false
}

// attr gives an attribute's value, or says how it would have been read.
func (s *session) attr(e *element, name string) (string, error) {
	a := e.is.Attrs[name]
	v, ok := s.value(a)
	if !ok {
		return "", missing(describe(e, name, s.howToRead(e, name)))
	}
	if a.Running == nil {
		s.seen.odm = true
	}
	s.note(e, name, v)
	return v, nil
}

// note records that an attribute was looked at, and whether it will change.
func (s *session) note(e *element, name, v string) {
	a := e.is.Attrs[name]
	if len(drifted(map[string]*inventory.Attr{name: a})) > 0 {
		s.seen.drifting = append(s.seen.drifting, value{e.ref(), name})
	}
	s.seen.add(s.attrEvidence(e, name, a, v))
}

func (s *session) attrEvidence(e *element, name string, a *inventory.Attr, v string) Evidence {
	if len(a.From) > 0 {
		// The last origin is the one nearest to what is in force.
		o := a.From[len(a.From)-1]
		for _, x := range a.From {
			if strings.Contains(x.Text, v) && v != "" {
				o = x
				break
			}
		}
		text := o.Text
		if text == "" {
			text = name + " = " + v
		}
		return Evidence{Host: e.Host, Command: o.Command, Line: o.Line, Text: text}
	}
	return Evidence{Host: e.Host, Command: s.howToRead(e, name), Text: e.Name + " " + name + " = " + v}
}

// howToRead gives the command that would tell an attribute.
func (s *session) howToRead(e *element, name string) string {
	layer := e.Kind
	switch {
	case e.Platform == string(inventory.Linux):
		layer = "linux"
	case e.Kind == kindTunables:
		layer = "no"
	}
	a, ok := s.cat.Attribute(layer, name)
	if !ok || len(a.Read) == 0 {
		return ""
	}
	return strings.ReplaceAll(a.Read[0], "{name}", e.Name)
}

// label is the function of that name, which costs more than a look-up: a fleet
// has few names of counters and asks for them often.
func (s *session) label(name string) string {
	l, ok := s.labels[name]
	if !ok {
		if s.labels == nil {
			s.labels = map[string]string{}
		}
		l = label(name)
		s.labels[name] = l
	}
	return l
}

// countedBy is the command that prints an element's counters.
func countedBy(e *element) string {
	if e.Platform == string(inventory.Linux) {
		return "ethtool -S " + e.Name
	}
	return "entstat -d " + e.Name
}

// counter gives the sum of the counters of that printed name: what was added
// between two snapshots, or the total since the counters were reset.
func (s *session) counter(e *element, names string) (int, error) {
	keys := counterNamed(e.is.Counters, names, s.label)
	if len(keys) == 0 {
		return 0, missing(describe(e, "counter "+strings.ReplaceAll(names, "|", " or "), countedBy(e)))
	}
	over := s.span(e)
	s.seen.counters = true
	s.seen.totals = s.seen.totals || !over.grows
	sum := 0
	for _, key := range keys {
		now, _ := e.is.Counters.Get(key)
		n, wrapped, gap := over.growth(key, now)
		if gap != "" {
			return 0, missing(describe(e, "growth of "+plainLabel(key)+": "+gap, ""))
		}
		s.seen.add(Evidence{Host: e.Host, Command: countedBy(e), Text: e.Name + " " + plainLabel(key) + ": " + over.counted(n, wrapped)})
		sum += int(min(n, 1<<62))
	}
	return sum, nil
}

// span says over which time e's counters count.
func (s *session) span(e *element) span {
	h := s.joins.earlier[e.Host]
	if h == nil {
		return spanOf(e.is, nil, 0)
	}
	return spanOf(e.is, h.Elements[e.Name], between(e.of, h))
}

// ppm gives how many of a million were bad: the counters of one name against
// those of another, over the same time.
func (s *session) ppm(e *element, bad, all string) (float64, error) {
	b, err := s.counter(e, bad)
	if err != nil {
		return 0, err
	}
	n, err := s.counter(e, all)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, missing(describe(e, all+": none were counted", ""))
	}
	return 1e6 * float64(b) / float64(n), nil
}

// perSecond gives a counter's rate over the time it counts.
func (s *session) perSecond(e *element, names string) (float64, error) {
	n, err := s.counter(e, names)
	if err != nil {
		return 0, err
	}
	over := s.span(e)
	if over.seconds == 0 {
		return 0, missing(describe(e, "the time over which it counted", countedBy(e)))
	}
	return float64(n) / float64(over.seconds), nil
}

func plainLabel(key string) string {
	for _, p := range []string{"tx.", "rx."} {
		if rest, ok := strings.CutPrefix(key, p); ok {
			return map[string]string{"tx.": "transmit ", "rx.": "receive "}[p] + rest
		}
	}
	return key
}

// poolValue reads one figure of a receive pool.
func (s *session) poolValue(p *pool, what string, v *uint64) (int, error) {
	if v == nil {
		return 0, missing(describe(p.of, p.Name+" buffers, "+what, "entstat -d "+p.of.Name))
	}
	s.seen.add(Evidence{Host: p.of.Host, Command: "entstat -d " + p.of.Name,
		Text: fmt.Sprintf("%s %s buffers, %s: %d", p.of.Name, p.Name, what, *v)})
	return int(min(*v, 1<<62)), nil
}

func (s *session) pools(e *element) ([]*pool, error) {
	if len(e.is.Buffers) == 0 {
		return nil, missing(describe(e, "receive buffers", "entstat -d "+e.Name))
	}
	var out []*pool
	for _, b := range e.is.Buffers {
		if b.Pool != "Control" {
			out = append(out, &pool{Name: strings.ToLower(b.Pool), of: e, is: b})
		}
	}
	return out, nil
}

// measured gives a figure: one that no snapshot holds, such as a round-trip time
// or what the site wants of a network, else one of the host's own (Figures).
func (s *session) measured(e *element, name string) (float64, error) {
	for _, key := range []string{e.ref().String() + " " + name, e.Host + " " + name} {
		if v, ok := s.opts.Measured[key]; ok {
			s.seen.add(Evidence{Host: e.Host, Text: fmt.Sprintf("%s %s = %g, as given", e.Name, name, v)})
			return v, nil
		}
	}
	if v, ok := e.of.Figures[name]; ok {
		s.seen.add(Evidence{Host: e.Host, Command: v.From.Command, Line: v.From.Line, Text: fmt.Sprintf("%s = %g: %s", name, v.Value, v.From.Text)})
		return v.Value, nil
	}
	what := strings.ReplaceAll(name, "_", " ")
	if how := figuredBy[name]; how != "" {
		return 0, missing(describe(e, what, how))
	}
	return 0, missing(describe(e, what+", which no snapshot holds", "--fact "+name))
}

// figuredBy are the commands that give a host's figures.
var figuredBy = map[string]string{
	inventory.VirtualSCSI: "lsdev -Cc adapter",
	inventory.RulesDiffer: "rules -o diff -s -d",
	inventory.CoresUsed:   "lparstat 60 1 during a transfer, or --fact cores_used",
	inventory.CoresLimit:  "lparstat -i",
	inventory.CPUBusy:     "lparstat 60 1 during a transfer, or --fact cpu_busy_percent",
}

// fixed says whether one of several APARs, separated by "|", is on the host.
func (s *session) fixed(e *element, names string) (bool, error) {
	var unasked string
	for name := range strings.SplitSeq(names, "|") {
		there, asked := e.of.Fixes[name]
		switch {
		case there:
			s.seen.add(Evidence{Host: e.Host, Command: "instfix -ik " + name, Text: "all filesets for " + name + " are there"})
			return true, nil
		case !asked && unasked == "":
			unasked = name
		}
	}
	if unasked != "" {
		return false, missing(describe(e, "fix "+unasked, "instfix -ik "+unasked))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "instfix -ik", Text: "not there: " + strings.ReplaceAll(names, "|", ", ")})
	return false, nil
}

// given says whether a measurement or a site's statement is there.
func (s *session) given(e *element, name string) bool {
	_, err := s.measured(e, name)
	return err == nil
}

// flag says whether an interface or driver flag is set. Of a damaged list a flag
// that is not in it is not known.
func (s *session) flag(e *element, name string) (bool, error) {
	has := flagged(e.is.Flags, name)
	shown := map[bool]string{true: "ifconfig " + e.Name, false: "entstat -d " + e.Name}[e.is.Kind == inventory.Interface]
	switch {
	case len(e.is.Flags) == 0:
		return false, missing(describe(e, "flags", shown))
	case e.is.FlagsCut && !has:
		return false, missing(describe(e, "whether "+name+" is set: the list of flags is damaged", shown))
	}
	s.seen.add(Evidence{Host: e.Host, Command: shown, Text: e.Name + " flags: " + strings.Join(e.is.Flags, ",")})
	return has, nil
}

// flagged looks for a flag, also for one that a narrow terminal broke in two.
func flagged(flags []string, name string) bool {
	for i, f := range flags {
		if strings.EqualFold(f, name) || i > 0 && strings.EqualFold(flags[i-1]+f, name) {
			return true
		}
	}
	return false
}
