// Package lsattr reads what lsattr says about a device's
// attributes: -El and -EHl, -D, -P, -F with any list of columns, -O, and the
// allowed values of -R. The VIOS commands lsdev -dev X -attr [NAME] and lsdev
// -dev X -range NAME print the same shapes and are read here too.
//
// The hard part is the empty value. A row of -El has four columns, padded to
// the widest entry of that one output, and the value column of an attribute
// that was never set is blank: only the columns of the other rows, or the
// heading, distinguish a value from the first word of the description. Where neither
// they nor the words themselves decide, the value is unknown (nil), not empty.
package lsattr

import (
	"fmt"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

// Kind is the shape of a listing.
type Kind string

const (
	Four    Kind = "four"    // -E, -D, -P, or lsdev -dev X -attr: four columns
	Fields  Kind = "fields"  // -F: the columns asked for
	Names   Kind = "names"   // -O: names on one line, values on the next
	Allowed Kind = "allowed" // -R: one allowed value or range a line
	Single  Kind = "single"  // lsdev -dev X -attr NAME: the word value, a blank line, the value
)

// Form is how a listing is printed.
type Form struct {
	Kind    Kind         `json:"kind"`
	Heading bool         `json:"heading,omitempty"` // -H; always with lsdev -attr
	Fields  table.Fields `json:"fields"`            // for Fields
}

// El is lsattr -El: effective values without heading. -D and -P print the same.
func El() Form { return Form{Kind: Four} }

// EHl is lsattr -EHl, and lsdev -dev X -attr of a VIOS.
func EHl() Form { return Form{Kind: Four, Heading: true} }

// F is lsattr -F with its list, e.g. "attribute:value" or "value".
func F(list string) Form { return Form{Kind: Fields, Fields: table.ParseFields(list)} }

// DevAttr is lsdev -dev X -attr NAME of a VIOS, with one name.
func DevAttr() Form { return Form{Kind: Single, Heading: true} }

// Settable is the fourth column.
type Settable string

const (
	True     Settable = "True"
	TruePlus Settable = "True+" // can change while the device is in use; newer levels
	False    Settable = "False"
)

// Can reports whether a user may change the attribute; nil if it was not said.
func (s Settable) Can() *bool {
	can := s == True || s == TruePlus
	if !can && s != False {
		return nil
	}
	return &can
}

// Attribute is one row. What a form does not print stays empty or nil.
type Attribute struct {
	Name        string            `json:"name,omitempty" from:"attribute"`
	Value       *string           `json:"value,omitempty" from:"value"` // the default with -D; nil: not printed, or not known
	Default     *string           `json:"default,omitempty" from:"deflt"`
	Description string            `json:"description,omitempty" from:"description"`
	Settable    Settable          `json:"settable,omitempty" from:"user_settable"`
	Other       map[string]string `json:"other,omitempty"`   // further columns of -F, by name
	Unsplit     string            `json:"unsplit,omitempty"` // value and description, where nothing separates them
	Line        int               `json:"-"`                 // 1-based, 0 if not read from a text
}

// Choice is one line of -R: a value, or a range.
type Choice struct {
	Value string `json:"value,omitempty"`
	Range *Range `json:"range,omitempty"`
}

// Range is Low to High in steps of Step, as in 60...65535 (+1).
type Range struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
	Step int64 `json:"step"`
}

// Listing is one output.
type Listing struct {
	parse.Report
	Form       Form        `json:"form"`
	Attributes []Attribute `json:"attributes,omitempty"`
	Allowed    []Choice    `json:"allowed,omitempty"` // -R
}

// Row makes an attribute of four columns.
func Row(name, value, description string, settable Settable) Attribute {
	return Attribute{Name: name, Value: &value, Description: description, Settable: settable}
}

// Get finds an attribute by name, or gives nil.
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

// String is the choice as -R prints it.
func (c Choice) String() string {
	if c.Range == nil {
		return c.Value
	}
	s := fmt.Sprintf("%d...%d", c.Range.Low, c.Range.High)
	if c.Range.Step > 0 {
		s += fmt.Sprintf(" (+%d)", c.Range.Step)
	}
	return s
}
