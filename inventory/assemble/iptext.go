package assemble

import "seaworthy/dialect/linux/iplink"

// ipText reads ip addr as text, from levels that print no JSON.
func (b *builder) ipText(o Output) error {
	l, err := iplink.ParseText(o.Text)
	if err != nil {
		return err
	}
	b.said(o, &l.Report)
	for _, x := range l.Links {
		if ether(x.Type) {
			b.netdev(o, x)
		}
	}
	return nil
}
