package largesend

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"seaworthy/lab/nfnl"
)

const table = "seaworthy"

// tableOf is that of a device which came later: it goes with the device.
func tableOf(device string) string { return table + "-sizes-" + device }

// install makes a table with a set and a chain for every device: frames above
// the smallest size are counted in the set by length.
func install(table string, devices ...string) error {
	b := nfnl.NewBatch()
	b.Table(table)
	for _, d := range devices {
		set := b.Set(table, d, 4)
		b.Ingress(table, d, d, nfnl.Counting)
		b.Rule(table, d, sizes(set)...)
	}
	return b.Do()
}

// installOwn is install for what a bridge's own interface sends: there it has
// been cut already if its largesend is off.
func installOwn(bridge string, ports []string) error {
	b := nfnl.NewBridgeBatch()
	t := tableOf(bridge)
	b.Table(t)
	set := b.Set(t, bridge, 4)
	b.Own(t, bridge)
	for _, p := range ports { // of one bridge alone
		b.Rule(t, bridge, append(nfnl.To(p), sizes(set)...)...)
	}
	return b.Do()
}

// sizes counts a frame above the smallest size in a set, by its length.
func sizes(set nfnl.Set) [][]byte {
	length := binary.BigEndian.AppendUint32(nil, smallest)
	return [][]byte{
		nfnl.Expr("meta", nfnl.Be32(unix.NFTA_META_KEY, unix.NFT_META_LEN), nfnl.Be32(unix.NFTA_META_DREG, nfnl.Reg1)),
		// Registers compare byte by byte: the most significant has to come first.
		nfnl.Expr("byteorder", nfnl.Be32(unix.NFTA_BYTEORDER_SREG, nfnl.Reg1), nfnl.Be32(unix.NFTA_BYTEORDER_DREG, nfnl.Reg1),
			nfnl.Be32(unix.NFTA_BYTEORDER_OP, unix.NFT_BYTEORDER_HTON), nfnl.Be32(unix.NFTA_BYTEORDER_LEN, 4), nfnl.Be32(unix.NFTA_BYTEORDER_SIZE, 4)),
		nfnl.Expr("cmp", nfnl.Be32(unix.NFTA_CMP_SREG, nfnl.Reg1), nfnl.Be32(unix.NFTA_CMP_OP, unix.NFT_CMP_GT),
			nfnl.Nested(unix.NFTA_CMP_DATA, nfnl.Attr(unix.NFTA_DATA_VALUE, length))),
		nfnl.Count(set),
	}
}

// uninstall takes the table of a device away.
func uninstall(device string) error {
	b := nfnl.NewBatch()
	b.Remove(tableOf(device))
	return b.Do()
}

// uninstallOwn takes the table of a bridge away.
func uninstallOwn(bridge string) error {
	b := nfnl.NewBridgeBatch()
	b.Remove(tableOf(bridge))
	return b.Do()
}

// read dumps the set of a place.
func read(at place) ([]Size, error) {
	dump := nfnl.Dump
	if at.own {
		dump = nfnl.DumpBridge
	}
	list, err := dump(at.table, at.Device)
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
