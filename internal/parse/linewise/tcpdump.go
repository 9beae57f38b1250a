package linewise

import "seaworthy/internal/parse"

// Capture is the text of tcpdump. What it is kept for are wrong checksums in the UDP headers of tunnels, which the sender
// wrote.
type Capture struct {
	parse.Report
	bad    []int
	packet bool // there is one
}

var (
	capturePacket = parse.Lazy(`^(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d+ (?:\S+ +(?:In|Out|B|M|P) +)?(?:IP6?|ARP|[0-9a-f]{2}:[0-9a-f:]+ )`)
	// Options of IP and what is inside a tunnel stand on lines of their own, and so does what tcpdump says itself.
	captureMore = parse.Lazy(`^(?:[ \t]+\S|tcpdump: |listening on |\d+ packets? (?:captured|received|dropped))`)
	tunnelBad   = parse.Lazy(`\.(?:4789|8472|6081): .*\[bad udp cksum`)
)

var captureOutput = &output[Capture]{
	name: "tcpdump",
	rows: []line[Capture]{func(c *Capture, l parse.Line) bool {
		packet := capturePacket.MatchString(l.Text)
		if !packet && !captureMore.MatchString(l.Text) {
			return false
		}
		c.packet = c.packet || packet
		if tunnelBad.MatchString(l.Text) {
			c.bad = append(c.bad, l.Number)
		}
		return true
	}},
	recognised: func(c *Capture) bool { return c.packet },
}

// BadTunnels are the lines with a wrong checksum of VXLAN (4789, 8472) or Geneve (6081).
func (c *Capture) BadTunnels() []int { return c.bad }

// ParseCapture reads an output; parse.ErrNotRecognised without a packet.
func ParseCapture(text []byte) (*Capture, error) { return captureOutput.parse(text) }
