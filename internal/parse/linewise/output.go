package linewise

import "seaworthy/internal/parse"

// Output is an entry of Table.
type Output interface {
	// Name holds what entries of the registry call the codec.
	Name() string
	// Read reads a text, or returns parse.ErrNotRecognised.
	Read(text []byte) (parse.Value, error)
}

// output says how the lines of one kind of output are read into a T, which embeds a parse.Report.
type output[T any] struct {
	name string

	// heading stands above all rows, where it is given: what stands above it is not understood. With again, it may
	// stand between rows too.
	heading *parse.Pattern
	again   bool
	// ignored are further lines, which hold no value.
	ignored *parse.Pattern
	// rows are tried in order; the first that takes a line has read it.
	rows []line[T]
	// reader, in place of rows, is for lines that depend on those above them.
	reader func(*T) line[T]
	// ended leaves out a row that may be cut off, which is the last line without a line end.
	ended bool
	// finish, if given, looks at the whole once all lines are read.
	finish func(*T)

	// A text is recognised if a line was taken or, if given, by what was read.
	recognised func(*T) bool
	// message says that an error message alone is an answer too.
	message bool
	// blank says that a text without any line is an answer too.
	blank bool
}

// line reads one line; false if it does not understand it.
type line[T any] func(*T, parse.Line) bool

func (o *output[T]) Name() string { return o.name }

func (o *output[T]) Read(text []byte) (parse.Value, error) {
	v, err := o.parse(text)
	if err != nil {
		return nil, err
	}
	return reading(v), nil
}

// parse reads a text; parse.ErrNotRecognised if it is none of this output.
func (o *output[T]) parse(text []byte) (*T, error) {
	v := new(T)
	rows := o.rows
	if o.reader != nil {
		rows = []line[T]{o.reader(v)}
	}
	report := reading(v).Reading()
	headed := o.heading == nil
	taken := report.Read(text, func(l parse.Line) bool {
		switch {
		case o.heading != nil && (o.again || !headed) && o.heading.MatchString(l.Text):
			headed = true
			return true
		case !headed:
			return false
		case o.ended && report.CutOff(l):
			return o.isIgnored(l)
		}
		for _, read := range rows {
			if read(v, l) {
				return true
			}
		}
		return o.isIgnored(l)
	})
	if o.finish != nil {
		o.finish(v)
	}
	is := taken > 0
	if o.recognised != nil {
		is = o.recognised(v)
	}
	if o.message && report.Messages > 0 || o.blank && taken+len(report.Unknown) == 0 {
		is = true
	}
	return parse.Recognised(v, is)
}

func (o *output[T]) isIgnored(l parse.Line) bool {
	return o.ignored != nil && o.ignored.MatchString(l.Text)
}

// reading is a value as what it is by the report that it embeds.
func reading(v any) parse.Value { return v.(parse.Value) }

// row reads a line into a new R by a pattern and appends it to a list. complete, if given, sets what follows from the
// fields; a line for which it is false is not understood.
func row[T, R any](form *parse.Pattern, list func(*T) *[]*R, complete func(*R) bool) line[T] {
	return func(t *T, l parse.Line) bool {
		r := new(R)
		if !form.Fill(l.Text, r) || complete != nil && !complete(r) {
			return false
		}
		for name, to := range parse.Tagged(r) {
			if n, ok := to.(*int); ok && name == lineNumber {
				*n = l.Number
			}
		}
		rows := list(t)
		*rows = append(*rows, r)
		return true
	}
}

// lineNumber is the tag of a field for the number of the row's line.
const lineNumber = "#"
