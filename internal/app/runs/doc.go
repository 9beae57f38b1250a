// Package runs carries plans out on the hosts they name, and follows what became
// of it: from this machine's journals and from the hosts themselves.
package runs
