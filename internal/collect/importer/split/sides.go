package split

import (
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

const (
	// place are words before the name of a host in a heading of people: "On the", "Output from", "Ausgabe von", "Côté".
	place = `(?:(?:(?:here is|this is|and)[ \t]+)?(?:(?:outputs?|results?|logs?|ausgaben?|ergebnis|sorties?|r[ée]sultats?)[ \t]+)?` +
		`(?:on|from|of|at|auf|von|vom|aus|bei|beim|sur|de|du|depuis|c[oô]t[ée])[ \t]+)`
	article = `(?:(?:the|our|my|dem|der|den|die|das|le|la|les|l['’])[ \t]*)`
	machine = `(?:hosts?|nodes?|servers?|machines?|systems?|boxe?s?|lpars?|` +
		`vios|vm|partitions?|rechner|knoten|serveur|h[oô]te|machine|n[oœ]e?ud)`
	role = `(?:clients?|servers?|senders?|receivers?|sources?|targets?|destinations?|initiators?|empf[äa]e?nger|quelle|ziel|klient|` +
		`serveur|[ée]metteur|r[ée]cepteur|exp[ée]diteur|destinataire)`
	// machineRole is what a machine is to the others, or the system that it runs.
	machineRole = `(?:aix|linux|vios|hosts?|guests?|vms?|hypervisors?|masters?|slaves?|primary|secondary|standby|controllers?|workers?)`
	// oneMachine is a word for one machine or its side.
	oneMachine = `(?:host|node|server|machine|system|box|lpar|vios|vm|partition|rechner|knoten|serveur|h[oô]te|n[oœ]e?ud|side|end|seite)`
	behind     = `(?:[ \t]*(?:-?[ \t]*side|-?[ \t]*seite|end|hosts?|nodes?|machine|lpar|vios|partition|system|vm|` +
		`outputs?|ausgabe|says?|shows?|prints?|zeigt|meldet|affiche))`
)

var (
	// sideLine is a heading in which people say of which host the outputs below are: "On the client:", "## server A", "vios1 output:".
	sideLine = parse.Lazy(`^(?i:([ \t]*(?:[#*=_>~+-]+[ \t]*|\d[.)][ \t]+)?)(` + place + `)?` + article + `?(?:` +
		`(` + role + `|` + machineRole + `)|(` + machine + `)[ \t]+([A-Za-z0-9][\w.-]*)|([A-Za-z][\w-]*\d[\w.-]*))(` + behind + `)?` +
		`([ \t]*:?[ \t]*[:#*=_<~+-]*))$`)
	// countedSide is such a heading that counts the hosts: "First server:", "# 2nd minion node".
	countedSide = parse.Lazy(`^(?i:[ \t]*([#*=_>~+-]+[ \t]*)?(?:` + place + `)?` + article + `?` +
		`((?:1st|2nd|3rd|4th|first|second|third|fourth|ersten?r?|zweiten?r?|dritten?r?|premi[eè]re?|deuxi[eè]me|primer|segund[oa])` +
		`(?:[ \t]+[a-z]+)?[ \t]+` + machine + `)[ \t]*([:#*=_<~+-]*))$`)
	// qualifiedSide is such a heading that says which of the hosts it is: "- Bastion host", "On the other node:",
	// "Linux box (192.0.2.1) shows:".
	qualifiedSide = parse.Lazy(`^(?i:[ \t]*([#*=_>~+-]+[ \t]*|\d[.)][ \t]+)?(` + place + `)?` + article + `?([A-Za-z][\w-]{1,20}[ \t]+` +
		oneMachine + `)(?:[ \t]*\([^()]{1,60}\))?(` + behind + `)?[ \t]*([:#*=_<~+-]*))$`)
	// noQualifier are words before such a word that say nothing of which host it is.
	noQualifier = parse.Lazy(`(?i)^(?:same|this|that|each|every|all|any|no|both|file|operating|whole|some|which|virtual|boot|init|log|disk|` +
		`name|dns|ntp|dhcp|default|per|per-|your|their|his|her|one|front|back|rear|x|a|an)[ \t]`)
	// otherSide is the only host that a heading names where another one's outputs stand above it.
	otherSide = parse.Lazy(`^(?:other|second|2nd|peer|remote|partner|opposite|zweite[rn]?|andere[rn]?|autre|otro)-`)
	// looseSide is such a heading with a name that has no number in it.
	looseSide = parse.Lazy(`^(?i:(?:[ \t]*(?:[#*=_>~+-]+[ \t]*|\d[.)][ \t]+)?)` + place + article +
		`?(?:` + machine + `[ \t]+)?([A-Za-z][\w.-]{2,})[ \t]*:)$`)
	fence = parse.Lazy("^[ \t]*(?:```|~~~|\\{code|\\{noformat|<pre|</pre)")
)

// longestSide bounds headings of people, in bytes.
const longestSide = 80

// sideOf is the host that a heading of people names: client, server-a, vios1. Empty if the line is none.
func sideOf(lines []string, i int) string {
	b := body(lines[i])
	if len(b) > longestSide || !standsAlone(lines, i) { // the pattern is dear, and few lines stand alone
		return ""
	}
	counts := countedSide.FindStringSubmatch(b)
	if counts != nil && counts[1]+counts[3] != "" {
		return strings.Join(strings.Fields(strings.ToLower(counts[2])), "-")
	}
	m := sideLine.FindStringSubmatch(b)
	if m == nil {
		return qualifiedIn(b)
	}
	marked := m[1] != "" || strings.Trim(m[8], " \t") != ""
	low := strings.ToLower(m[3] + m[5] + m[6])
	switch {
	case !marked && m[2] == "" && m[7] == "":
		return ""
	case m[4] != "":
		low = strings.ToLower(m[4]) + "-" + low
		if len(m[5]) > 2 {
			low = strings.ToLower(m[5])
		}
	case m[6] != "" && (!hostLike(m[6]) || m[2] == "" && m[7] == ""):
		return ""
	}
	if m[3] == "" && detect.ParseCommand(low).ID != "" || caption[low] && m[3] == "" {
		return ""
	}
	return low
}

// qualifiedIn is the host that a heading names by what it is: bastion-host, other-node. Empty if the line is none.
func qualifiedIn(line string) string {
	m := qualifiedSide.FindStringSubmatch(line)
	if m == nil || noQualifier.MatchString(m[3]) || m[1]+m[2]+m[4]+m[5] == "" {
		return ""
	}
	return strings.Join(strings.Fields(strings.ToLower(m[3])), "-")
}

// standsAlone reports whether nothing stands directly above a line: it is the first, or below a blank line, a ruler or the mark of
// a block.
func standsAlone(lines []string, i int) bool {
	if i == 0 {
		return true
	}
	above := strings.TrimSpace(lines[i-1])
	return above == "" || isRuler(body(lines[i-1])) || strings.ContainsAny(above[:1], "`~{<") && fence.MatchString(lines[i-1])
}

// addSides adds the headings of people that name hosts, where they name several.
func addSides(heads map[int]mark, lines []string) {
	sides := map[int]string{}
	for i, l := range lines {
		if _, had := heads[i]; had || len(l) > longestSide+2 {
			continue
		}
		if side := sideOf(lines, i); side != "" {
			sides[i] = side
		}
	}
	addLooseSides(sides, lines)
	addFirstSide(heads, sides, lines)
	if len(slices.Compact(slices.Sorted(maps.Values(sides)))) < 2 {
		return
	}
	for i, side := range sides {
		heads[i] = mark{i, i + 1, Piece{Host: side, HostFrom: "heading"}}
	}
}

// addFirstSide names the host above the only heading that names one, where that is the other one.
func addFirstSide(heads map[int]mark, sides map[int]string, lines []string) {
	if len(heads) > 0 || len(sides) != 1 {
		return
	}
	for i, side := range sides {
		_, above := heads[0]
		if above || i == 0 || !otherSide.MatchString(side) || !slices.ContainsFunc(lines[:i], mayBegin) {
			continue
		}
		heads[0] = mark{0, 0, Piece{Host: "first-host", HostFrom: "heading"}}
		heads[i] = mark{i, i + 1, Piece{Host: side, HostFrom: "heading"}}
	}
}

// mayBegin reports whether an output may begin with a line or below it.
func mayBegin(line string) bool {
	b := body(line)
	return start(b) != nil || commandOf(b) != "" || isPrompt(b)
}

// addLooseSides adds headings with a name that has no number, where the same stands below them as below another one.
func addLooseSides(sides map[int]string, lines []string) {
	words := map[int]string{}
	for i, l := range lines {
		b := body(l)
		if len(b) > longestSide || sides[i] != "" || !standsAlone(lines, i) {
			continue
		}
		if m := looseSide.FindStringSubmatch(b); m != nil {
			words[i] = m[1]
		}
	}
	for _, i := range alikeBelow(lines, slices.Collect(maps.Keys(sides)), words) {
		sides[i] = strings.ToLower(words[i])
	}
}
