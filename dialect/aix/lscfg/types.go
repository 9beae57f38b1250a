package lscfg

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// Resource is one device.
type Resource struct {
	Mark        string `json:"mark,omitempty"` // + known to diagnostics, * no diagnostic support, - deleted
	Name        string `json:"name"`
	Location    string `json:"location,omitempty"`
	Description string `json:"description,omitempty"`
	Product     string `json:"product,omitempty"`  // heading of its vital product data
	VPD         []Item `json:"vpd,omitempty"`      // in order
	Platform    []Item `json:"platform,omitempty"` // -p: what the firmware says
	Line        int    `json:"-"`                  // 1-based, 0 if not read from a text

	read bool
}

// Item is a labelled value.
type Item struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// List is one output.
type List struct {
	dialect.Report
	Whole          bool        `json:"whole,omitempty"` // the list of all resources, with its preamble
	Architecture   string      `json:"architecture,omitempty"`
	Implementation string      `json:"implementation,omitempty"`
	Resources      []*Resource `json:"resources,omitempty"`

	lines  []line
	layout printout.Layout
}

// New makes the output of lscfg -vl to print.
func New(resources ...*Resource) *List { return &List{Resources: resources} }

// NewWhole makes the list of all resources to print.
func NewWhole(architecture, implementation string, resources ...*Resource) *List {
	return &List{Whole: true, Architecture: architecture, Implementation: implementation, Resources: resources}
}

// Get finds a resource by name; nil if it is not listed.
func (l *List) Get(name string) *Resource {
	for _, r := range l.Resources {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Field is the value of a label of the vital product data; false if it is not
// printed. Levels differ in a dot within labels ("ROM Level.(alterable)").
func (r *Resource) Field(label string) (string, bool) {
	plain := strings.NewReplacer(".(", " (", ". (", " (").Replace
	for _, v := range r.VPD {
		if plain(v.Label) == plain(label) {
			return v.Value, true
		}
	}
	return "", false
}

// MAC is the network address as aa:bb:cc:dd:ee:ff; empty if there is none.
func (r *Resource) MAC() string {
	v, _ := r.Field("Network Address")
	if len(v) != 12 || strings.Trim(strings.ToUpper(v), "0123456789ABCDEF") != "" {
		return ""
	}
	v = strings.ToLower(v)
	parts := make([]string, 0, 6)
	for i := 0; i < 12; i += 2 {
		parts = append(parts, v[i:i+2])
	}
	return strings.Join(parts, ":")
}

// line is one printed line that holds values.
type line struct {
	kind  kind
	of    *Resource // nil: of the list
	index int32     // into VPD or Platform
	wrap  int32     // length of the description's first line, if it has two
	gaps  [5]string // literal text around the values, in order
	paint printout.Paint
}

type kind uint8

const (
	row kind = iota
	wrapped
	product
	vpd
	platform
	architecture
	implementation
)
