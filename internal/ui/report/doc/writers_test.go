package doc

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// evil holds what a host may print to take over what shows it.
const evil = "=1+1|<script>alert(1)</script>\x1b[2J\x01bad\x02x\x03*b*_i_`c`[l](http://x)&amp;\n# h\u202e"

// everyBlock is a document with the text in every place that takes one.
func everyBlock(text string) *Document {
	d := &Document{}
	d.Lead([]string{text})
	d.Heading(text)
	d.Subheading(text)
	d.Line("%s %d %.1f %s", text, 42, 1.5, Styled(Bad, text))
	d.Prose(text, text)
	d.Code(text, text)
	d.Commands("do", text)
	d.Entry(Textf("%s", Styled(Head, text)), text)
	d.Add(Item{Indent: 3, Mark: text, Text: text})
	d.Fold(text, func(d *Document) { d.Prose("", text) })
	d.Add(Figure{Title: text, Draw: func() []byte { return []byte("<svg></svg>") }, Numbers: NewTable(text, Left(text))})
	t := NewWrapped(text, Left(text), Right(text).In(text), Left(text).On(Page|Data))
	t.GroupedBy = "group"
	t.Group(StyledCell(Head, text))
	t.Add(text, 1, StyledCell(Good, text))
	t.Add(Repeat(text), -2, Indent(text, text))
	t.Note(Cell{Text: text})
	d.Table(t)
	return d
}

func write(t testing.TB, to func(io.Writer, *Document) error, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := to(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func writeText(w io.Writer, d *Document) error { return WriteText(w, d, Screen{Width: 80}) }

func writeColour(w io.Writer, d *Document) error { return WriteText(w, d, Screen{Color: true}) }

// Whatever a host printed stays text, in every writer and every place.
func TestHostileText(t *testing.T) {
	d := everyBlock(evil)
	for name, to := range map[string]func(io.Writer, *Document) error{
		"text": writeText, "html": WriteHTML, "markdown": WriteMarkdown, "csv": WriteCSV,
	} {
		got := write(t, to, d)
		if strings.ContainsAny(got, "\x1b\x01\x02\x03\u202e") {
			t.Errorf("%s: a control character got through:\n%q", name, got)
		}
	}
	if got := write(t, writeColour, d); strings.Contains(got, "\x1b[2J") || strings.Contains(got, "\x01") {
		t.Errorf("colour: %q", got)
	}
	if got := write(t, WriteHTML, d); strings.Contains(got, "<script") || strings.Contains(got, `class="bad">x<`) {
		t.Errorf("html: %s", got)
	}
	markup := regexp.MustCompile(`(^|[^\\])(<script|\[l\]|\*b|_i_|&amp;)|(?m)^# h`)
	got := write(t, WriteMarkdown, d)
	outsideCode := regexp.MustCompile("``[^\n]*``").ReplaceAllString(got, "")
	if m := markup.FindString(outsideCode); m != "" {
		t.Errorf("markdown: %q is markup in\n%s", m, got)
	}
	for _, line := range strings.Split(got, "\n") {
		columns := strings.Count(line, "|") - strings.Count(line, `\|`)
		if strings.HasPrefix(line, "| ") && columns != 4 {
			t.Errorf("markdown: a row has %d bars, want 4: %s", columns, line)
		}
	}
}

// No field of CSV begins a formula, and every row is read back whole.
func TestCSVFormulas(t *testing.T) {
	d := &Document{}
	table := NewTable("=table", Left("@head"), Right("number"))
	for _, text := range []string{"=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "＝1", " =1", `"=1"`, "a,b", "-"} {
		table.Add(text, text)
	}
	d.Table(table)
	rows, err := csv.NewReader(strings.NewReader(write(t, WriteCSV, d))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"table", "'@head", "number"},
		{"'=table", "'=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"},
		{"'=table", "'+1+1", "1+1"},
		{"'=table", "'-1+1", "'-1+1"},
		{"'=table", "'@SUM(A1)", "'@SUM(A1)"},
		{"'=table", "' =1", "' =1"},
		{"'=table", "'＝1", "'＝1"},
		{"'=table", "' =1", "' =1"},
		{"'=table", `"=1"`, `"=1"`},
		{"'=table", "a,b", "a,b"},
		{"'=table", "", ""},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

// Numbers are numbers for programs; groups and repeated cells are in every row; only
// tables with other columns have a header of their own.
func TestCSVOfSeveralTables(t *testing.T) {
	d := &Document{}
	d.Line("not a table")
	one := NewTable("one", Left("figure"), Right("median").In("Mbit/s"), Left("page").On(Page), Left("data").On(Data))
	one.GroupedBy = "workload"
	one.Group(Cell{Text: "8 streams"})
	one.Add(Indent("  ", "throughput"), "9 412.5", "p", "d")
	one.Add(Repeat("throughput"), "−1 000", "p", "d")
	one.Note(Cell{Text: "for people"})
	two := NewTable("two", Left("host"))
	two.Add("lpar1")
	three := NewTable("three", Left("host"))
	three.Add("lpar2")
	d.Table(one)
	d.On(Terminal, func(d *Document) { d.Table(NewTable("terminal", Left("x"))) })
	d.On(Page, func(d *Document) { d.Table(NewTable("page", Left("x"))) })
	d.Fold("folded", func(d *Document) { d.Table(two) })
	d.Table(three)
	const want = `table,workload,figure,median (Mbit/s),data
one,8 streams,throughput,9412.5,d
one,8 streams,throughput,-1000,d

table,host
two,lpar1
three,lpar2
`
	if diff := cmp.Diff(want, write(t, WriteCSV, d)); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

func TestCSVWithoutTables(t *testing.T) {
	var b bytes.Buffer
	if err := WriteCSV(&b, &Document{Blocks: []Block{Gap{}}}); !errors.Is(err, ErrNoTable) || b.Len() > 0 {
		t.Errorf("got %v and %q", err, b.String())
	}
}

func TestMarkdown(t *testing.T) {
	d := &Document{}
	d.Heading("Path")
	d.Line("%s  lpar1_a", Styled(Head, "1."))
	d.Gap()
	d.Prose("why", "a_b", "c")
	d.Code("evidence", "lsattr -El `en0`")
	table := NewWrapped("t", Left("at"), Right("n").In("bytes"))
	table.Group(Cell{Text: "vios1"})
	table.Add(Indent("  ", "en0"), "1 500")
	table.Add(Repeat("en0"), "-")
	d.Table(table)
	const want = "## Path\n\n**1.** lpar1_a\n\n- **why** a_b\n- **why** c\n- **evidence** `` lsattr -El `en0` ``\n\n" +
		"| at | n (bytes) |\n| --- | ---: |\n| **vios1** |  |\n| en0 | 1 500 |\n|  | - |\n"
	if diff := cmp.Diff(want, write(t, WriteMarkdown, d)); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

// Arguments keep what they are: numbers are formatted, styles survive, texts of hosts
// cannot choose a style.
func TestTextf(t *testing.T) {
	got := Textf("%-4s|%5.1f|%s", "\x01bad\x02x\x03", 2.25, Styled(Good, "fine"))
	want := Text{{"·bad·x·|  2.2|", ""}, {"fine", Good}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

// Colour ends with the line and the cell that it is in.
func TestColourOfBrokenCells(t *testing.T) {
	table := NewWrapped("t", Left("at"), Left("verdict"), Left("note"))
	table.Add("lpar1", StyledCell(Bad, strings.Repeat("no difference ", 8)), strings.Repeat("plain ", 20))
	got := write(t, func(w io.Writer, d *Document) error { return WriteText(w, d, Screen{Color: true, Width: 80}) },
		&Document{Blocks: []Block{table}})
	for _, line := range strings.Split(got, "\n") {
		if begins, ends := strings.Count(line, "\x1b[31m"), strings.Count(line, "\x1b[m"); begins > ends {
			t.Errorf("colour does not end in %q", line)
		}
	}
	if !strings.Contains(got, "\x1b[31m") {
		t.Errorf("no colour in %q", got)
	}
}

func FuzzWriters(f *testing.F) {
	f.Add(evil)
	f.Add("`")
	f.Fuzz(func(t *testing.T, text string) {
		d := everyBlock(text)
		for _, to := range []func(io.Writer, *Document) error{writeText, writeColour, WriteHTML, WriteMarkdown} {
			write(t, to, d)
		}
		read := csv.NewReader(strings.NewReader(write(t, WriteCSV, d)))
		if rows, err := read.ReadAll(); err != nil || len(rows) != 3 {
			t.Errorf("%d rows, %v", len(rows), err)
		}
	})
}
