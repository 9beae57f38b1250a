package linewise

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// RouteEntry is the output of route get of AIX: one route, with what TCP has learnt on it.
type RouteEntry struct {
	parse.Report
	To        string  `json:"to"`
	Gateway   string  `json:"gateway,omitempty"`
	Interface string  `json:"interface,omitempty"`
	RTT       *uint64 `json:"rtt_ms,omitempty"`    // round-trip time in ms; 0: not learnt
	RTTVar    *uint64 `json:"rttvar_ms,omitempty"` // its variation
	MTU       *uint64 `json:"mtu,omitempty"`       // 0: that of the interface
	Line      int     `json:"-"`                   // 1-based, of the numbers
}

var (
	routeField   = parse.Lazy(`^\s*(route to|destination|mask|gateway|interface|interf addr|flags):\s*(.*?)\s*$`)
	routeColumns = parse.Lazy(`^\s*recvpipe\s+sendpipe\s+ssthresh\s+rtt`)
	routeEcho    = parse.Lazy(`^\s*[$#]\s*route\b.*$`)
)

var routeOutput = &output[RouteEntry]{
	name:       "route-get",
	ignored:    routeEcho,
	reader:     readRoute,
	recognised: func(r *RouteEntry) bool { return r.To != "" },
	message:    true,
}

func readRoute(*RouteEntry) line[RouteEntry] {
	var columns []string
	return func(r *RouteEntry, l parse.Line) bool {
		if f := routeField.FindStringSubmatch(l.Text); f != nil {
			switch f[1] {
			case "route to":
				r.To = f[2]
			case "gateway":
				r.Gateway = f[2]
			case "interface":
				r.Interface = f[2]
			}
			return true
		}
		words := strings.Fields(l.Text)
		switch {
		case routeColumns.MatchString(l.Text):
			columns = words
			return true
		case columns != nil && len(words) == len(columns):
			r.RTT, r.RTTVar, r.MTU = column(columns, words, "rtt,msec"), column(columns, words, "rttvar"), column(columns, words, "mtu")
			r.Line = l.Number
			columns = nil
			return true
		}
		return false
	}
}

// column is the number below a heading; nil if there is none.
func column(columns, words []string, name string) *uint64 {
	i := slices.Index(columns, name)
	if i < 0 {
		return nil
	}
	n, ok := parse.Count(words[i])
	if !ok {
		return nil
	}
	return &n
}

// ParseRouteGet reads route get; parse.ErrNotRecognised if it does not say to where.
func ParseRouteGet(text []byte) (*RouteEntry, error) { return routeOutput.parse(text) }
