package desired

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Value is one wanted value at one element.
type Value struct {
	Host     string  `json:"host"`
	Element  string  `json:"element"`
	Attr     string  `json:"attr"`
	Want     string  `json:"want"`
	Running  *string `json:"running,omitempty"`   // nil: not read
	NextBoot *string `json:"next_boot,omitempty"` // nil: not read, or the platform has none
	Entry    string  `json:"entry"`               // name in the site's file
	Reason   string  `json:"reason"`              // why the site wants it, or lives with another value
	Until    string  `json:"until,omitempty"`     // of an exception
	Why      string  `json:"why,omitempty"`       // it could not be judged
}

// Ref is the element that a value belongs to.
func (v Value) Ref() model.Ref { return model.Ref{Host: v.Host, Element: v.Element} }

// Result is a site's file held against hosts. Its lists are never nil, and in the order of hosts and elements.
type Result struct {
	Held     int      `json:"held"`     // values that are as wanted
	Drift    []Value  `json:"drift"`    // running or next-boot values that are not
	Unknown  []Value  `json:"unknown"`  // not read, or not known whether the element is meant
	Excepted []Value  `json:"excepted"` // other values that the site lives with
	Idle     []string `json:"idle"`     // exceptions that have expired or are not needed, and entries that no element answers to
}

// Judge holds a site's file against hosts at a moment. Two entries that want different values of one attribute are an error.
func (s *Site) Judge(ctx context.Context, hosts *model.Fleet, now time.Time) (*Result, error) {
	g, err := graph.New(ctx, hosts)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	j := judgement{site: s, now: now, claimed: map[claim]*Wanted{},
		Result: Result{Drift: []Value{}, Unknown: []Value{}, Excepted: []Value{}, Idle: []string{}}}
	for i := range s.Wanted {
		w := &s.Wanted[i]
		used := make([]bool, len(w.Except))
		met := false
		for _, h := range hosts.Hosts {
			for _, e := range g.Of(h.Name) {
				meant, why := s.means(w, e)
				if !meant {
					continue
				}
				met = true
				err := j.judge(w, e, why, used)
				if err != nil {
					return nil, err
				}
			}
		}
		j.idle(w, used, met)
	}
	for _, list := range [][]Value{j.Drift, j.Unknown, j.Excepted} {
		slices.SortStableFunc(list, func(a, b Value) int { return cmp.Or(a.Ref().Compare(b.Ref()), cmp.Compare(a.Attr, b.Attr)) })
	}
	return &j.Result, nil
}

type claim struct {
	at   model.Ref
	attr string
}

type judgement struct {
	Result

	site    *Site
	now     time.Time
	claimed map[claim]*Wanted // which entry wants a value of an attribute
}

// means says whether an element is one that an entry means: a free port, or an interface that is down without an address,
// is not. Why says what is not known of it: then it may be.
func (s *Site) means(w *Wanted, e *graph.Element) (meant bool, why string) {
	of := w.Of
	level := e.Of.Level
	if e.Of.Platform == model.VIOS {
		level = e.Of.IOSLevel
	}
	switch {
	case e.Kind != of.Kind, !e.Used(), of.Platform != "" && e.Platform != of.Platform, of.At != "" && !matches(of.At, e.Ref().String()):
		return false, ""
	case of.Role != "" && !slices.ContainsFunc(s.Roles[of.Role], func(p string) bool { return matches(p, e.Host) }):
		return false, ""
	case of.Level != "" && level == "":
		return true, "the level of the host was not read"
	case of.Level != "" && !matches(of.Level, level):
		return false, ""
	}
	if of.VLAN != 0 {
		vlans := vlansOf(e)
		if len(vlans) == 0 {
			return true, "its VLANs were not read"
		}
		if !slices.Contains(vlans, of.VLAN) {
			return false, ""
		}
	}
	if of.SpeedMb != 0 {
		speed := speedOf(e)
		if speed == nil {
			return true, "the speed of its port was not read"
		}
		return *speed == of.SpeedMb, ""
	}
	return true, ""
}

// matches holds a shell's pattern against a text. A pattern that is broken was refused when the file was read.
func matches(pattern, text string) bool {
	ok, _ := path.Match(pattern, text)
	return ok
}

// below are an element and what it uses, down to its ports.
func below(e *graph.Element) []*graph.Element { return append([]*graph.Element{e}, e.Below()...) }

// vlansOf are the VLANs of the element's traffic; none: not known.
func vlansOf(e *graph.Element) []int {
	if tag := graph.Tag(e); tag != nil {
		return []int{*tag}
	}
	var all []int
	for _, x := range below(e) {
		if x.Is.PVID != nil {
			all = append(all, *x.Is.PVID)
		}
		all = append(all, x.Is.VLANs...)
	}
	return all
}

// speedOf is the speed of the first port below an element, in Mbit/s; nil: not known.
func speedOf(e *graph.Element) *int64 {
	for _, x := range below(e) {
		if x.Is.SpeedMb != nil {
			return x.Is.SpeedMb
		}
	}
	return nil
}

func (j *judgement) judge(w *Wanted, e *graph.Element, why string, used []bool) error {
	for _, attr := range slices.Sorted(maps.Keys(w.Values)) {
		c := claim{e.Ref(), attr}
		if other := j.claimed[c]; other != nil && !expr.Alike(other.Values[attr], w.Values[attr]) {
			return fmt.Errorf("site: %s: %s and %s want different values of %s at %s: narrow one of them",
				j.site.file, other.Name, w.Name, attr, e.Ref())
		}
		j.claimed[c] = w
		a := e.Is.Attrs[attr]
		v := Value{Host: e.Host, Element: e.Name, Attr: attr, Want: w.Values[attr], Entry: w.Name, Reason: w.Reason, Why: why}
		if a != nil {
			v.Running, v.NextBoot = a.Running, a.NextBoot
		}
		if v.Why == "" {
			v.Why = unread(v)
		}
		j.sort(v, w, used)
	}
	return nil
}

// unread says why a value cannot be judged; empty: it can.
func unread(v Value) string {
	switch {
	case v.Running != nil:
		return ""
	case v.NextBoot == nil:
		return "it was not read"
	case *v.NextBoot == "":
		return "what runs was not read, and the ODM leaves it empty"
	}
	return ""
}

// sort puts a value where it belongs.
func (j *judgement) sort(v Value, w *Wanted, used []bool) {
	// What the ODM leaves empty takes its value from elsewhere: the running value tells.
	atBoot := v.NextBoot != nil && *v.NextBoot != ""
	differs := v.Running != nil && !expr.Alike(*v.Running, v.Want) || atBoot && !expr.Alike(*v.NextBoot, v.Want)
	switch {
	case v.Running == nil && !atBoot:
		j.Unknown = append(j.Unknown, v)
		return
	case !differs:
		j.Held++
		return
	case v.Why != "":
		j.Unknown = append(j.Unknown, v)
		return
	}
	for i := range w.Except {
		x := &w.Except[i]
		last, err := x.last()
		if !matches(x.At, v.Ref().String()) {
			continue
		}
		used[i] = true
		if err == nil && j.now.Before(last) {
			v.Reason, v.Until = x.Reason, x.Until
			j.Excepted = append(j.Excepted, v)
			return
		}
	}
	j.Drift = append(j.Drift, v)
}

// idle names what of an entry has no effect.
func (j *judgement) idle(w *Wanted, used []bool, met bool) {
	if !met {
		j.Idle = append(j.Idle, w.Name+": no element of these hosts is meant")
	}
	for i, x := range w.Except {
		last, _ := x.last()
		switch {
		case !used[i] && met:
			j.Idle = append(j.Idle, fmt.Sprintf("%s: the exception at %s is not needed: nothing there differs", w.Name, x.At))
		case used[i] && !j.now.Before(last):
			j.Idle = append(j.Idle, fmt.Sprintf("%s: the exception at %s ended on %s", w.Name, x.At, x.Until))
		}
	}
}
