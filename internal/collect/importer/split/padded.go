package split

import (
	"context"
	"strings"

	"seaworthy/internal/collect/importer/detect"
)

// padded takes apart what knife ssh prints: before each line its host, filled with blanks to the width of the longest name.
// What is left behind the names must be an output that is known. Nil: a text is none.
func padded(ctx context.Context, lines []string, hint detect.Hint) []Piece {
	width := 0
	counted := map[string]int{}
	for _, l := range lines {
		host, _, _ := strings.Cut(body(l), " ")
		if host == "" {
			continue
		}
		if counted[host] == 0 && (!alone.MatchString(host) || !hostLike(host) || len(counted) > maxPieces) {
			return nil
		}
		counted[host]++
		width = max(width, len(host)+1)
	}
	filled := 0
	for _, n := range counted {
		filled += n
	}
	if filled < leastMarked || filled < 2*len(counted) && hint.Command == "" {
		return nil
	}
	var list []Piece
	index := map[string]int{}
	for i, l := range lines {
		host, _, _ := strings.Cut(body(l), " ")
		if host == "" {
			continue
		}
		front := l[:min(len(l), width)]
		if strings.TrimSpace(front) != host {
			return nil
		}
		at, seen := index[host]
		if !seen {
			at = len(list)
			index[host] = at
			list = append(list, Piece{Host: host, HostFrom: "name before each line", Line: i + 1})
		}
		rest := strings.TrimRight(l[len(front):], "\r\n") + "\n"
		list[at].Text = append(list[at].Text, rest...)
	}
	if !known(ctx, list, hint) {
		return nil
	}
	return list
}
