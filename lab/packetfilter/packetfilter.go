// Package packetfilter has what the lab's uses of nf_tables share: tables whose
// chains see every frame that arrives at a device, and sets that count frames by
// what a rule took from them. A user namespace may do all of this.
//
// It acts in the network namespace of the calling thread.
package packetfilter

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"
)

// Order of the chains of one device: what is lost is not counted, and what is
// forwarded is seen by no later chain.
var (
	Losing     = nftables.ChainPriorityRef(-10)
	Counting   = nftables.ChainPriorityRef(0)
	Forwarding = nftables.ChainPriorityRef(10)
)

// Batch is a list of changes.
type Batch struct {
	*nftables.Conn
	sets uint32
	err  error
}

// Change makes the changes that f adds, all or none.
func Change(f func(b *Batch)) error {
	c, err := nftables.New()
	if err != nil {
		return fmt.Errorf("this kernel has no packet filter (nf_tables): %w", err)
	}
	b := &Batch{Conn: c}
	f(b)
	if b.err != nil {
		return b.err
	}
	err = c.Flush()
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("this kernel's packet filter lacks a part (nf_tables netdev, dynset, counter, numgen, dup): %w", err)
	}
	return err
}

// Device is a table of devices' chains.
func Device(name string) *nftables.Table {
	return &nftables.Table{Name: name, Family: nftables.TableFamilyNetdev}
}

// Bridge is a table of bridges' chains.
func Bridge(name string) *nftables.Table {
	return &nftables.Table{Name: name, Family: nftables.TableFamilyBridge}
}

// Ingress makes a chain, named after the device, that sees what arrives there.
func (b *Batch) Ingress(t *nftables.Table, device string, order *nftables.ChainPriority) *nftables.Chain {
	slog.Debug("nft chain", "table", t.Name, "ingress", device)
	return b.AddChain(&nftables.Chain{Table: t, Name: device, Device: device, Type: nftables.ChainTypeFilter,
		Hooknum: nftables.ChainHookIngress, Priority: order})
}

// Rule appends a rule to a chain.
func (b *Batch) Rule(chain *nftables.Chain, exprs ...expr.Any) {
	b.AddRule(&nftables.Rule{Table: chain.Table, Chain: chain, Exprs: exprs})
}

// Remove removes a table with all it holds; it must be there.
func Remove(t *nftables.Table) error {
	slog.Debug("nft delete table", "table", t.Name)
	return Change(func(b *Batch) { b.DelTable(t) })
}

// Counter makes a set that counts frames and bytes by keys of that many bytes, and
// gives the expression that counts a frame there by what is in register 1.
func (b *Batch) Counter(t *nftables.Table, name string, key uint32) expr.Any {
	b.sets++
	s := set(t, name)
	s.ID, s.KeyType.Bytes = b.sets, key
	b.err = errors.Join(b.err, b.AddSet(s, nil))
	return &expr.Dynset{SetName: name, SetID: s.ID, Operation: unix.NFT_DYNSET_OP_UPDATE, SrcRegKey: unix.NFT_REG_1,
		Exprs: []expr.Any{&expr.Counter{}}}
}

func set(t *nftables.Table, name string) *nftables.Set {
	return &nftables.Set{Table: t, Name: name, Dynamic: true, Size: 1 << 16, KeyType: nftables.SetDatatype{Name: "key"}}
}

// Count is how many frames and bytes there were of one key.
type Count struct {
	Key            []byte
	Packets, Bytes uint64
}

// Read reads a set that Counter made.
func Read(t *nftables.Table, name string) ([]Count, error) {
	c, err := nftables.New()
	if err != nil {
		return nil, err
	}
	list, err := c.GetSetElements(set(t, name))
	if err != nil {
		return nil, err
	}
	var out []Count
	for _, e := range list {
		if e.Counter != nil {
			out = append(out, Count{e.Key, e.Counter.Packets, e.Counter.Bytes})
		}
	}
	return out, nil
}
