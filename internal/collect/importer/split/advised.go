package split

import (
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// Replies and guides list settings that somebody should make. Lines of settings that no command printed, between words that advise, are
// none of a host's.

var (
	advises = parse.Lazy(`(?i)\b(?:should|ought to|recommend\w*|suggest\w*|advis\w+|propos\w+|best practices?|optimal|ideal(?:ly)?|` +
		`(?:another|an|one|the other) option|you (?:can|could|may|might|need|want)|try|please|consider|` +
		`(?:enable|add|set|put|use|apply|append|insert|change|increase|raise|tune|make)\s+(?:these|those|the following|this|it to|to)|` +
		`empf(?:oh|eh)l\w*|sollten?|recom(?:m?and|iend)\w*|conseil\w*)\b`)
	// owns are words of somebody who shows what a host has.
	owns = parse.Lazy(`(?i)\b(?:my|our|current(?:ly)?|already|existing|here (?:is|are)|shows?|outputs?|` +
		`(?:i|we)(?:['’]ve| have| had| am| are)?\s+(?:already\s+)?` +
		`(?:set|changed|increased|raised|tuned|put|added|applied|tried|use[ds]?|using|run|got))\b`)
)

// mostAdvice is how many lines of words above settings are looked at.
const mostAdvice = 2

// markAdvised marks the pieces that are settings which people advise.
func (c *Cut) markAdvised() {
	for i := range c.Pieces {
		p := &c.Pieces[i]
		if p.Note || p.Command != "" || p.Title != "" {
			continue
		}
		f, ok := detect.Text(p.Text, detect.Hint{})
		if !ok || !registry.Find(f.ID).Advised {
			continue
		}
		above, below := []string{}, []string{}
		if i > 0 && c.Pieces[i-1].Note {
			above = filledIn(c.Pieces[i-1].Text)
		}
		if i+1 < len(c.Pieces) && c.Pieces[i+1].Note {
			below = filledIn(c.Pieces[i+1].Text)
		}
		said := strings.Join(slices.Concat(above[max(0, len(above)-mostAdvice):], below[:min(1, len(below))]), "\n")
		nearest := strings.Join(above[max(0, len(above)-1):], "")
		p.Advised = advises.MatchString(said) && !owns.MatchString(nearest)
	}
}

// filledIn are the lines of a text that have something in them.
func filledIn(text []byte) []string {
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}
