package entstat

import (
	"fmt"
	"slices"
)

// Side is the column of a counter. JSON has its name: "tx", "rx".
type Side uint8

const (
	OneColumn Side = iota // printed alone
	Transmit              // left column
	Receive               // right column
)

// Kind says what sort of line a field was printed on. JSON has its name: "list".
type Kind uint8

const (
	Value   Kind = iota // Label: Number or Text
	List                // Label: Items or Cells, perhaps on several lines; Text may stand before or instead
	Row                 // Label and Cells, one per column of the table
	Columns             // the names of a table's columns, in Items
	Source              // an interrupt source: Number and Text, its use
	Heading             // opens the section Label; Number or Text if it has one
)

var (
	sideNames = []string{"", "tx", "rx"}
	kindNames = []string{"", "list", "row", "columns", "source", "heading"}
)

func (s Side) String() string { return nameOf(sideNames, int(s)) }

func (k Kind) String() string { return nameOf(kindNames, int(k)) }

func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a column.
func (s *Side) UnmarshalText(text []byte) error {
	n := slices.Index(sideNames, string(text))
	if n < 0 {
		return fmt.Errorf("entstat: %q is no column, which are %q", text, sideNames)
	}
	*s = Side(n)
	return nil
}

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	n := slices.Index(kindNames, string(text))
	if n < 0 {
		return fmt.Errorf("entstat: %q is no kind of field, which are %q", text, kindNames)
	}
	*k = Kind(n)
	return nil
}

func nameOf(names []string, n int) string {
	if n < len(names) {
		return names[n]
	}
	return fmt.Sprint(n)
}
