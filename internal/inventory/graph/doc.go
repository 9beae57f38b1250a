// Package graph joins the elements of a fleet: what is on top of what in a
// host, which SEA carries which client, who shares a subnet, a MAC address or a
// managed system. It answers from what was read, or says what is missing (a
// *Missing error).
//
// A Graph is built once for a fleet and is then only read, by many at a time.
package graph
