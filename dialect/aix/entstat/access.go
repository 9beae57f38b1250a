package entstat

import "strings"

// find is the first field with one of these labels that has a value.
func (s *Statistics) find(labels ...string) *Field { return find(s.Fields, labels...) }

func find(fields []*Field, labels ...string) *Field {
	for _, label := range labels {
		for _, f := range fields {
			if f.Kind != Heading && f.Kind != Source && sameLabel(f.Label, label) {
				return f
			}
		}
	}
	return nil
}

// text is a field's text, empty if it may be cut off.
func (f *Field) text() string {
	if f == nil || f.cut {
		return ""
	}
	return f.Text
}

func (f *Field) number() *uint64 {
	if f == nil {
		return nil
	}
	return f.Number
}

// sharedHeading is the heading of the SEA's own section.
func (s *Statistics) sharedHeading() *Field {
	for _, f := range s.Fields {
		if f.Kind == Heading && hasPrefixFold(f.Label, "Statistics for adapters in the") {
			return f
		}
	}
	return nil
}

// DeviceType is the driver's name for the adapter: "Virtual I/O Ethernet
// Adapter (l-lan)". Empty if none is printed.
func (s *Statistics) DeviceType() string { return s.find("Device Type").text() }

// HardwareAddress is the MAC address as printed, aa:bb:cc:dd:ee:ff. Empty if
// none is printed, or a damaged one.
func (s *Statistics) HardwareAddress() string {
	mac := s.find("Hardware Address").text()
	if len(mac) != 17 || strings.Count(mac, ":") != 5 {
		return ""
	}
	return mac
}
