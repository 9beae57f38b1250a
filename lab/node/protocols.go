package node

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/inventory"
	"seaworthy/lab/wire"
)

// line is one counter of netstat -s: AIX's wording, and the kernel's counters
// that add up to it. Where AIX prints a second number that the kernel does not
// count (bytes of what was retransmitted), the line is printed without it.
type line struct {
	text string
	from []string
	sub  bool // indented below the line before
}

var protocolLines = map[string][]line{
	"tcp": {
		{"# packets sent", []string{"Tcp.OutSegs", "Tcp.RetransSegs"}, false},
		{"# data packets", []string{"TcpExt.TCPOrigDataSent"}, true},
		{"# data packets retransmitted", []string{"Tcp.RetransSegs"}, true},
		{"# packets received", []string{"Tcp.InSegs"}, false},
		{"# out-of-order packets", []string{"TcpExt.TCPOFOQueue"}, true},
		{"# discarded for bad checksums", []string{"Tcp.InCsumErrors"}, true},
		{"# discarded by listeners", []string{"TcpExt.ListenDrops"}, true},
		{"# discarded due to listener's queue full", []string{"TcpExt.ListenOverflows"}, true},
		{"# ack packet headers correctly predicted", []string{"TcpExt.TCPHPAcks"}, true},
		{"# data packet headers correctly predicted", []string{"TcpExt.TCPHPHits"}, true},
		{"# connection requests", []string{"Tcp.ActiveOpens"}, false},
		{"# connection accepts", []string{"Tcp.PassiveOpens"}, false},
		{"# retransmit timeouts", []string{"TcpExt.TCPTimeouts"}, false},
		{"# connections dropped by rexmit timeout", []string{"TcpExt.TCPAbortOnTimeout"}, true},
		{"# fast retransmits", []string{"TcpExt.TCPFastRetrans"}, false},
	},
	"udp": {
		{"# datagrams received", []string{"Udp.InDatagrams", "Udp.NoPorts", "Udp.InErrors"}, false},
		{"# bad checksums", []string{"Udp.InCsumErrors"}, false},
		{"# dropped due to no socket", []string{"Udp.NoPorts"}, false},
		{"# socket buffer overflows", []string{"Udp.RcvbufErrors"}, false},
		{"# delivered", []string{"Udp.InDatagrams"}, false},
		{"# datagrams output", []string{"Udp.OutDatagrams"}, false},
	},
	"ip": {
		{"# total packets received", []string{"Ip.InReceives"}, false},
		{"# bad header checksums", []string{"IpExt.InCsumErrors"}, false},
		{"# fragments received", []string{"Ip.ReasmReqds"}, false},
		{"# packets reassembled ok", []string{"Ip.ReasmOKs"}, false},
		{"# packets for this host", []string{"Ip.InDelivers"}, false},
		{"# packets for unknown/unsupported protocol", []string{"Ip.InUnknownProtos"}, false},
		{"# packets forwarded", []string{"Ip.ForwDatagrams"}, false},
		{"# packets sent from this host", []string{"Ip.OutRequests"}, false},
		{"# output packets dropped due to no bufs, etc.", []string{"Ip.OutDiscards"}, false},
		{"# output packets discarded due to no route", []string{"Ip.OutNoRoutes"}, false},
		{"# output datagrams fragmented", []string{"Ip.FragOKs"}, false},
		{"# fragments created", []string{"Ip.FragCreates"}, false},
		{"# datagrams that can't be fragmented", []string{"Ip.FragFails"}, false},
	},
	"icmp": {
		{"# bad checksums", []string{"Icmp.InCsumErrors"}, false},
		{"# message responses generated", []string{"Icmp.OutEchoReps"}, false},
	},
}

// netstatProtocols is netstat -s and netstat -p. It prints the lines that the
// kernel has numbers for, and no others.
func (w *Simulator) netstatProtocols(c *Call, only string) error {
	names := []string{"ip", "icmp", "tcp", "udp"}
	if only != "" {
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
		for _, l := range protocolLines[name] {
			n, ok := sum(k, l.from)
			if !ok {
				continue
			}
			e := &protocols.Entry{Text: l.text, Values: []protocols.Number{{N: n}}}
			if l.sub && len(p.Entries) > 0 {
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
	c.Stdout.Write(protocols.Format(out))
	return nil
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
func (w *Simulator) addLargeSends(c *Call, p *protocols.Protocol) {
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

// largeSends adds up a node's interfaces.
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

// holder is the SEA or EtherChannel that has an adapter open.
func (w *Simulator) holder(node, adapter string) (string, bool) {
	for _, d := range w.Stores[node].Devices() {
		if slices.Contains(d.Members, adapter) && d.Kind != inventory.VLANDevice {
			return d.Name, true
		}
	}
	return "", false
}
