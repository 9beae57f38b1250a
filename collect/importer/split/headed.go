package split

import (
	"cmp"
	"context"
	"strings"
	"time"

	"seaworthy/dialect"
)

// headLine is a line of the block with which scripts head an output:
// "Host      : lpar1", "Timestamp : 2026-09-17 16:17:49".
var headLine = dialect.Lazy(`^[#*= \t]*(?i:(host|hostname|node|server|lpar)|(timestamp|date|time|taken|collected)|(command|cmd)|` +
	`purpose|title|description|user|os)[ \t]*:[ \t]+(\S.*?)[ \t]*[*#=]*$`)

// layouts are the forms of times in headings, in outputs of date and in reports.
var layouts = []string{
	time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05 MST", "2006-01-02 15:04", "2006/01/02 15:04:05",
	"20060102-150405", "20060102_150405", "20060102150405", "Mon Jan _2 15:04:05 MST 2006", "Mon _2 Jan 2006 15:04:05 MST",
	"Mon Jan _2 15:04:05 2006", "_2 Jan 2006 15:04:05", "02.01.2006 15:04:05", "2006-01-02",
}

// heading is one such block.
type heading struct {
	from, to      int // its lines, with the rulers around it
	host, command string
	when          time.Time
}

// headingAt reads the block that begins at a line; false if none does. It needs
// two lines of different kinds, or one between rulers, and a host, a time or a
// command among them: "Host: x" alone may be an output's.
func headingAt(lines []string, i int) (h heading, ok bool) {
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
		switch value := m[4]; {
		case m[1] != "" && alone.MatchString(value):
			h.host = value
		case m[2] != "":
			if h.when = Time(value); h.when.IsZero() {
				return h, false
			}
		case m[3] != "":
			h.command = value
		}
	}
	below := i < len(lines) && isRuler(body(lines[i]))
	if below {
		i++
	}
	h.to = i
	said := h.host != "" || !h.when.IsZero()
	return h, said && (len(kinds) > 1 || ruled && below)
}

// headed takes apart a text whose outputs have a block above them that names
// host, time or command. What a block does not say, the one before does.
func headed(ctx context.Context, lines []string, name string) *Cut {
	var heads []heading
	for i := 0; i < len(lines); i++ {
		if !strings.Contains(lines[i], ":") && !isRuler(body(lines[i])) {
			continue
		}
		if h, ok := headingAt(lines, i); ok {
			heads = append(heads, h)
			i = h.to - 1
		}
	}
	if len(heads) == 0 || len(heads) > maxPieces {
		return nil
	}
	c := &Cut{Form: Headings}
	add := func(h heading, from, to int) {
		text := strings.Join(lines[from:to], "")
		if strings.TrimSpace(text) == "" {
			return
		}
		inner := parted(ctx, []byte(text), lines[from:to], name)
		for _, p := range inner.Pieces {
			p.Line, p.Time = p.Line+from, h.when
			if p.Command == "" && typed(h.command) {
				p.Command = h.command
			}
			p.Title = cmp.Or(p.Title, h.command)
			if p.Host == "" && h.host != "" {
				p.Host, p.HostFrom = h.host, "heading"
			}
			p.Sole = inner.Form == Whole && len(heads) == 1
			c.Pieces = append(c.Pieces, p)
		}
	}
	add(heading{}, 0, heads[0].from)
	for k, h := range heads {
		to := len(lines)
		if k+1 < len(heads) {
			to = heads[k+1].from
			heads[k+1].host = cmp.Or(heads[k+1].host, h.host)
			if heads[k+1].when.IsZero() {
				heads[k+1].when = h.when
			}
		}
		add(h, h.to, to)
	}
	if len(c.Pieces) == 0 || len(c.Pieces) > maxPieces {
		return nil
	}
	return c
}
