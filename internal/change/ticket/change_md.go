package ticket

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/knowledge"
)

//go:embed change.md.tmpl
var layout string

var document = template.Must(template.New("CHANGE.md").Funcs(template.FuncMap{
	"text": text, "code": code, "comment": task.Comment, "list": list, "inc": func(i int) int { return i + 1 },
	"reason": func(why []string) string { return text(knowledge.BuiltIn().Reason(why)) },
}).Parse(layout))

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

// restart is a host to be restarted, with what its steps say of it.
type restart struct {
	Line  int
	Host  string
	Notes []string
}

func restarts(p *plan.Plan) (out []restart) {
	for i, h := range p.Restarts() {
		r := restart{Line: i + 1, Host: h}
		for _, s := range p.Steps {
			for _, note := range s.Notes {
				if s.Host == h && s.Pending && !slices.Contains(r.Notes, note) {
					r.Notes = append(r.Notes, note)
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// Ticket is the text for a change ticket, in Markdown. before is the plan, with
// its restarts, that comes first; nil if none does.
func Ticket(p, before *plan.Plan) (string, error) {
	forward := legs(p)
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	var b strings.Builder
	err := document.Execute(&b, map[string]any{
		"Plan": p, "Digest": string(p.ID), "Earlier": manual(before), "Legs": forward, "Backward": backward, "Restarts": restarts(p),
		"AfterRestart": afterRestart,
		"When": map[plan.Window]string{
			plan.ManualWork: "manual, before",
			plan.AnyTime:    "at any time",
			plan.Bounce:     "in a window: traffic stops for a moment",
			plan.Restart:    "written now, in force after a restart",
		},
	})
	return b.String(), err
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

// text takes the meaning out of Markdown's and HTML's characters.
func text(s string) string { return escaper.Replace(task.Comment(s)) }

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
	names, taken := map[string]string{}, map[string]bool{strings.ToLower(afterRestart): true}
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
