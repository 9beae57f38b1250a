package commands

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/lab/printing"
)

// line is one counter of netstat -s; its keys are explained in protocols.yaml.
type line struct {
	Text string
	From []string
	Sub  bool
}

//go:embed protocols.yaml
var protocolsText []byte

var protocolLines = sync.OnceValue(func() (out map[string][]line) { return readYAML(protocolsText, out) })

// protocols is netstat -s and netstat -p. It prints the lines that the
// kernel has numbers for, and no others.
func (c netstatCall) protocols() error {
	names := []string{"ip", "icmp", "tcp", "udp"}
	if only := c.Value("p"); only != "" {
		if !slices.Contains(names, only) {
			return fmt.Errorf("%s: unknown or uninstrumented protocol", only)
		}
		names = []string{only}
	}
	k, err := c.sim.Counters().Protocols(c.Node)
	if err != nil {
		return err
	}
	out := &protocols.Statistics{}
	for _, name := range names {
		p := &protocols.Protocol{Name: name}
		for _, l := range protocolLines()[name] {
			n, ok := sum(k, l.From)
			if !ok {
				continue
			}
			e := &protocols.Entry{Text: l.Text, Values: []protocols.Number{{N: n}}}
			if l.Sub && len(p.Entries) > 0 {
				last := p.Entries[len(p.Entries)-1]
				last.Children = append(last.Children, e)
			} else {
				p.Entries = append(p.Entries, e)
			}
		}
		if name == "tcp" {
			c.addLargeSends(p)
		}
		out.Protocols = append(out.Protocols, p)
	}
	return c.Print(printing.FormatProtocols(out))
}

func sum(k map[string]uint64, names []string) (n uint64, ok bool) {
	for _, name := range names {
		v, ok := k[name]
		if !ok {
			return 0, false
		}
		n += v
	}
	return n, true
}

// addLargeSends puts the largesend lines below "packets sent".
func (c netstatCall) addLargeSends(p *protocols.Protocol) {
	l, err := c.sim.Counters().LargeSends(c.Node)
	if err != nil {
		fmt.Fprintf(c.Stderr, "netstat: large sends are not counted here: %v\n", err)
		return
	}
	for _, e := range p.Entries {
		if e.Text != "# packets sent" {
			continue
		}
		for _, x := range []struct {
			text string
			n    uint64
		}{{"# large sends", l.Frames}, {"# bytes sent using largesend", l.Bytes}, {"# bytes is the biggest largesend", l.Biggest}} {
			e.Children = append(e.Children, &protocols.Entry{Text: x.text, Values: []protocols.Number{{N: x.n}}})
		}
	}
}
