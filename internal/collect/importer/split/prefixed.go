package split

import (
	"bytes"
	"context"

	"seaworthy/internal/parse"
)

// A marking is what a program, a messenger or a person put before each line of an output, or around it.
type marking struct {
	line *parse.Pattern // a marked line; its group is the line as it was printed
	drop *parse.Pattern // lines that belong to the marking alone: the frame above and below
	// named: the marking may have a host's name in it, so it is taken off only where it names the same on all lines.
	named bool
}

// stamp is the pattern of a time in a log.
const stamp = `(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|` +
	`\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)`

var markings = []marking{
	// a frame: | text |, │ text │
	{line: parse.Lazy(`^[ \t]*[|│┃║#] ?(.*?)[ \t]*[|│┃║#]$`),
		drop: parse.Lazy(`^[ \t]*[+┌└├╔╚╠╭╰┏┗┣╓╙][-=─━═]{3,}.*[+┐┘┤╗╝╣╮╯┓┛┫╖╜]$|^#{20,}$`)},
	// a bar or a bullet before each line
	{line: parse.Lazy(`^[ \t]*[|│┃║▏▌▎┆┊¦•·▪●‣◦](?: (.*)|)$`)},
	// what a log, a container or a pipeline puts before: times, levels, names in brackets, names of streams
	{line: parse.Lazy(`^(?:(?:\[` + stamp + `\]|` + stamp + `(?: -)?|(?:INFO|WARN) |` +
		`(?:INFO|DEBUG|NOTICE|WARN(?:ING)?|ERROR|TRACE|info|debug)|` +
		`\[[A-Za-z][\w ./:#-]{0,60}\]|(?:stdout|stderr|out|output|std)[:|]|[\w./-]{1,60} +\||[a-z][\w.-]{0,40}\[\d+\]):? )+(.*)$`), named: true},
	// who said it: <jane> text, 09:11 < jane> text
	{line: parse.Lazy(`^(?:\[?` + stamp + `\]? )?<[ @+%&~]?[A-Za-z][\w.\-\[\]{}|^]{0,30}>(?: (.*)|)$`)},
	// cells of a table that a program quoted, one a line
	{line: parse.Lazy(`^"(.*)"[,;]*$`)},
	{line: parse.Lazy(`^(?:\d{1,5}\. )(.*)$`)},
	// results in Org
	{line: parse.Lazy(`^:(?: (.*)|)$`)},
}

// leastMarked is how many lines one below the other show that something marked them.
const leastMarked = 4

// longestMarked bounds the texts in which marks before lines are looked for, in bytes.
const longestMarked = 4 << 20

// mostMarkings is how many markings, one within the other, are taken off.
const mostMarkings = 3

// unmarked is a text taken apart without the marking that hides the most of it; nil if it is understood as well with all of
// them.
func unmarked(ctx context.Context, text []byte, as *Cut, name string, stops bool, depth int) (best *Cut) {
	was := as.value(name)
	if filled(text)-was.taken < leastMarked {
		return nil
	}
	most := was.lines
	common, of := withoutCommon(text)
	candidates := [][]byte{common}
	for i := range markings {
		candidates = append(candidates, markings[i].unmarked(text))
	}
	candidates = append(candidates, outdentedBlocks(text))
	for i, plain := range candidates {
		if plain == nil || ctx.Err() != nil {
			continue
		}
		c := flush(ctx, plain, name, stops, depth+1)
		if lines := c.value(name).lines; lines > most {
			most, best = lines, c
			if i == 0 && c.Host == "" && of != "" {
				c.Host, c.HostFrom = of, "name before each line"
			}
		}
	}
	return best
}

// unmarked is a text without a marking, where some lines one below the other have it. Nil if none do.
func (m *marking) unmarked(text []byte) []byte {
	if len(text) > longestMarked {
		return nil
	}
	out := make([]byte, 0, len(text))
	var marked, plain []byte // the lines since the last one without the marking
	lines, found := 0, false
	name := ""
	end := func() {
		if lines >= leastMarked {
			marked, found = plain, true
		}
		out = append(out, marked...)
		marked, plain = nil, nil
		lines = 0
	}
	for l := range bytes.Lines(text) {
		bare := bytes.TrimRight(l, "\r\n")
		at := m.line.Regexp().FindSubmatchIndex(bare)
		blank := len(bytes.TrimSpace(bare)) == 0
		switch {
		case m.drop != nil && m.drop.Match(bare):
			marked = append(marked, l...)
		case at != nil:
			its := nameIn(bare[:max(at[2], 0)])
			if m.named && name != "" && its != name {
				return nil
			}
			name = its
			lines++
			marked = append(marked, l...)
			if at[2] >= 0 {
				plain = append(plain, bare[at[2]:at[3]]...)
			}
			plain = append(plain, l[len(bare):]...)
		case blank && lines > 0:
			marked = append(marked, l...)
			plain = append(plain, l...)
		default:
			end()
			out = append(out, l...)
		}
	}
	end()
	if !found {
		return nil
	}
	return out
}

// moved is a line that stands further to the right than words at the margin.
var moved = parse.Lazy(`^(?:\t|  )[ \t]*\S`)

// outdentedBlocks is a text whose blocks that stand further to the right than the words around them begin at the margin. Nil if there
// are none.
func outdentedBlocks(text []byte) []byte {
	if len(text) > longestMarked {
		return nil
	}
	out := make([]byte, 0, len(text))
	var block []byte
	lines, found := 0, false
	end := func() {
		if lines >= leastMarked {
			block = bytes.Clone(flatOr(block))
			found = true
		}
		out = append(out, block...)
		block = block[:0]
		lines = 0
	}
	for l := range bytes.Lines(text) {
		blank := len(bytes.TrimSpace(l)) == 0
		switch {
		case moved.Match(l):
			lines++
			block = append(block, l...)
		case blank && lines > 0:
			block = append(block, l...)
		default:
			end()
			out = append(out, l...)
		}
	}
	end()
	if !found {
		return nil
	}
	return out
}

// flatOr is a block without the blanks that all its lines begin with; the block, if there are none.
func flatOr(block []byte) []byte {
	flat := outdented(block)
	if flat == nil {
		return block
	}
	return flat
}

// passing is what changes from one line of a log to the next.
var passing = parse.Lazy(stamp + `|(?i:\b(?:INFO|DEBUG|NOTICE|WARN(?:ING)?|ERROR|TRACE|stdout|stderr)\b)|[ \t:]+`)

// nameIn is what a marking before a line says apart from times and levels.
func nameIn(marking []byte) string { return string(passing.Regexp().ReplaceAll(marking, nil)) + " " }
