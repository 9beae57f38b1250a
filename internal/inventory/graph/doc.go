// Package graph is the one place that knows what is connected to what. Its nodes are the
// elements of a fleet, its edges say how one uses another:
//
//	client: en0 ──on──▶ virtual adapter ent0 ──bridged-by, VLAN 10, active──▶
//	VIOS:   trunk adapter ent4 ◀──trunk── SEA ent9 ──real adapter──▶ EtherChannel ent8 ──member──▶ port ent0
//
// Down and Up give the edges of an element. Path follows those that frames take now, from
// one interface to another; OnPath says what carries them and what stands by; Ports and
// Uplinks end at the ports; Partners, Active and Segments say who bridges a VLAN; Trees are
// all edges of a host. Rules also ask who shares a subnet or an address with an element.
//
// It answers from what was read, or says what is missing (a model.Gap, a *Missing error). A
// Graph is built once for a fleet and is then only read, by many at a time.
package graph
