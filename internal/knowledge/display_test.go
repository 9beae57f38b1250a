package knowledge

import (
	"slices"
	"testing"
)

// What people are shown of an element is an attribute that the catalogue knows of its layer.
func TestDisplayNamesAttributes(t *testing.T) {
	c := BuiltIn()
	d := c.Display()
	known := func(layers []string, name string) bool {
		return slices.ContainsFunc(layers, func(layer string) bool {
			_, ok := c.Attribute(layer, name)
			return ok
		})
	}
	for kind, list := range d.Elements {
		for _, s := range list {
			if !known([]string{kind}, s.Attribute) {
				t.Errorf("%s: got %s, which no attribute of that layer is named", kind, s.Attribute)
			}
		}
	}
	for _, s := range d.Linux {
		if !known([]string{"linux", "linux-kvm"}, s.Attribute) {
			t.Errorf("linux: got %s, which no attribute of that layer is named", s.Attribute)
		}
	}
	if len(d.Losses) == 0 || len(d.Linux) == 0 {
		t.Errorf("got %+v, want counters and attributes of Linux", d)
	}
}
