// Package livetree lays out the tree of running hosts as rows of text, for terminals and
// pages.
package livetree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/ui/report/quote"
)

// Row is one line of the tree: a managed system, a host on it, or an element.
type Row struct {
	Depth   int
	Key     string // names the row from one frame to the next: "=SYSTEM", "/HOST", "/HOST:ELEMENT/BELOW"
	System  *live.System
	Host    *live.Host    // nil: the row is the system's
	Element *live.Element // nil: the row is the host's or the system's
}

// Rows returns all lines of a frame in order.
func Rows(f *live.Frame) []Row {
	var out []Row
	for _, s := range f.Systems {
		out = append(out, Row{Key: "=" + s.Name, System: s})
		for _, h := range s.Hosts {
			out = append(out, Row{Depth: 1, Key: "/" + h.Name, System: s, Host: h})
			for _, e := range h.Elements {
				out = below(out, Row{Depth: 2, Key: "/" + h.Name + ":" + e.Name, System: s, Host: h, Element: e})
			}
		}
	}
	return out
}

func below(out []Row, r Row) []Row {
	out = append(out, r)
	for _, e := range r.Element.Below {
		out = below(out, Row{Depth: r.Depth + 1, Key: r.Key + "/" + e.Name, System: r.System, Host: r.Host, Element: e})
	}
	return out
}

// Parent reports whether rows are below it.
func (r Row) Parent() bool {
	switch {
	case r.Element != nil:
		return len(r.Element.Below) > 0
	case r.Host != nil:
		return len(r.Host.Elements) > 0
	}
	return len(r.System.Hosts) > 0
}

// Name is the row's own name, safe for a terminal.
func (r Row) Name() string {
	switch {
	case r.Element != nil:
		return quote.Plain(strings.TrimSpace(r.Element.Name + " " + graph.ShortKind(r.Element.Kind, r.Element.Role)))
	case r.Host != nil:
		return quote.Plain(strings.TrimSpace(r.Host.Name + " " + r.Host.Platform))
	case r.System.Name == "":
		return "managed system unknown"
	}
	return quote.Plain(r.System.Name)
}

// Note returns what else there is to say of the row, safe for a terminal.
func (r Row) Note() string {
	switch {
	case r.Element != nil:
		return quote.Plain(strings.Join(elementNotes(r.Element), "  "))
	case r.Host != nil:
		return quote.Plain(strings.Join(hostNotes(r.Host), "  "))
	}
	return ""
}

func hostNotes(h *live.Host) []string {
	switch h.State {
	case live.Waiting:
		return []string{"reading…"}
	case live.Away, live.Refused:
		again := "trying again"
		if h.State == live.Refused {
			again = "not tried again"
		}
		return []string{fmt.Sprintf("AWAY since %s, %s: %s", h.Since.Local().Format("15:04:05"), again, h.Why)}
	}
	var out []string
	cores := "cores ?"
	if h.Cores != nil {
		cores = fmt.Sprintf("cores %.2f", *h.Cores)
	}
	if h.Entitled != nil {
		cores += fmt.Sprintf(" of %.2f", *h.Entitled)
	}
	if h.PeakCores != nil {
		cores += fmt.Sprintf(" (peak %.2f)", *h.PeakCores)
	}
	out = append(out, cores)
	if h.Retransmits != nil {
		out = append(out, "retransmits "+Number(*h.Retransmits)+"/s")
	}
	if len(h.Hung) > 0 {
		out = append(out, "not asked again, as it hung: "+strings.Join(h.Hung, ", "))
	}
	if h.Unread > 0 {
		out = append(out, fmt.Sprintf("%d commands failed", h.Unread))
	}
	return out
}

func elementNotes(e *live.Element) []string {
	var out []string
	add := func(text string) {
		if text != "" {
			out = append(out, text)
		}
	}
	if len(e.Bridging) > 0 {
		add("active VLAN " + numbers(e.Bridging))
	}
	if len(e.Standby) > 0 {
		add("standby VLAN " + numbers(e.Standby))
	}
	if e.LinkUp != nil && !*e.LinkUp {
		add("no link")
	}
	if e.Reset {
		add("counters reset")
	}
	if len(e.Via) > 0 {
		add("via " + strings.Join(e.Via, " "))
	}
	for _, i := range e.Interfaces {
		add(i)
	}
	return out
}

func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ",")
}

// figures are the rates of a row's element, or their peaks.
func (r Row) figures(peaks bool) live.Rates {
	if peaks {
		return r.Element.Peaks
	}
	return r.Element.Rates
}

// Cells are a row's rates, or peaks, in the order of Metrics: bytes as KB
// (1000 bytes). "-" is not known; a row without counters has none.
func (r Row) Cells(peaks bool) []string {
	if r.Element == nil {
		return nil
	}
	of := r.figures(peaks)
	var out []string
	for _, m := range live.Metrics() {
		v, ok := of[m]
		if m == live.InBytes || m == live.OutBytes {
			v /= 1000
		}
		if ok {
			out = append(out, Number(v))
		} else {
			out = append(out, "-")
		}
	}
	return out
}

// Unit is what the bytes of a row are shown in.
type Unit int

// Units of bytes.
const (
	Kilobytes Unit = iota // KB a second, of 1000 bytes
	Megabits              // Mbit/s
	OfLine                // percent of the line's rate, where the adapter says it
)

// String is the unit as a column's head has it.
func (u Unit) String() string {
	switch u {
	case Megabits:
		return "Mb"
	case OfLine:
		return "%"
	}
	return "KB"
}

// Next is the unit after it, round and round.
func (u Unit) Next() Unit { return (u + 1) % (OfLine + 1) }

// Bytes are a row's bytes in and out a second, or their peaks, in a unit. "-" is not known.
func (r Row) Bytes(peaks bool, unit Unit) []string {
	if r.Element == nil {
		return nil
	}
	of := r.figures(peaks)
	var out []string
	for _, m := range []live.Metric{live.InBytes, live.OutBytes} {
		v, known := of[m]
		known = known && (unit != OfLine || r.Element.SpeedMbit > 0)
		switch {
		case !known:
			out = append(out, "-")
		case unit == Megabits:
			out = append(out, Number(v*8/1e6))
		case unit == OfLine:
			out = append(out, Number(v*8/1e4/float64(r.Element.SpeedMbit)))
		default:
			out = append(out, Number(v/1000))
		}
	}
	return out
}

// Lost are a row's drops and misses a second, or the sum of their peaks. "-" is not known.
func (r Row) Lost(peaks bool) string {
	if r.Element == nil {
		return ""
	}
	of := r.figures(peaks)
	drops, known := of[live.Drops]
	misses, counted := of[live.Misses]
	if !known && !counted {
		return "-"
	}
	return Number(drops + misses)
}

// Order is by what the hosts of a system, and the elements of a host, are sorted.
type Order int

// Orders of rows.
const (
	ByName    Order = iota // as they were read
	ByTraffic              // most bytes in and out first
	ByLoss                 // most drops and misses first
)

// String is the order in a word.
func (o Order) String() string {
	switch o {
	case ByTraffic:
		return "traffic"
	case ByLoss:
		return "loss"
	}
	return "name"
}

// Next is the order after it, round and round.
func (o Order) Next() Order { return (o + 1) % (ByLoss + 1) }

// Sorted is a frame with hosts and elements in an order.
func Sorted(f *live.Frame, by Order) *live.Frame {
	if f == nil || by == ByName {
		return f
	}
	out := *f
	out.Systems = nil
	for _, s := range f.Systems {
		system := *s
		system.Hosts = nil
		for _, h := range s.Hosts {
			host := *h
			host.Elements = sortedElements(h.Elements, by)
			system.Hosts = append(system.Hosts, &host)
		}
		slices.SortStableFunc(system.Hosts, func(a, b *live.Host) int { return cmp.Compare(most(b.Elements, by), most(a.Elements, by)) })
		out.Systems = append(out.Systems, &system)
	}
	return &out
}

func sortedElements(all []*live.Element, by Order) []*live.Element {
	var out []*live.Element
	for _, e := range all {
		element := *e
		element.Below = sortedElements(e.Below, by)
		out = append(out, &element)
	}
	slices.SortStableFunc(out, func(a, b *live.Element) int {
		return cmp.Compare(most([]*live.Element{b}, by), most([]*live.Element{a}, by))
	})
	return out
}

// most is the highest rate, of what an order goes by, of elements and those below them.
func most(all []*live.Element, by Order) float64 {
	highest := 0.0
	for _, e := range all {
		rate := e.Rates[live.InBytes] + e.Rates[live.OutBytes]
		if by == ByLoss {
			rate = e.Rates[live.Drops] + e.Rates[live.Misses]
		}
		highest = max(highest, rate, most(e.Below, by))
	}
	return highest
}

// Number writes a rate in at most seven columns.
func Number(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 9.95:
		return fmt.Sprintf("%.1f", v)
	case v < 9_999_999.5:
		return fmt.Sprintf("%.0f", v)
	case v < 99_999.5e6:
		return fmt.Sprintf("%.0fM", v/1e6)
	}
	return fmt.Sprintf("%.0fG", v/1e9)
}

// Matches reports whether a row, or one above it, has a text in its host's,
// element's or system's name, or in its note; with ! in front, whether not.
func (r Row) Matches(filter string) bool {
	want, not := strings.CutPrefix(filter, "!")
	if want == "" {
		return true
	}
	texts := []string{r.System.Name}
	if r.Host != nil {
		texts = append(texts, r.Host.Name, r.Host.Platform)
	}
	if r.Element != nil {
		texts = append(texts, r.Key, r.Name())
	}
	texts = append(texts, r.Note())
	found := slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(want)) })
	return found != not
}
