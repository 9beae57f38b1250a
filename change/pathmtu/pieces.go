package pathmtu

import (
	"context"

	"seaworthy/change/task"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/dialect/linux/procnet"
)

// Pieces are fragments that were counted while packets were sent: the second
// witness where ping cannot forbid them.
type Pieces struct {
	Created  uint64 `json:"created"`  // by the sender
	Received uint64 `json:"received"` // by the far end
}

func (p *Pieces) none() bool { return p.Created == 0 && p.Received == 0 }

// tries of a count: other packets of a busy host come in pieces too.
const tries = 3

// watch sends packets that may be fragmented and counts the pieces. One count
// without any proves that they were whole. nil: it cannot be counted, or what
// grew may belong to other packets.
func (p Prober) watch(ctx context.Context, w *Way, size int) (*Pieces, error) {
	got, err := p.count(ctx, w, size)
	if err != nil || got == nil || got.none() {
		return got, err
	}
	// Small packets in between: the same growth shows that it is not of ours.
	other, err := p.count(ctx, w, Smallest)
	if err != nil || other == nil || !other.none() {
		return nil, err
	}
	return got, nil
}

// count counts pieces over a ping, up to the first count without any.
func (p Prober) count(ctx context.Context, w *Way, size int) (got *Pieces, err error) {
	p.alone.Lock()
	defer p.alone.Unlock()
	for range tries {
		before, err := p.pieces(ctx, w)
		if err != nil || before == nil {
			return nil, err
		}
		one, err := p.send(ctx, w.From.Host, w.Address, size, "", sure)
		if err != nil {
			return nil, err
		}
		after, err := p.pieces(ctx, w)
		if err != nil || after == nil {
			return nil, err
		}
		if one.Outcome != Passed || after.Created < before.Created || after.Received < before.Received {
			return nil, nil // lost by chance, or reset meanwhile
		}
		if got = (&Pieces{after.Created - before.Created, after.Received - before.Received}); got.none() {
			return got, nil
		}
	}
	return got, nil
}

// pieces reads the counters of both ends; nil if one of them does not show them.
func (p Prober) pieces(ctx context.Context, w *Way) (*Pieces, error) {
	from, err := p.counters(ctx, w.From.Host)
	if err != nil || from == nil {
		return nil, err
	}
	to, err := p.counters(ctx, w.To.Host)
	if err != nil || to == nil {
		return nil, err
	}
	return &Pieces{from.Created, to.Received}, nil
}

// counters are the fragments that a host made and got; nil if it does not show them.
func (p Prober) counters(ctx context.Context, name string) (*Pieces, error) {
	res, err := p.say(ctx, name, task.Login.IPCounters, 1<<20)
	if err != nil || res == nil {
		return nil, err
	}
	return parsePieces(res.Stdout), nil
}

// parsePieces reads netstat -s of AIX or /proc/net/snmp.
func parsePieces(text []byte) *Pieces {
	var made, got uint64
	var ok, there bool
	if t, err := procnet.Parse(text); err == nil {
		all := t.Counters()
		made, ok = all["Ip.FragCreates"]
		got, there = all["Ip.ReasmReqds"]
	} else if t, err := protocols.Parse(text); err == nil {
		made, ok = t.Get("ip", "fragments_created")
		got, there = t.Get("ip", "fragments_received")
	}
	if !ok || !there {
		return nil
	}
	return &Pieces{made, got}
}
