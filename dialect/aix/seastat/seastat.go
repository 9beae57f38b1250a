package seastat

import (
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

const title = "Advanced Statistics for SEA"

var (
	ruler = dialect.Lazy(`^(=+|-[- ]*)$`)
	mac   = dialect.Lazy(`^[0-9A-Fa-f]{1,2}(:[0-9A-Fa-f]{1,2}){5}$`)
)

// Parse reads seastat -d output. Errors: dialect.ErrNotRecognised if neither
// the title nor a client is found.
func Parse(text []byte) (*Statistics, error) {
	if len(text) > dialect.MaxText {
		return nil, dialect.ErrNotRecognised
	}
	s := &Statistics{}
	r := layout.NewReader(text, &s.Report)
	titled := false
	for {
		line, ok := r.Next()
		if !ok {
			break
		}
		_, body, _ := layout.Trim(line)
		pairs, left, right, isPairs := layout.ReadPairs(line)
		switch {
		case body == "" || ruler.MatchString(body):
			r.Keep()
		case body == title:
			titled = true
			r.Keep()
		case strings.HasPrefix(body, "Transmit Statistics:"):
			r.Keep()
		case isPairs && s.read(r, pairs, left, right):
		default:
			r.Unread()
		}
	}
	s.Layout.Sheet = r.Sheet()
	if !titled && s.Clients == nil {
		return nil, dialect.ErrNotRecognised
	}
	return s, nil
}

func (s *Statistics) read(r *layout.Reader, p layout.Pairs, left, right string) bool {
	switch {
	case p.Left == "MAC" && p.Right == "" && mac.MatchString(left):
		s.Clients = append(s.Clients, &Client{MAC: left})
	case p.Left == "Device Name" && p.Right == "" && s.Device == "" && s.Clients == nil && left != "":
		s.Device = left
		s.Layout.device = &row{r.Held(), p}
		return true
	case s.Clients == nil:
		return false
	case !s.Clients[len(s.Clients)-1].set(p, left, right):
		return false
	}
	c := s.Clients[len(s.Clients)-1]
	c.Layout.rows = append(c.Layout.rows, &row{r.Held(), p})
	return true
}

// set takes a line's values; false if it is no line of a block, or a second one.
func (c *Client) set(p layout.Pairs, left, right string) bool {
	if d := c.directions(p.Left); d != nil {
		tx, ok1 := layout.Count(left)
		rx, ok2 := layout.Count(right)
		if !ok1 || !ok2 || p.Right != p.Left || d.Tx != nil {
			return false
		}
		d.Tx, d.Rx = &tx, &rx
		return true
	}
	if p.Right != "" || left == "" {
		return false
	}
	switch p.Left {
	case "VLAN":
		return !c.Untagged && setCount(&c.VLAN, left) || setNone(&c.Untagged, c.VLAN, left)
	case "VLAN Priority":
		return !c.NoPriority && setCount(&c.Priority, left) || setNone(&c.NoPriority, c.Priority, left)
	case "Hostname":
		return setText(&c.Hostname, left)
	case "IP":
		return setText(&c.IP, left)
	}
	return false
}

func setCount(field **uint64, text string) bool {
	n, ok := layout.Count(text)
	if !ok || *field != nil {
		return false
	}
	*field = &n
	return true
}

// none is what stands for the number of a VLAN that frames did not carry.
const none = "None"

func setNone(field *bool, number *uint64, text string) bool {
	if text != none || *field || number != nil {
		return false
	}
	*field = true
	return true
}

func setText(field *string, text string) bool {
	if *field != "" {
		return false
	}
	*field = text
	return true
}

func (c *Client) directions(label string) *Directions {
	switch label {
	case "Packets":
		return &c.Packets
	case "Bytes":
		return &c.Bytes
	}
	return nil
}

// values are the texts of a line; an absent value prints as nothing.
func (c *Client) values(label string) (left, right string) {
	if d := c.directions(label); d != nil {
		return number(d.Tx), number(d.Rx)
	}
	switch label {
	case "MAC":
		return c.MAC, ""
	case "VLAN":
		return numberOr(c.VLAN, c.Untagged), ""
	case "VLAN Priority":
		return numberOr(c.Priority, c.NoPriority), ""
	case "Hostname":
		return c.Hostname, ""
	}
	return c.IP, ""
}

func numberOr(n *uint64, isNone bool) string {
	if n == nil && isNone {
		return none
	}
	return number(n)
}

func number(n *uint64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}

var (
	double = strings.Repeat("=", 80)
	column = 39 // of the right column
)

// Format prints Statistics as Parse read them. New ones are printed as VIOS
// 3.1 does; text behind the last block is a double line.
func Format(s *Statistics) []byte {
	var lines []string
	fresh := s.Layout.device == nil && len(s.Layout.After) == 0 && (len(s.Clients) == 0 || s.Clients[0].Layout.rows == nil)
	switch d := s.Layout.device; {
	case d != nil:
		lines = append(append(lines, d.before...), d.pairs.Place(s.Device, ""))
	case fresh:
		lines = append(lines, double, "", title, "Device Name: "+s.Device+" ", "")
	}
	for _, c := range s.Clients {
		for _, row := range c.Layout.rows {
			left, right := c.values(row.pairs.Left)
			lines = append(append(lines, row.before...), row.pairs.Place(left, right))
		}
		if c.Layout.rows == nil {
			lines = append(lines, c.fresh()...)
		}
	}
	if fresh {
		lines = append(lines, double)
	}
	return s.Layout.Join(lines)
}

func (c *Client) fresh() []string {
	lines := []string{double, "MAC: " + c.MAC, "----------------------", ""}
	for _, label := range []string{"VLAN", "VLAN Priority", "Hostname", "IP"} {
		if text, _ := c.values(label); text != "" {
			lines = append(lines, label+": "+text)
		}
	}
	lines = append(lines, "",
		layout.NewPairs("Transmit Statistics", "Receive Statistics", column).Heading(),
		"--------------------                   -------------------")
	for _, label := range []string{"Packets", "Bytes"} {
		left, right := c.values(label)
		lines = append(lines, layout.NewPairs(label, label, column).Place(left, right))
	}
	return append(lines, "")
}
