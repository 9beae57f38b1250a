package largesend

import (
	"encoding/binary"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"

	"seaworthy/lab/packetfilter"
)

// install makes a table with a set and a chain for every device: frames above
// the smallest size are counted in the set by length.
func install(table *nftables.Table, devices []string) error {
	return packetfilter.Change(func(b *packetfilter.Batch) {
		t := b.AddTable(table)
		for _, d := range devices {
			count := b.Counter(t, d, 4)
			b.Rule(b.Ingress(t, d, packetfilter.Counting), sizes(count)...)
		}
	})
}

// installOwn is install for what a bridge's own interface sends: there it has
// been cut already if its largesend is off.
func installOwn(table *nftables.Table, bridge string, ports []string) error {
	return packetfilter.Change(func(b *packetfilter.Batch) {
		t := b.AddTable(table)
		count := b.Counter(t, bridge, 4)
		chain := b.AddChain(&nftables.Chain{Table: t, Name: bridge, Type: nftables.ChainTypeFilter,
			Hooknum: nftables.ChainHookOutput, Priority: packetfilter.Counting})
		for _, p := range ports { // of one bridge alone
			name := make([]byte, unix.IFNAMSIZ)
			copy(name, p)
			b.Rule(chain, append([]expr.Any{
				&expr.Meta{Key: expr.MetaKeyOIFNAME, Register: unix.NFT_REG_1},
				&expr.Cmp{Op: expr.CmpOpEq, Register: unix.NFT_REG_1, Data: name},
			}, sizes(count)...)...)
		}
	})
}

// sizes counts a frame above the smallest size by its length.
func sizes(count expr.Any) []expr.Any {
	return []expr.Any{
		&expr.Meta{Key: expr.MetaKeyLEN, Register: unix.NFT_REG_1},
		// Registers compare byte by byte: the most significant has to come first.
		&expr.Byteorder{SourceRegister: unix.NFT_REG_1, DestRegister: unix.NFT_REG_1, Op: expr.ByteorderHton, Len: 4, Size: 4},
		&expr.Cmp{Op: expr.CmpOpGt, Register: unix.NFT_REG_1, Data: binary.BigEndian.AppendUint32(nil, smallest)},
		count,
	}
}

// read reads the set of a place.
func read(at *place) ([]Size, error) {
	list, err := packetfilter.Read(at.table, at.Device)
	if err != nil {
		return nil, err
	}
	var out []Size
	for _, e := range list {
		if len(e.Key) == 4 {
			out = append(out, Size{int(binary.BigEndian.Uint32(e.Key)), e.Packets, e.Bytes})
		}
	}
	return out, nil
}
