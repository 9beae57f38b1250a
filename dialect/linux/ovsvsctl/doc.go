// Package ovsvsctl reads what ovs-vsctl says of Open vSwitch: the JSON of
// ovs-vsctl --format=json list Open_vSwitch, Bridge, Port and Interface, one
// table after the other, and the text of ovs-vsctl show.
//
// JSON has the values as RFC 7047 writes them: what a column may lack is an
// empty set, a set of one is the value itself, a row of another table is named
// by its UUID. A port of several interfaces is a bond.
package ovsvsctl
