package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect/linux/ipaddr"
	"seaworthy/dialect/linux/iplink"
)

// ipText reads ip addr as text, from levels that print no JSON, into the form
// that JSON is read into.
func (b *builder) ipText(o Output) error {
	l, err := ipaddr.Parse(o.Text)
	if err != nil {
		return err
	}
	b.said(o, &l.Report)
	for _, x := range l.Links {
		d := &iplink.Link{Name: x.Name, Base: x.Base, Flags: x.Flags, MTU: &x.MTU, Master: x.Word("master"), State: x.Word("state")}
		if n, err := strconv.ParseUint(x.Word("qlen"), 10, 32); err == nil {
			d.TxQueue = &n
		}
		for _, y := range x.Lines {
			if kind, ok := strings.CutPrefix(y.Kind, "link/"); ok {
				d.Type, d.MAC = kind, y.Value
				continue
			}
			addr, length, cut := strings.Cut(y.Value, "/")
			words := strings.Fields(y.Rest)
			scope := ""
			if i := slices.Index(words, "scope"); i >= 0 && i+1 < len(words) {
				scope = words[i+1]
			}
			if n, err := strconv.Atoi(length); err == nil && cut {
				d.Addresses = append(d.Addresses, &iplink.Address{Family: y.Kind, Local: addr, Prefix: n, Scope: scope})
			}
		}
		if !ether(d.Type) {
			continue
		}
		b.netdev(o, d)
		if e := b.host.Elements[x.Name]; e != nil {
			for i, f := range e.Attrs["mtu"].From {
				if f.Command == o.Command {
					e.Attrs["mtu"].From[i].Line = x.Number
				}
			}
		}
	}
	return nil
}
