package split

// Lines that dsh, clush or pdsh printed: each begins with its host's name.

import (
	"context"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
)

// before is the host that dsh, clush, pdsh -w or parallel --tag puts before each line.
var before = parse.Lazy(`^([A-Za-z0-9][\w.-]{0,254})(?::(?: |\t|\r?\n)|\t)`)

// prefixed takes apart the lines of several hosts that each begin with their
// host's name. An output whose lines happen to begin with words and colons is
// none: what is left behind the names must be one that is known.
func prefixed(ctx context.Context, lines []string, hint detect.Hint) []Piece {
	asked := strings.FieldsFunc(hint.Command, func(c rune) bool { return c == ' ' || c == ',' })
	whole := lines
	lines, above := betweenWords(whole)
	all, distinct := 0, map[string]int{}
	for _, l := range lines {
		b := body(l)
		if b == "" {
			continue
		}
		all++
		bare := strings.TrimRight(l, "\r\n") + " " // a blank line of an output is the host and a tab
		host := before.FindStringSubmatch(bare)
		if host != nil && (bare[len(host[1]):][:1] == ":" || hostLike(host[1]) || slices.Contains(asked, host[1])) {
			distinct[host[1]]++
		}
	}
	named := 0
	for host, n := range distinct {
		number := strings.Trim(host, "0123456789") == "" // of a device in ip's lists
		message := detect.ParseCommand(host).ID != "" || detect.NamesProgram(host) && !hostLike(host) || shells[host]
		if number || message || caption[strings.ToLower(host)] {
			delete(distinct, host)
			continue
		}
		named += n
	}
	if named == 0 || named*20 < all*19 || len(distinct) > maxPieces {
		return nil
	}
	var list []Piece
	index := map[string]int{}
	for i, l := range lines {
		m := before.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if _, ok := distinct[m[1]]; !ok {
			continue
		}
		at, seen := index[m[1]]
		if !seen {
			at = len(list)
			index[m[1]] = at
			list = append(list, Piece{Host: m[1], HostFrom: "name before each line", Line: above + i + 1})
		}
		rest := l[len(m[0]):]
		if end := m[0][len(m[0])-1]; end != ' ' && len(m[0]) > len(m[1])+1 {
			rest = string(end) + rest // a tab is the output's, and so is the line's end
		}
		list[at].Text = append(list[at].Text, rest...)
	}
	if !known(ctx, list, hint) {
		return nil
	}
	return withWords(list, whole, above, above+len(lines))
}

// withWords are pieces with the notes above and below the lines from which they were taken.
func withWords(list []Piece, lines []string, from, to int) []Piece {
	if from > 0 {
		list = slices.Insert(list, 0, Piece{Note: true, Text: []byte(strings.Join(lines[:from], "")), Line: 1})
	}
	if to < len(lines) {
		list = append(list, Piece{Note: true, Text: []byte(strings.Join(lines[to:], "")), Line: to + 1})
	}
	return list
}

// leastPrefixed is how many lines with a host's name before them must follow each other between words of people.
const leastPrefixed = 3

// betweenWords are the lines of a text from the first to the last with the same hosts before them as the lines beside it, and how many
// stand above those: people write a sentence above and below what dsh printed. All lines, if those are few.
func betweenWords(lines []string) (middle []string, above int) {
	words := make([]string, len(lines)) // before each line
	times := map[string]int{}
	for i, l := range lines {
		m := before.FindStringSubmatch(l)
		if m != nil {
			words[i] = m[1]
			times[m[1]]++
		}
	}
	first, last := -1, -1
	for i, w := range words {
		if times[w] < 2 || !hostLike(w) {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	for first > 0 && times[words[first-1]] > 1 {
		first--
	}
	for last >= 0 && last+1 < len(lines) && times[words[last+1]] > 1 {
		last++
	}
	if last-first+1 < leastPrefixed || !areWords(lines[:first]) || !areWords(lines[last+1:]) {
		return lines, 0
	}
	return lines[first : last+1], first
}

// areWords reports whether lines are blank, or what people write.
func areWords(lines []string) bool {
	filled := slices.ContainsFunc(lines, func(l string) bool { return body(l) != "" })
	return !filled || isNote(lines)
}
