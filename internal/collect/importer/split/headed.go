package split

import (
	"context"
	"strings"
	"time"

	"seaworthy/internal/parse"
)

// headLine is a line of the block with which scripts head an output:
// "Host      : lpar1", "Timestamp : 2026-09-17 16:17:49".
var headLine = parse.Lazy(`^[#*= \t]*(?i:(host|hostname|node|server|lpar|rechner|knoten|serveur|h[oô]te|n[oœ]e?ud)|` +
	`(timestamp|date|time|taken|collected|datum|zeit|heure)|(command|cmd|befehl|kommando|commande)|` +
	`purpose|title|description|user|os)[ \t]*:[ \t]+(\S.*?)[ \t]*[*#=]*$`)

// layouts are the forms of times in headings, in outputs of date and in reports.
var layouts = []string{
	time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05 MST", "2006-01-02 15:04", "2006/01/02 15:04:05",
	"20060102-150405", "20060102_150405", "20060102150405", "Mon Jan _2 15:04:05 MST 2006", "Mon _2 Jan 2006 15:04:05 MST",
	"Mon Jan _2 15:04:05 2006", "_2 Jan 2006 15:04:05", "02.01.2006 15:04:05", "2006-01-02",
}

// headingAt reads the block that begins at a line, with the rulers around it; false if
// none does. It needs two lines of different kinds, or one between rulers, and a host or
// a time among them: "Host: x" alone may be an output's.
func headingAt(lines []string, i int) (h mark, ok bool) {
	h.from = i
	ruled := isRuler(body(lines[i]))
	if ruled {
		i++
	}
	kinds := map[string]bool{}
	for ; i < len(lines); i++ {
		m := headLine.FindStringSubmatch(body(lines[i]))
		if m == nil {
			break
		}
		kinds[strings.ToLower(strings.TrimLeft(strings.SplitN(m[0], ":", 2)[0], "#*= \t"))] = true
		host, _, _ := strings.Cut(m[4], "  ") // "Host: lpar7  User: root"
		switch value := m[4]; {
		case m[1] != "" && alone.MatchString(host):
			h.Host, h.HostFrom = host, "heading"
		case m[2] != "":
			h.Time = Time(value)
			if h.Time.IsZero() {
				return h, false
			}
		case m[3] != "":
			h.Title = value
		}
	}
	below := i < len(lines) && isRuler(body(lines[i]))
	if below {
		i++
	}
	h.to = i
	if typed(h.Title) {
		h.Command = h.Title
	}
	return h, (h.Host != "" || !h.Time.IsZero()) && (len(kinds) > 1 || ruled && below)
}

// headed takes apart a text whose outputs have a block above them that names
// host, time or command. What a block does not say, the one before does.
func headed(ctx context.Context, lines []string, name string) *Cut {
	var heads []mark
	for i := 0; i < len(lines); i++ {
		if !strings.Contains(lines[i], ":") && !isRuler(body(lines[i])) {
			continue
		}
		h, ok := headingAt(lines, i)
		if !ok {
			continue
		}
		i = h.to - 1
		if len(heads) > 0 {
			before := heads[len(heads)-1]
			if h.Host == "" {
				h.Host, h.HostFrom = before.Host, before.HostFrom
			}
			if h.Time.IsZero() {
				h.Time = before.Time
			}
		}
		heads = append(heads, h)
	}
	if len(heads) == 0 || len(heads) > maxPieces {
		return nil
	}
	c := &Cut{Form: Headings, Pieces: inner(ctx, between(lines, heads...), name)}
	for i := range c.Pieces {
		c.Pieces[i].Sole = c.Pieces[i].Sole && len(heads) == 1
	}
	return c
}
