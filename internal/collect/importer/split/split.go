package split

import (
	"context"
	"maps"
	"slices"
	"time"

	"seaworthy/internal/collect/importer/detect"
)

// Form is how a text was parted.
type Form string

const (
	Whole    Form = "one output"
	Snap     Form = "sections of an IBM snap"
	Session  Form = "terminal session"
	Headings Form = "headings"
	Nmon     Form = "nmon"
	Report   Form = "report of several commands"
	Follow   Form = "outputs one after the other"
	Hosts    Form = "outputs of several hosts"
	Records  Form = "records with outputs in them"
	Agent    Form = "sections of a monitoring agent"
	Support  Form = "sections of a supportconfig"
)

// Piece is a part of a text.
type Piece struct {
	Command string // the command line that its heading or prompt gives; empty if none
	Title   string // a heading that is not a command line
	Host    string // the host's name in its prompt, or before its lines
	// HostFrom says where that name stood; empty: in the prompt.
	HostFrom string
	Time     time.Time // of its heading; zero if it gives none
	Sole     bool      // the only output of its host in the text
	Note     bool      // words of people around the outputs
	Again    bool      // the same as above once more, below words: of which host, or of when, is not said
	Advised  bool      // settings that words around them advise, and no host's
	Preface  bool      // what a report says of itself before its first heading: the host, the time
	Text     []byte
	Line     int // 1-based, where its text begins
}

// Cut is a text taken apart.
type Cut struct {
	Form     Form
	Pieces   []Piece
	Host     string // a host's name outside the outputs: in a prompt, an nmon head
	HostFrom string
	Time     time.Time     // when the outputs were taken, as the text says; zero if it does not
	Found    *detect.Found // of the only piece: what it is, where that came out on the way
	// Outdented says that blanks before all lines, of the text or of a piece, were taken off; Bared, that times or numbers were;
	// Joined, that lines that a terminal had wrapped were put together.
	Outdented, Bared, Joined bool

	again   int    // how often a piece of it was cut where its output begins once more
	worth   *value // as it was weighed for the file worthOf
	worthOf string
}

// limit of pieces: a text with more is not one that a person or a script saved.
const maxPieces = 20_000

// Text takes a text apart. It always gives at least one piece, the whole text
// once the context is done.
func Text(ctx context.Context, text []byte, name string) *Cut {
	plain, begun := unglued(text)
	c := flush(ctx, plain, name, true, 0)
	asNumbered(c.Pieces, begun)
	return c
}

// flush takes apart a text. The blanks before all its lines, or before those of a
// piece, are taken off where it is better understood without them: some outputs
// are indented by nature.
func flush(ctx context.Context, text []byte, name string, stops bool, depth int) *Cut {
	c := cut(ctx, text, name, stops)
	if c.Form == Records { // its texts were taken apart one by one
		return c
	}
	var bare *Cut
	most := c.value(name).lines
	for _, plain := range withoutPrefix(text) {
		d := cut(ctx, plain, name, stops)
		lines := d.value(name).lines
		// Any line with a time before it could be a kernel log's: prompts behind the times say that it is none.
		if lines > most || bare == nil && d.Form == Session && lines*10 > most*8 {
			most, bare = lines, d
		}
	}
	if depth < mostMarkings {
		as := c
		if bare != nil {
			as = bare
		}
		if plain := unmarked(ctx, text, as, name, stops, depth); plain != nil {
			bare = plain
		}
	}
	if bare != nil {
		bare.Bared = true
		return bare
	}
	if flat := outdented(text); flat != nil {
		if d := cut(ctx, flat, name, stops); d.value(name).over(c.value(name)) {
			d.Outdented = true
			return d
		}
	}
	if d := rejoined(ctx, text, c, name, stops); d != nil {
		return d
	}
	for i := range c.Pieces {
		p := &c.Pieces[i]
		flat := outdented(p.Text)
		if flat == nil || len(p.Text) == len(text) { // the whole text, seen above
			continue
		}
		as, bare := Cut{Pieces: []Piece{*p}}, Cut{Pieces: []Piece{*p}}
		bare.Pieces[0].Text = flat
		if bare.value(p.Title).over(as.value(p.Title)) {
			p.Text, c.Outdented, c.Found = flat, true, nil
			c.worth = nil
		}
	}
	return c
}

// aboveSessions reports whether headings name the hosts of sessions whose prompts name none.
func aboveSessions(lines []string) bool {
	if len(findPrompts(lines).hosts) > 0 {
		return false
	}
	heads := slices.Sorted(maps.Keys(hostHeadings(lines)))
	return len(heads) > 1 && heads[0] < slices.IndexFunc(lines, isPrompt)
}

// rejoined is a text taken apart with the lines put together that a terminal or a mail program had wrapped; nil if that does not
// explain most of what is not understood in it as it is taken apart.
func rejoined(ctx context.Context, text []byte, as *Cut, name string, stops bool) *Cut {
	was := as.value(name)
	left := filled(text) - was.taken
	if left <= 0 {
		return nil
	}
	for _, join := range []func([]byte) ([]byte, int){unwrapped, unfolded} {
		whole, joined := join(text)
		if joined*4 < left { // each explains two lines, and half of those that are left must be
			continue
		}
		c := cut(ctx, whole, name, stops)
		now := c.value(name)
		if now.taken >= was.taken && 2*(filled(whole)-now.taken) <= left && c.hosts() >= as.hosts() {
			c.Joined = true
			return c
		}
	}
	return nil
}

// hosts is how many hosts a text names.
func (c *Cut) hosts() int {
	names := map[string]bool{}
	for _, p := range c.Pieces {
		names[p.Host] = true
	}
	return len(names)
}

// cut takes apart a text as it stands; stops: at prompts, too, behind which no known command was typed.
func cut(ctx context.Context, text []byte, name string, stops bool) *Cut {
	if c := records(ctx, text); c != nil && len(c.Pieces) <= maxPieces {
		return c
	}
	lines := split(text)
	if c := supportConfig(lines); c != nil && len(c.Pieces) > 0 && len(c.Pieces) <= maxPieces {
		return c
	}
	if list := inner(ctx, byLine(ctx, lines, detect.Hint{File: name}), name); len(list) > 0 {
		return &Cut{Form: Hosts, Pieces: list}
	}
	session := slices.ContainsFunc(lines, isPrompt)
	if stops {
		if c := prompted(ctx, lines, session, name); c != nil {
			return c
		}
	}
	if c := headed(ctx, lines, name); c != nil {
		return c
	}
	for _, way := range []func(context.Context, []string, string) *Cut{filed, grepped} {
		if c := way(ctx, lines, name); c != nil && len(c.Pieces) > 0 {
			return c
		}
	}
	// What each command of a session printed is looked at alone, unless headings say of which hosts the sessions are.
	if !session || aboveSessions(lines) {
		if list := inner(ctx, byHost(ctx, lines, detect.Hint{File: name}), name); len(list) > 0 {
			return &Cut{Form: Hosts, Pieces: list}
		}
	}
	c := parted(ctx, text, lines, name)
	if host := introduced(c); host != "" && c.Host == "" {
		c.Host, c.HostFrom = host, "heading"
	}
	c.partHosts(ctx)
	if len(c.Pieces) > 1 {
		c.Found = nil
	}
	return c
}

// beforePrompts takes apart what stands above the first prompt of a session: it may be outputs below headings of their own.
func (c *Cut) beforePrompts(ctx context.Context, p Piece) []Piece {
	_, known := detect.Text(p.Text, detect.Hint{})
	if c.Form != Session || p.Command != "" || p.Note || known {
		return nil
	}
	return inner(ctx, []Piece{p}, "")
}

// partHosts takes apart the pieces that are each what one command of a session printed: it may be of several hosts.
func (c *Cut) partHosts(ctx context.Context) {
	var list []Piece
	for _, p := range c.Pieces {
		if several := chained(ctx, p); len(several) > 1 {
			list = append(list, several...)
			continue
		}
		if above := c.beforePrompts(ctx, p); len(above) > 1 {
			list = append(list, above...)
			continue
		}
		sections := byHost(ctx, split(p.Text), detect.Hint{Command: p.Command, File: p.Title})
		for i := range sections {
			s := &sections[i]
			s.Command, s.Line = p.Command, s.Line+p.Line-1
			if s.Host == "" { // what stands above the first heading
				s.Host, s.HostFrom = p.Host, p.HostFrom
			}
		}
		sections = inner(ctx, sections, p.Title)
		if len(sections) == 0 {
			sections = []Piece{p}
		}
		list = append(list, sections...)
	}
	if len(list) <= maxPieces {
		c.Pieces = list
	}
}
