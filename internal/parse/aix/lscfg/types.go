// Package lscfg reads the hardware list of lscfg: the whole list of
// installed resources, and lscfg -vl (-vpl) with the vital product data of a
// device: network address, firmware level, location code.
//
// Labels of vital product data are filled with dots up to a fixed width, and
// some hold dots themselves ("Device Specific.(YL)"); values may be empty.
package lscfg

import (
	"strings"

	"seaworthy/internal/parse"
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
}

// Item is a labelled value.
type Item struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// List is one output.
type List struct {
	parse.Report
	Whole          bool        `json:"whole,omitempty"` // the list of all resources, with its preamble
	Architecture   string      `json:"architecture,omitempty"`
	Implementation string      `json:"implementation,omitempty"`
	Resources      []*Resource `json:"resources,omitempty"`
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
	return parse.MAC(v)
}
