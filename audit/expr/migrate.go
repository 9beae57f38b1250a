package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Expressions of rules were once written in another language. A site that has
// such rules is shown the new form of what it wrote.
var (
	literal  = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	oldWords = regexp.MustCompile(`(#)|\b(and|or|not)\b|(\.?\w+)\(`)
)

// oldForms are the names that have changed.
var oldForms = map[string]string{
	"and": "a && b", "or": "a || b", "not": "!a", "#": "a variable: list.exists(x, x.speed > 1000)",
	"any": "list.exists(x, …)", "all": "list.all(x, …)", "none": "!list.exists(x, …)", "filter": "list.filter(x, …)",
	"map": "list.map(x, …)", "one_of": `a in ["…", "…"]`, "concat": "a + b", "len": "list.size()", "max": "math.greatest(…)",
	"min": "math.least(…)", "bitand": "math.bitAnd(a, b)", "has": "el.known(…)", "changed": "el.attr(…) != el.default(…)",
	"third": "el.nums(…)[2]", "measured": "el.fact(…)", "given": "el.has_fact(…)", "fixed": "el.installed(…)",
	"counted": "el.has_counter(…)", "proto": "el.protocol(…)", "sendspace": `el.effective("tcp_sendspace")`,
	"recvspace": `el.effective("tcp_recvspace")`, "scaling": `el.effective("rfc1323")`, "controls": "el.has_control_pool",
	"below": "el.effective(…) < n", "deltas": "el.counters_grow", "differs": "el.largesend_differs",
	"mixed": `"linux" in el.machine_platforms`, "partition": "el.entitled or el.virtual_cpus", "state": "el.ha_state",
	"bridging": "el.bridge_mode", "flow": "el.flow_control", "trunk": "el.is_trunk", "starved": "el.pool(…).exhausted",
	"grown": "el.pool(…).highest > el.pool(…).min", "roomier": "el.pool(…).raised_max", "topped": "el.pool(…).at_max",
	"low": "p.lowest", "high": "p.highest", "least": "p.min", "most": "p.max", "over": "el.above", "options": "el.tunables",
	"named": "el.element(…)", "virtuals": "el.virtual_adapters", "seen": "el.joined_clients", "loose": "el.unmatched_clients",
	"unread": "el.unread_clients", "mates": "el.partners", "bridged": "el.bridged_vlans", "twice": "el.duplicate_vlans",
	"torn": "el.split_brain", "alone": "el.has_no_peer", "private": "el.internal_only", "twins": "el.duplicates",
	"within": "el.peer_within", "agreed": "el.mtu_agreed",
}

// newForm shows the new form of what an expression of the old language holds;
// empty if there is nothing of it.
func newForm(source string) string {
	var hints []string
	for _, m := range oldWords.FindAllStringSubmatch(literal.ReplaceAllString(source, `""`), -1) {
		word := m[1] + m[2] + m[3] // a method, .name(, is in the new form
		now := oldForms[word]
		if _, ok := functions[word]; ok {
			now = "el." + word + "(…)"
		} else if _, ok := properties["element"][word]; ok {
			now = "el." + word
		}
		if hint := fmt.Sprintf("%s is now %s", word, now); now != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	return strings.Join(hints, "; ")
}
