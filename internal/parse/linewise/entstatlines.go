package linewise

import "seaworthy/internal/parse"

// AdapterCounters are lines that a search for words left of entstat: no heading says of which adapter they are, nor of which column.
type AdapterCounters struct {
	parse.Report
	Counters []AdapterCounter `json:"counters"`
}

// AdapterCounter is a number of an adapter.
type AdapterCounter struct {
	// Name is the label, with "tx." or "rx." before it where entstat prints it in the column of what is sent or received.
	Name   string `json:"name"`
	Value  uint64 `json:"value"`
	Number int    `json:"-"` // 1-based line
}

// Labels that entstat prints in one of its two columns alone.
var (
	sentLabel = parse.Lazy(`^(?:Interrupts|Max Packets on S/W Transmit Queue|S/W Transmit Queue Overflow|` +
		`Current S/W\+H/W Transmit Queue Length|Max Collision Errors|Late Collision Errors|Deferred|SQE Test|Timeout Errors|` +
		`Single Collision Count|Multiple Collision Count|Current HW Transmit Queue Length|DMA Underrun|Lost CTS Errors|Transmit Errors)$`)
	receivedLabel = parse.Lazy(`^(?:CRC Errors|DMA Overrun|Alignment Errors|No Resource Errors|Receive Collision Errors|Receive Errors|` +
		`Packet Too Short Errors|Packet Too Long Errors|Packets Discarded by Adapter|Receiver Start Count|Bad Packets)$`)
	adapterCounters = parse.Lazy(`^[ \t]*([A-Z][\w/+ -]*?)[ \t]*:[ \t]+(\d+)(?:[ \t]+([A-Z][\w/+ -]*?)[ \t]*:[ \t]+(\d+))?[ \t]*$`)
)

var adapterCountersOutput = &output[AdapterCounters]{
	name: "entstat-lines",
	rows: []line[AdapterCounters]{func(c *AdapterCounters, l parse.Line) bool {
		m := adapterCounters.FindStringSubmatch(l.Text)
		if m == nil {
			return false
		}
		first, second := m[1], m[3]
		switch {
		case second != "":
			return c.add("tx."+first, m[2], l) && c.add("rx."+second, m[4], l)
		case sentLabel.MatchString(first):
			first = "tx." + first
		case receivedLabel.MatchString(first):
			first = "rx." + first
		}
		return c.add(first, m[2], l)
	}},
}

// add keeps a counter; false if its number is none.
func (c *AdapterCounters) add(name, value string, l parse.Line) bool {
	n, ok := parse.Count(value)
	if !ok {
		return false
	}
	c.Counters = append(c.Counters, AdapterCounter{name, n, l.Number})
	return true
}

// ParseAdapterCounters reads the lines; parse.ErrNotRecognised if none is a counter.
func ParseAdapterCounters(text []byte) (*AdapterCounters, error) {
	return adapterCountersOutput.parse(text)
}
