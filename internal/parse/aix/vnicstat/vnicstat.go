// Package vnicstat reads VIOS vnicstat -b and -d: what a vNIC server passes
// between its client and the SR-IOV logical port behind it.
//
// The text is made of headed sections with labels, some in two columns, which
// package labels reads. With -b the backing device's own statistics follow,
// whose labels depend on its driver.
package vnicstat

import (
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Output is the output of vnicstat.
type Output struct {
	parse.Report
	Servers []*Server `json:"servers"`
}

// Server is one vNIC server.
type Server struct {
	Name    string          `json:"name"` // vnicserver1
	Fields  []*labels.Field `json:"fields"`
	Backing *Backing        `json:"backing,omitempty"` // of -b
}

// Backing is the device that carries a vNIC, with the statistics of its driver.
type Backing struct {
	Name   string          `json:"name"` // PCIe3 4-Port 10GbE SR Adapter VF
	Fields []*labels.Field `json:"fields"`
}

// Find is the server's field of that name, of one of the two columns or of none;
// nil if it is not printed. Where several sections have it, it is the first's.
func (s *Server) Find(name string, side labels.Side) *labels.Field {
	for _, f := range s.Fields {
		if f.Side == side && f.Kind == labels.Value && labels.Same(f.Label, name) {
			return f
		}
	}
	return nil
}

// Parse reads vnicstat output. Errors: parse.ErrNotRecognised if no server
// is found.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	r := labels.NewReader(text, &o.Report)
	var now *Server
	ruled := false // a rule is the line above
	for i := range r.Lines {
		l := &r.Lines[i]
		q, isPair := labels.Cut(l.Body)
		switch {
		case isPair && labels.Same(q.Label, "VNIC Server Statistics") && q.Value != "":
			now = &Server{Name: q.Value}
			o.Servers = append(o.Servers, now)
			r.Begin(&now.Fields)
		case now == nil && !labels.IsRule(l.Body):
			o.NotUnderstood(l.Line)
		case now != nil && ruled && l.Indent == 0 && !strings.Contains(l.Body, ":") && r.Ruled(i):
			now.Backing = &Backing{Name: l.Body}
			r.Begin(&now.Backing.Fields)
		default:
			r.Read(i)
		}
		ruled = labels.IsRule(l.Body)
	}
	return parse.Recognised(o, o.Servers != nil)
}
