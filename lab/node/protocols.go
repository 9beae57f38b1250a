package node

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/linux/procnet"
	"seaworthy/lab/printing"
	"seaworthy/lab/wire"
)

// line is one counter of netstat -s; its keys are explained in protocols.yaml.
type line struct {
	Text string
	From []string
	Sub  bool
}

//go:embed protocols.yaml
var protocolsText []byte

var protocolLines = sync.OnceValue(func() (out map[string][]line) { return table(protocolsText, out) })

// netstatProtocols is netstat -s and netstat -p. It prints the lines that the
// kernel has numbers for, and no others.
func (w *Simulator) netstatProtocols(c *call) error {
	names := []string{"ip", "icmp", "tcp", "udp"}
	if only := c.Value("p"); only != "" {
		if !slices.Contains(names, only) {
			return fmt.Errorf("%s: unknown or uninstrumented protocol", only)
		}
		names = []string{only}
	}
	k, err := w.protocols(c.Node)
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
			w.addLargeSends(c, p)
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
func (w *Simulator) addLargeSends(c *call, p *protocols.Protocol) {
	l, err := w.largeSends(c.Node)
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

func (w *Simulator) largeSends(node string) (LargeSend, error) {
	var all LargeSend
	if w.LargeSend == nil {
		return all, errors.New("this lab has no meter for them")
	}
	_, n := w.node(node)
	for _, a := range n.Adapters {
		if _, below := w.holder(node, a.Name); below || len(w.Stores[node].Addresses(strings.Replace(a.Name, "ent", "en", 1))) == 0 {
			continue // carries no IP of its own
		}
		l, err := w.LargeSend(wire.End{Namespace: node, Device: wire.DeviceName(a.Name)})
		if err != nil {
			return all, err
		}
		all.Frames += l.Frames
		all.Bytes += l.Bytes
		all.Biggest = max(all.Biggest, l.Biggest)
	}
	return all, nil
}

// kernelHost is an address as /proc/net prints it: words in the machine's byte order, 1 of IPv4 and 4 of IPv6.
func kernelHost(words []byte) (netip.Addr, bool) {
	var b []byte
	for w := range slices.Chunk(words, 4) {
		if len(w) < 4 {
			return netip.Addr{}, false
		}
		b = binary.BigEndian.AppendUint32(b, binary.NativeEndian.Uint32(w))
	}
	a, ok := netip.AddrFromSlice(b)
	return a.Unmap(), ok
}

// protocols are a node's protocol counters since it has booted. One that is
// smaller than it was then is not a counter: sockets in use, not packets.
func (w *Simulator) protocols(node string) (map[string]uint64, error) {
	out, err := w.kernelProtocols(node)
	if b := w.boots.get(node); b != nil && err == nil {
		for k, was := range b.protocols {
			if now, ok := out[k]; ok && now >= was {
				out[k] = now - was
			}
		}
	}
	return out, err
}

func (w *Simulator) kernelProtocols(node string) (map[string]uint64, error) {
	out := map[string]uint64{}
	for _, path := range []string{"/proc/net/snmp", "/proc/net/netstat"} {
		text, err := w.ReadFile(node, path)
		if err != nil {
			return nil, err
		}
		t, err := procnet.Parse(text)
		if err == nil && len(t.Unknown) > 0 {
			err = fmt.Errorf("line %d: names and numbers do not match", t.Unknown[0].Number)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", node, path, err)
		}
		maps.Copy(out, t.Counters())
	}
	return out, nil
}
