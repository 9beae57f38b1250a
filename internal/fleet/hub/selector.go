package hub

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/fleet/message"
)

// selector says which hosts a sweep asks: all conditions hold, and one of the names does.
type selector struct {
	conditions []condition
	names      []string // of hosts, with * and ?, or of groups; none: any
}

type condition struct{ key, value string }

// parseSelector reads the words of a sweep: KEY=PATTERN for zone, platform, group or a
// label, and names of hosts or groups.
func parseSelector(words []string) (s selector, err error) {
	for _, w := range words {
		key, value, is := strings.Cut(w, "=")
		pattern := w
		if is {
			pattern = value
			s.conditions = append(s.conditions, condition{key, value})
		} else {
			s.names = append(s.names, w)
		}
		_, err = path.Match(pattern, "")
		if err != nil || pattern == "" || is && key == "" {
			return s, fmt.Errorf("%.60q: expected a name of hosts such as db* or KEY=VALUE such as platform=vios", w)
		}
	}
	return s, nil
}

// has reports whether a host is one of those meant.
func (s selector) has(zone string, h message.Host) bool {
	for _, c := range s.conditions {
		var values []string
		switch c.key {
		case "zone":
			values = []string{zone}
		case "platform":
			values = []string{h.Platform}
		case "group":
			values = h.Groups
		default:
			label, ok := h.Labels[c.key]
			if ok {
				values = []string{label}
			}
		}
		if !slices.ContainsFunc(values, func(v string) bool { return matches(c.value, v) }) {
			return false
		}
	}
	return len(s.names) == 0 || slices.ContainsFunc(s.names, func(name string) bool {
		return matches(name, h.Name) || slices.Contains(h.Groups, name)
	})
}

func matches(pattern, text string) bool {
	match, err := path.Match(pattern, text)
	return match && err == nil
}
