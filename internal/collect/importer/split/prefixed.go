package split

import (
	"bytes"
	"context"
	"slices"

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
	name, several := "", false
	out := replaceRuns(text, func(l []byte) (plain []byte, place runPlace) {
		bare := bytes.TrimRight(l, "\r\n")
		if m.drop != nil && m.drop.Match(bare) {
			return nil, besideRun
		}
		at := m.line.Regexp().FindSubmatchIndex(bare)
		if at == nil {
			return nil, outsideRun
		}
		its := nameIn(bare[:max(at[2], 0)])
		several = several || m.named && name != "" && its != name
		name = its
		plain = l[len(bare):]
		if at[2] >= 0 {
			plain = slices.Concat(bare[at[2]:at[3]], plain)
		}
		return plain, insideRun
	}, nil)
	if several {
		return nil
	}
	return out
}

// moved is a line that stands further to the right than words at the margin.
var moved = parse.Lazy(`^(?:\t|  )[ \t]*\S`)

// outdentedBlocks is a text whose blocks that stand further to the right than the words around them begin at the margin. Nil if there
// are none.
func outdentedBlocks(text []byte) []byte {
	return replaceRuns(text, func(l []byte) (plain []byte, place runPlace) {
		if moved.Match(l) {
			return l, insideRun
		}
		return nil, outsideRun
	}, flatOr)
}

// runPlace is where a line stands towards the marked lines around it.
type runPlace int

const (
	outsideRun runPlace = iota
	insideRun
	besideRun // it is of the marking alone, and goes with it
)

// replaceRuns is a text with other lines in place of marked ones, where at least leastMarked of them stand one below the other; blank
// lines among them stay. classify says of each line where it stands, and what it is without its marking; finish, if any, makes of the
// lines of a run what stands there in the end. Nil if there is no run, or the text is too long.
func replaceRuns(text []byte, classify func(line []byte) (plain []byte, place runPlace), finish func(run []byte) []byte) []byte {
	if len(text) > longestMarked {
		return nil
	}
	out := make([]byte, 0, len(text))
	var marked, plain []byte // the lines since the last one outside
	lines, found := 0, false
	end := func() {
		switch {
		case lines < leastMarked:
			out = append(out, marked...)
		case finish != nil:
			out, found = append(out, finish(plain)...), true
		default:
			out, found = append(out, plain...), true
		}
		marked, plain = marked[:0], plain[:0]
		lines = 0
	}
	for l := range bytes.Lines(text) {
		without, place := classify(l)
		switch {
		case place == besideRun:
			marked = append(marked, l...)
		case place == insideRun:
			lines++
			marked = append(marked, l...)
			plain = append(plain, without...)
		case lines > 0 && len(bytes.TrimSpace(l)) == 0:
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
