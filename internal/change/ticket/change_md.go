package ticket

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/knowledge"
)

//go:embed change.md.tmpl
var layout string

var document = template.Must(template.New("CHANGE.md").Funcs(template.FuncMap{
	"text": text, "code": code, "comment": task.Comment, "list": list, "inc": func(i int) int { return i + 1 },
	"duration": duration,
	"minute":       func(t time.Time) string { return t.UTC().Format(minute) },
	"milliseconds": func(d time.Duration) int64 { return d.Milliseconds() },
	"becomes": func(s plan.Step, c task.Change) string {
		value, later := s.Becomes(c)
		if later {
			return code(value) + ", active after a reboot"
		}
		return code(value)
	},
	"reason": func(why []string) string { return text(knowledge.BuiltIn().Reason(why)) },
}).Parse(layout))

// minute is how a ticket writes a time.
const minute = "2006-01-02 15:04 UTC"

// leg is neighbouring steps of one host: one call of its scripts.
type leg struct {
	Line     int
	Host     string
	Folder   string
	From, To int // places of its steps, from 1
	Manual   *plan.ManualStep
}

// Next is the place after the leg's last step.
func (l leg) Next() int { return l.To + 1 }

// Numbers are the places of the leg's steps, as the scripts take them.
func (l leg) Numbers() (s string) {
	for n := l.From; n <= l.To; n++ {
		s += fmt.Sprintf(" %d", n)
	}
	return s
}

func legs(p *plan.Plan) (out []leg) {
	names := folders(p.Hosts)
	for i, s := range p.Steps {
		if n := len(out); n > 0 && out[n-1].Host == s.Host && s.Manual == nil {
			out[n-1].To = i + 1
			continue
		}
		out = append(out, leg{Line: len(out) + 1, Host: s.Host, Folder: names[s.Host], From: i + 1, To: i + 1, Manual: s.Manual})
	}
	return out
}

// manual are the legs of a plan that people do, none without a plan.
func manual(p *plan.Plan) []leg {
	if p == nil {
		return nil
	}
	return slices.DeleteFunc(legs(p), func(l leg) bool { return l.Manual == nil })
}

// reboot is a host to be rebooted, with what its steps say of it.
type reboot struct {
	Line   int
	Host   string
	Notes  []string // before it is rebooted
	Checks []string // before the next one is
}

func reboots(p *plan.Plan) (out []reboot) {
	for i, h := range p.Reboots() {
		r := reboot{Line: i + 1, Host: h, Checks: p.ChecksAfterReboot(h)}
		for _, s := range p.Steps {
			for _, note := range s.Notes {
				note = strings.TrimPrefix(note, "before the reboot of "+h+", not for this step: ")
				if s.Host == h && s.Pending && !slices.Contains(r.Notes, note) {
					r.Notes = append(r.Notes, note)
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// duration is how long the work on a plan takes, as far as it can be known beforehand.
func duration(p *plan.Plan) string {
	steps, owner := 0, ""
	for i := range p.Steps {
		if p.Steps[i].Manual != nil {
			owner = p.Steps[i].Manual.Owner
			continue
		}
		steps++
	}
	text := fmt.Sprintf("some seconds for each of %d steps", steps)
	if steps == 1 {
		text = "some seconds"
	}
	if owner != "" {
		text = "first the manual work of the " + owner + ", then " + text
	}
	switch n := len(p.Reboots()); n {
	case 0:
		return text
	case 1:
		return text + ", then a reboot, which takes as long as that partition needs"
	default:
		return fmt.Sprintf("%s, then %d reboots one after the other, each as long as that partition needs", text, n)
	}
}

// Ticket is the text for a change ticket, in Markdown. before is the plan, with
// its reboots, that comes first; nil if none does.
func Ticket(p, before *plan.Plan, e Evidence) (string, error) {
	forward := legs(p)
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	var b strings.Builder
	err := document.Execute(&b, map[string]any{
		"Plan": p, "Digest": string(p.ID), "Earlier": manual(before), "Legs": forward, "Backward": backward, "Reboots": reboots(p),
		"AfterReboot": afterReboot, "Purposes": append(purposes(p), largerPackets(p)...),
		"Cautions": cautions(p.Steps), "Interruptions": p.Interruptions(),
		"Classes": classes(p), "Read": readings(p, e.Read), "Rehearsal": e.Rehearsal,
		"When": map[plan.Window]string{
			plan.ManualWork: "manual, before",
			plan.AnyTime:    "at any time",
			plan.Bounce:     "in a window: traffic stops for a moment",
			plan.Reboot:     "written now, in force after a reboot",
		},
	})
	return b.String(), err
}

// purposes are the rules whose findings a plan's steps mend, with the gain that is expected
// where the rule has one, each once.
func purposes(p *plan.Plan) []string {
	var out []string
	for ; p != nil; p = p.Next {
		for _, s := range p.Steps {
			for _, id := range s.Why {
				name, _, _ := strings.Cut(id, "/")
				purpose := knowledge.BuiltIn().Reason([]string{name})
				if r, ok := knowledge.BuiltIn().Rule(name); ok && r.Effect != "" {
					purpose += ". Expected: " + r.Effect
				}
				if !slices.Contains(out, purpose) {
					out = append(out, purpose)
				}
			}
		}
	}
	return out
}

// largerPackets says between which interfaces packets of which size are to pass, and what that
// is expected to bring; empty if no step changes that.
func largerPackets(p *plan.Plan) []string {
	var out []string
	seen := map[string]bool{}
	for ; p != nil; p = p.Next {
		for _, x := range p.Proofs {
			from, to := x.Host+":"+x.Element, x.Peer.String()
			pair := fmt.Sprintf("packets of %d bytes between %s and %s", x.Bytes, min(from, to), max(from, to))
			if !seen[pair] {
				seen[pair] = true
				out = append(out, pair+". Expected: fewer packets for the same data, so less processor time for large transfers")
			}
		}
	}
	return out
}

// cautions are those of steps, each once.
func cautions(steps []plan.Step) []string {
	var out []string
	for _, s := range steps {
		for _, caution := range s.Cautions {
			if !slices.Contains(out, caution) {
				out = append(out, caution)
			}
		}
	}
	return out
}

// readings says when the hosts of a plan were read, those of the same minute together.
func readings(p *plan.Plan, read map[string]time.Time) []string {
	var times []string
	hosts := map[string][]string{}
	for _, h := range p.Hosts {
		if read[h].IsZero() {
			continue
		}
		when := read[h].UTC().Format(minute)
		if hosts[when] == nil {
			times = append(times, when)
		}
		hosts[when] = append(hosts[when], h)
	}
	slices.Sort(times)
	var out []string
	for _, when := range times {
		out = append(out, strings.Join(hosts[when], ", ")+": "+when)
	}
	return out
}

// classes are the outage classes that a plan's steps have, with what they mean.
func classes(p *plan.Plan) [][2]string {
	used := map[string]bool{}
	for _, s := range p.Steps {
		used[s.Class] = true
	}
	var out [][2]string
	for _, c := range knowledge.Classes() {
		if used[string(c)] {
			out = append(out, [2]string{string(c), c.Meaning()})
		}
	}
	return out
}

func list(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, text(n))
	}
	return strings.Join(out, ", ")
}

var escaper = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;", "&", "&amp;",
	"|", "\\|", "#", "\\#")

// text takes the meaning out of Markdown's and HTML's characters. An underscore inside a
// word has none, and names are read by people.
func text(s string) string {
	escaped := escaper.Replace(task.Comment(s))
	for range 2 { // neighbours share the letter between them
		escaped = insideWord.ReplaceAllString(escaped, "${1}_${2}")
	}
	return escaped
}

// insideWord is an escaped underscore between letters or digits.
var insideWord = regexp.MustCompile(`([A-Za-z0-9])\\_([A-Za-z0-9])`)

// code is a span of code, fenced by more backquotes than it holds.
func code(s string) string {
	s = task.Comment(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + s + fence
	}
	return fence + " " + s + " " + fence
}

// folders gives every host a folder name of its own: what a host is called is
// data, and must not lead out of the folder.
func folders(hosts []string) map[string]string {
	names, taken := map[string]string{}, map[string]bool{strings.ToLower(afterReboot): true}
	for _, h := range hosts {
		base := cmp.Or(unsafe.ReplaceAllString(h, "_"), "_")
		name := base
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[strings.ToLower(name)] = true
		names[h] = name
	}
	return names
}
