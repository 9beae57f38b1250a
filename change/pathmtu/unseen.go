package pathmtu

import (
	"context"

	"seaworthy/inventory"
)

// unseen blames what no host can see: the ports of the switch in between. Two
// ends alone cannot show whose port it is; a third point that takes such
// packets can.
func (p Prober) unseen(ctx context.Context, w *Way, path *inventory.Path) ([]Suspect, error) {
	near, far := sides(path)
	if near.kind == "" {
		return []Suspect{{Is: "an element that was not read", Why: "all that were read say that they carry such packets"}}, nil
	}
	asked, err := p.ask(ctx, w, near, far)
	if err != nil {
		return nil, err
	}
	w.Witnesses = asked
	return blame(w, near, far, sizeWords(w)), nil
}

// member is the note of a path's hop that is a port of an EtherChannel.
const member = "member"
