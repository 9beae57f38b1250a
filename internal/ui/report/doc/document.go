package doc

import "strings"

// Document is a report: its blocks in the order of reading.
type Document struct {
	Blocks []Block
}

// Block is a part of a document: one of the types below, or *Table.
type Block interface{ block() }

// Heading begins a part. Level 2 is a part of the report, level 3 a part of that.
type Heading struct {
	Level int
	Text  string
}

// Line is a line that is never wrapped.
type Line struct{ Text Text }

// Gap is a blank line.
type Gap struct{}

// Prose is a text that wraps, with a label beside its first line. The label is
// empty where it would repeat the one above.
type Prose struct{ Label, Text string }

// Code is a text that a host printed or takes. Unbroken code is never wrapped,
// so that it can be copied from a terminal.
type Code struct {
	Label, Text string
	Unbroken    bool
}

// Entry is a head and, beside it, a text that wraps under itself.
type Entry struct {
	Head Text
	Text string
}

// Item is a text behind a mark, indented, that wraps under itself. Unbroken items
// are never wrapped.
type Item struct {
	Indent   int
	Mark     string
	Text     string
	Unbroken bool
}

// Lead sums up a page or a part of it, a sentence each. A terminal has none.
type Lead struct{ Sentences []string }

// Figure is a picture, with its numbers if it has any. Only pages have figures.
type Figure struct {
	Title   string
	Draw    func() []byte // makes the SVG
	Numbers *Table        // nil: none
}

// Fold holds what a reader may skip: pages show its summary and unfold the rest; a
// terminal prints the summary alone.
type Fold struct {
	Summary string
	Blocks  []Block
}

// Only holds blocks that some media have.
type Only struct {
	Media  Medium
	Blocks []Block
}

// Medium is where a document is read. Media can be combined.
type Medium uint8

// The media.
const (
	Terminal Medium = 1 << iota
	Page            // HTML and Markdown
	Data            // CSV

	everywhere = Terminal | Page | Data
)

// has reports whether something restricted to media m (0: unrestricted) is shown on one.
func (m Medium) has(one Medium) bool { return m == 0 || m&one != 0 }

func (Heading) block() {}
func (Line) block()    {}
func (Gap) block()     {}
func (Prose) block()   {}
func (Code) block()    {}
func (Entry) block()   {}
func (Item) block()    {}
func (Lead) block()    {}
func (Figure) block()  {}
func (Fold) block()    {}
func (Only) block()    {}
func (*Table) block()  {}

// Add appends blocks.
func (d *Document) Add(blocks ...Block) { d.Blocks = append(d.Blocks, blocks...) }

// Heading begins a part of the report.
func (d *Document) Heading(text string) { d.Add(Heading{2, text}) }

// Subheading begins a part below a heading, after a blank line.
func (d *Document) Subheading(text string) { d.Add(Gap{}, Heading{3, text}) }

// Gap adds a blank line.
func (d *Document) Gap() { d.Add(Gap{}) }

// Line adds a line, formatted as Textf does.
func (d *Document) Line(format string, args ...any) {
	text := Textf(format, args...)
	if len(text) == 0 {
		d.Gap()
		return
	}
	d.Add(Line{text})
}

// Prose adds each text that is not blank, all with the same label.
func (d *Document) Prose(label string, texts ...string) {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			d.Add(Prose{label, text})
		}
	}
}

// Code adds a text that a host printed or takes.
func (d *Document) Code(label, text string) {
	if strings.TrimSpace(text) != "" {
		d.Add(Code{Label: label, Text: text})
	}
}

// Commands adds command lines, which are never wrapped. Only the first has the label.
func (d *Document) Commands(label string, commands ...string) {
	for _, c := range commands {
		d.Add(Code{Label: label, Text: c, Unbroken: true})
		label = ""
	}
}

// Entry adds a head with a text beside it.
func (d *Document) Entry(head Text, text string) { d.Add(Entry{head, text}) }

// Lead adds a summary for pages.
func (d *Document) Lead(sentences []string) {
	if len(sentences) > 0 {
		d.Add(Lead{sentences})
	}
}

// Table adds a table.
func (d *Document) Table(t *Table) { d.Add(t) }

// Fold adds what fill adds, folded under a summary.
func (d *Document) Fold(summary string, fill func(d *Document)) {
	d.Add(Fold{summary, filled(fill)})
}

// On adds what fill adds, for some media only.
func (d *Document) On(media Medium, fill func(d *Document)) {
	if blocks := filled(fill); len(blocks) > 0 {
		d.Add(Only{media, blocks})
	}
}

func filled(fill func(d *Document)) []Block {
	var part Document
	fill(&part)
	return part.Blocks
}
