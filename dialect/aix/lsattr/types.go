package lsattr

import (
	"seaworthy/dialect"
	"seaworthy/dialect/aix/fields"
	"seaworthy/dialect/aix/printout"
)

// Kind is the shape of a listing.
type Kind string

const (
	Effective Kind = "effective" // -E, or lsdev -dev X -attr: four columns
	Defaults  Kind = "defaults"  // -D: the same with default values
	Fields    Kind = "fields"    // -F: the columns asked for
	Names     Kind = "names"     // -O: names on one line, values on the next
	Allowed   Kind = "allowed"   // -R: one allowed value or range a line
	Single    Kind = "single"    // lsdev -dev X -attr NAME: the word value, a blank line, the value
)

// Form is how a listing is printed.
type Form struct {
	Kind    Kind        `json:"kind"`
	Heading bool        `json:"heading,omitempty"` // -H; always with lsdev -attr
	Fields  fields.Spec `json:"fields"`            // for Fields
}

// El is lsattr -El: effective values without heading. -P prints the same.
func El() Form { return Form{Kind: Effective} }

// EHl is lsattr -EHl, and lsdev -dev X -attr of a VIOS.
func EHl() Form { return Form{Kind: Effective, Heading: true} }

// D is lsattr -D.
func D() Form { return Form{Kind: Defaults} }

// F is lsattr -F with its list, e.g. "attribute:value" or "value".
func F(list string) Form { return Form{Kind: Fields, Fields: fields.Parse(list)} }

// O is lsattr -O.
func O() Form { return Form{Kind: Names} }

// R is lsattr -R.
func R() Form { return Form{Kind: Allowed} }

// DevAttr is lsdev -dev X -attr NAME of a VIOS, with one name.
func DevAttr() Form { return Form{Kind: Single, Heading: true} }

// Settable is the fourth column.
type Settable string

const (
	True     Settable = "True"
	TruePlus Settable = "True+" // can change while the device is in use; newer levels
	False    Settable = "False"
)

// Can tells whether a user may change the attribute; nil if it was not said.
func (s Settable) Can() *bool {
	var can bool
	switch s {
	case True, TruePlus:
		can = true
	case False:
	default:
		return nil
	}
	return &can
}

// Attribute is one row. What a form does not print stays empty or nil.
type Attribute struct {
	Name        string            `json:"name,omitempty"`
	Value       *string           `json:"value,omitempty"` // the default value with -D; nil: not printed, or not told from the description
	Default     *string           `json:"default,omitempty"`
	Description string            `json:"description,omitempty"`
	Settable    Settable          `json:"settable,omitempty"`
	Other       map[string]string `json:"other,omitempty"`   // further columns of -F, by name
	Unsplit     string            `json:"unsplit,omitempty"` // value and description, where nothing told them apart
	Line        int               `json:"-"`                 // 1-based, 0 if not read from a text

	place *placing
}

// Choice is one line of -R: a value, or a range.
type Choice struct {
	Value string `json:"value,omitempty"`
	Range *Range `json:"range,omitempty"`

	hex        bool
	lead, tail string // blanks around it, as a copy may have them
	paint      printout.Paint
}

// Range is Low to High in steps of Step, as in 60...65535 (+1).
type Range struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
	Step int64 `json:"step"`
}

// Listing is one output.
type Listing struct {
	dialect.Report
	Form       Form        `json:"form"`
	Attributes []Attribute `json:"attributes,omitempty"`
	Allowed    []Choice    `json:"allowed,omitempty"` // -R

	widths   [3]int // name, value, description as read; zero if they were not seen
	headLine string
	pairs    []pair
	layout   printout.Layout
}

// New makes a listing to print.
func New(form Form, attributes ...Attribute) *Listing {
	return &Listing{Form: form, Attributes: attributes}
}

// NewAllowed makes a listing of -R to print.
func NewAllowed(choices ...Choice) *Listing { return &Listing{Form: R(), Allowed: choices} }

// Row makes an attribute of four columns.
func Row(name, value, description string, settable Settable) Attribute {
	return Attribute{Name: name, Value: &value, Description: description, Settable: settable}
}

// Get finds an attribute by name.
func (l *Listing) Get(name string) *Attribute {
	for i := range l.Attributes {
		if l.Attributes[i].Name == name {
			return &l.Attributes[i]
		}
	}
	return nil
}

// Value of an attribute; false if the text does not say it.
func (l *Listing) Value(name string) (string, bool) {
	a := l.Get(name)
	if a == nil || a.Value == nil {
		return "", false
	}
	return *a.Value, true
}

// placing is where the words of a row stood, if its columns are not the table's.
type placing struct {
	own                    bool // gaps below are this row's own
	lead, g1, g2, g3, tail string
	short                  bool // the row ends before the settable column

	read, words string // -F: the line, and its words without padding
	paint       printout.Paint
}
