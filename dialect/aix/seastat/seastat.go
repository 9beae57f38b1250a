package seastat

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/labels"
)

// Statistics is the output of seastat -d.
type Statistics struct {
	dialect.Report
	Device  string    `json:"device"` // the SEA: ent63
	Clients []*Client `json:"clients"`
}

// Client is one block. What it does not print is nil or empty.
type Client struct {
	MAC      string     `json:"mac"`
	VLAN     *uint64    `json:"vlan,omitempty"` // nil too if "None" is printed: frames without a tag
	Priority *uint64    `json:"vlan_priority,omitempty"`
	Hostname string     `json:"hostname,omitempty"`
	IP       string     `json:"ip,omitempty"`
	Packets  Directions `json:"packets"`
	Bytes    Directions `json:"bytes"`
}

// Directions is a counter as the SEA saw it.
type Directions struct {
	Tx *uint64 `json:"tx,omitempty"`
	Rx *uint64 `json:"rx,omitempty"`
}

const title = "Advanced Statistics for SEA"

var macForm = dialect.Lazy(`^[0-9A-Fa-f]{1,2}(:[0-9A-Fa-f]{1,2}){5}$`)

// Parse reads seastat -d output. Errors: dialect.ErrNotRecognised if neither
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
	if !titled && s.Clients == nil {
		return nil, dialect.ErrNotRecognised
	}
	s.Device = labels.Find(head, "Device Name").String()
	for i, c := range s.Clients {
		for _, f := range *blocks[i] {
			if n := len(s.Unknown); !c.take(f) && f.Kind != labels.Heading && (n == 0 || s.Unknown[n-1].Number != f.Line) {
				s.NotUnderstood(dialect.Line{Number: f.Line, Text: f.Label})
			}
		}
	}
	return s, nil
}

// take takes a field's value; false if it is not one of a client's, or a second
// one.
func (c *Client) take(f *labels.Field) bool {
	to := map[string]**uint64{
		"|VLAN": &c.VLAN, "|VLAN Priority": &c.Priority, "tx|Packets": &c.Packets.Tx, "rx|Packets": &c.Packets.Rx,
		"tx|Bytes": &c.Bytes.Tx, "rx|Bytes": &c.Bytes.Rx,
	}[string(f.Side)+"|"+f.Label]
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

// columnWidth is where the right column starts.
const columnWidth = 39

// Format prints statistics as VIOS 3.1 does.
func Format(s *Statistics) []byte {
	double := strings.Repeat("=", 80)
	lines := []string{double, "", title, "Device Name: " + s.Device + " ", "", double}
	put := func(label, value string) {
		if value != "" {
			lines = append(lines, label+": "+value)
		}
	}
	columns := func(left, right string) { lines = append(lines, fmt.Sprintf("%-*s%s", columnWidth, left, right)) }
	for _, c := range s.Clients {
		lines = append(lines, "MAC: "+c.MAC, strings.Repeat("-", 22), "")
		put("VLAN", number(c.VLAN))
		put("VLAN Priority", number(c.Priority))
		put("Hostname", c.Hostname)
		put("IP", c.IP)
		lines = append(lines, "")
		columns("Transmit Statistics:", "Receive Statistics:")
		columns(strings.Repeat("-", 20), strings.Repeat("-", 19))
		columns("Packets: "+number(c.Packets.Tx), "Packets: "+number(c.Packets.Rx))
		columns("Bytes: "+number(c.Bytes.Tx), "Bytes: "+number(c.Bytes.Rx))
		lines = append(lines, "", double)
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

func number(n *uint64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}
