// Package seastat reads VIOS seastat -d: what each client of an SEA
// sent and received, by MAC address and VLAN.
//
// There is one block per MAC, VLAN and IP address, so that the same MAC can
// have several; some blocks name neither host nor address. The command needs
// the SEA's attribute accounting=enabled.
package seastat

import (
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Statistics is the output of seastat -d.
type Statistics struct {
	parse.Report
	Device  string    `json:"device"` // the SEA: ent63
	Clients []*Client `json:"clients"`
}

// Client is one block. What it does not print is nil or empty.
type Client struct {
	MAC      string     `json:"mac"`
	VLAN     *uint64    `json:"vlan,omitempty" from:"VLAN"` // nil too if "None" is printed: frames without a tag
	Priority *uint64    `json:"vlan_priority,omitempty" from:"VLAN Priority"`
	Hostname string     `json:"hostname,omitempty" from:"Hostname"`
	IP       string     `json:"ip,omitempty" from:"IP"`
	Packets  Directions `json:"packets"`
	Bytes    Directions `json:"bytes"`
}

// Directions is a counter as the SEA saw it.
type Directions struct {
	Tx *uint64 `json:"tx,omitempty"`
	Rx *uint64 `json:"rx,omitempty"`
}

const title = "Advanced Statistics for SEA"

var macForm = parse.Lazy(`^[0-9A-Fa-f]{1,2}(:[0-9A-Fa-f]{1,2}){5}$`)

// Parse reads seastat -d output. Errors: parse.ErrNotRecognised if neither
// the title nor a client is found.
func Parse(text []byte) (*Statistics, error) {
	s := &Statistics{}
	r := labels.NewReader(text, &s.Report)
	var head []*labels.Field
	blocks := []*[]*labels.Field{}
	titled := false
	r.Begin(&head)
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Body == title {
			titled = true
			continue
		}
		if q, ok := labels.Cut(l.Body); ok && q.Label == "MAC" && macForm.MatchString(q.Value) {
			s.Clients = append(s.Clients, &Client{MAC: q.Value})
			blocks = append(blocks, new([]*labels.Field))
			r.Begin(blocks[len(blocks)-1])
			continue
		}
		if len(blocks) == 0 && !strings.HasPrefix(l.Body, "Device Name:") && !labels.IsRule(l.Body) {
			s.NotUnderstood(l.Line)
			continue
		}
		r.Read(i)
	}
	s.Device = labels.Find(head, "Device Name").String()
	for i, c := range s.Clients {
		for _, f := range *blocks[i] {
			if n := len(s.Unknown); !c.take(f) && f.Kind != labels.Heading && (n == 0 || s.Unknown[n-1].Number != f.Line) {
				s.NotUnderstood(parse.Line{Number: f.Line, Text: f.Label})
			}
		}
	}
	return parse.Recognised(s, titled || s.Clients != nil)
}

// counter is where the counter of a column and label is kept, nil if there is none.
func (c *Client) counter(columnAndLabel string) **uint64 {
	switch columnAndLabel {
	case "|VLAN":
		return &c.VLAN
	case "|VLAN Priority":
		return &c.Priority
	case "tx|Packets":
		return &c.Packets.Tx
	case "rx|Packets":
		return &c.Packets.Rx
	case "tx|Bytes":
		return &c.Bytes.Tx
	case "rx|Bytes":
		return &c.Bytes.Rx
	}
	return nil
}

// take takes a field's value; false if it is not one of a client's, or a second
// one.
func (c *Client) take(f *labels.Field) bool {
	to := c.counter(string(f.Side) + "|" + f.Label)
	switch {
	case to != nil && *to == nil:
		*to = f.Count()
	case f.Label == "Hostname" && c.Hostname == "":
		c.Hostname = f.String()
	case f.Label == "IP" && c.IP == "":
		c.IP = f.String()
	default:
		return false
	}
	return true
}
