// Package livetree lays out the tree of running hosts as rows of text, for terminals and
// pages.
package livetree

import (
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
		add("active " + numbers(e.Bridging))
	}
	if len(e.Standby) > 0 {
		add("standby " + numbers(e.Standby))
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

// Cells are a row's rates, or peaks, in the order of Metrics: bytes as KB
// (1000 bytes). "-" is not known; a row without counters has none.
func (r Row) Cells(peaks bool) []string {
	if r.Element == nil {
		return nil
	}
	of := r.Element.Rates
	if peaks {
		of = r.Element.Peaks
	}
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
