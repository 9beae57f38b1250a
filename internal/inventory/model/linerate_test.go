package model

import "testing"

func TestLineRate(t *testing.T) {
	speed := func(mbit int64) *Element { return &Element{Kind: Physical, PortFacts: PortFacts{SpeedMb: &mbit}} }
	f := &Fleet{Hosts: []*Host{
		{Name: "a", Elements: map[string]*Element{"ent0": speed(10000), "ent1": speed(1000), "ent2": speed(1000), "ent3": {Kind: Physical}}},
	}}
	hop := func(name, note string) Hop { return Hop{Ref: &Ref{"a", name}, Kind: string(Physical), Note: note} }
	through := Hop{Kind: EthernetSwitch}
	for _, c := range []struct {
		name string
		hops []Hop
		want uint64
	}{
		{"two ports of 10 Gbit/s", []Hop{hop("ent0", ""), through, hop("ent0", "")}, 10e9},
		{"the slower one", []Hop{hop("ent0", ""), through, hop("ent1", "")}, 1e9},
		{"an EtherChannel of two", []Hop{hop("ent1", MemberNote), hop("ent2", MemberNote), through, hop("ent0", "")}, 2e9},
		{"one that does not say", []Hop{hop("ent0", ""), through, hop("ent3", "")}, 0},
		{"inside a system", []Hop{{Kind: HypervisorSwitch}}, 0},
	} {
		if got := f.LineRate(&Path{Hops: c.hops}); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}
