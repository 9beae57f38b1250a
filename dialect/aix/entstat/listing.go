package entstat

import "seaworthy/dialect"

// Listing is a text with the statistics of several devices: netstat -v, the
// same in an IBM snap, or several entstat outputs one after the other.
type Listing struct {
	dialect.Report
	Parts []Part `json:"parts"` // in printed order

	end ending
}

// Part is one device's section. Exactly one of its fields is set.
type Part struct {
	Adapter *Statistics `json:"adapter,omitempty"`
	Foreign *Foreign    `json:"foreign,omitempty"`
}

// Foreign is a section that netstat -v prints of a device that is not
// Ethernet: known for what it is, and not read.
type Foreign struct {
	Kind  string   `json:"kind"`           // FIBRE CHANNEL, TOKEN-RING
	Name  string   `json:"name,omitempty"` // fcs0
	Lines []string `json:"-"`              // verbatim
}

// Adapters are the Ethernet adapters, without those printed as members of
// another one.
func (l *Listing) Adapters() []*Statistics {
	var all []*Statistics
	for _, p := range l.Parts {
		if p.Adapter != nil {
			all = append(all, p.Adapter)
		}
	}
	return all
}

// Adapter is the adapter of that name, or nil. An adapter that was printed for
// itself goes before one that is a member of another.
func (l *Listing) Adapter(name string) *Statistics {
	var found *Statistics
	for _, top := range l.Adapters() {
		if top.Adapter() == name {
			return top
		}
		top.Walk(func(s *Statistics) {
			if found == nil && s.Adapter() == name {
				found = s
			}
		})
	}
	return found
}

// FormatAll prints a listing; the inverse of ParseAll.
func FormatAll(l *Listing) []byte {
	eol := l.end.eol()
	var b []byte
	for _, p := range l.Parts {
		if p.Adapter != nil {
			b = p.Adapter.append(b, eol, alone)
		}
		if p.Foreign != nil {
			for _, line := range p.Foreign.Lines {
				b = append(append(b, line...), eol...)
			}
		}
	}
	return l.end.close(b, eol)
}
