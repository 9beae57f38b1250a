package linewise

import "seaworthy/internal/parse"

// Capture is the text of tcpdump. What it is kept for are wrong checksums in the UDP headers of tunnels, which the sender
// wrote, and windows of TCP that are closed.
type Capture struct {
	parse.Report
	bad    []int
	closed []int
	packet bool // there is one
}

var (
	capturePacket = parse.Lazy(`^(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d+ (?:\S+ +(?:In|Out|B|M|P) +)?(?:IP6?|ARP|[0-9a-f]{2}:[0-9a-f:]+ )`)
	// Options of IP and what is inside a tunnel stand on lines of their own, and so does what tcpdump says itself.
	captureMore = parse.Lazy(`^(?:[ \t]+\S|tcpdump: |listening on |\d+ packets? (?:captured|received|dropped))`)
	// A reset has no window. The SYN of a connection says nothing of a reader.
	windowClosed = parse.Lazy(`^\d\d:\d\d:\d\d\.\d+ (?:\S+ +(?:In|Out|B|M|P) +)?IP6? .*(?:: \.|\[[P.]+\]|: P).*\bwin 0\b`)
	tunnelBad    = parse.Lazy(`\.(?:4789|8472|6081): .*\[bad udp cksum`)
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
		if windowClosed.MatchString(l.Text) {
			c.closed = append(c.closed, l.Number)
		}
		return true
	}},
	recognised: func(c *Capture) bool { return c.packet },
}

// BadTunnels are the lines with a wrong checksum of VXLAN (4789, 8472) or Geneve (6081).
func (c *Capture) BadTunnels() []int { return c.bad }

// ClosedWindows are the lines of segments by which an end says that it takes no more data.
func (c *Capture) ClosedWindows() []int { return c.closed }

// ParseCapture reads an output; parse.ErrNotRecognised without a packet.
func ParseCapture(text []byte) (*Capture, error) { return captureOutput.parse(text) }
