// Package probe is the helper that makes load at the two ends of a path and
// reads the meters of a host: what cmd/seaworthy-probe runs on an endpoint, and
// the client with which a controller talks to it.
//
// The controller starts the helper in a remote session. Control is one JSON
// object a line on the helper's stdin and stdout; the helper opens no other
// port than the one that carries the measured load, and ends with its stdin.
//
// A trial goes: listen at one end, connect at the other, wait for the warm-up
// to pass, begin on every host, wait, end on every host, stop. Everything
// between begin and end is measured on the clock of the host that measures
// it, while the load runs on, so that no clocks need to agree and neither the
// start nor the end of the load falls into the figures.
//
// The parts are packages of their own: sock (TCP sockets, their buffers and
// TCP_INFO), load (stream and request/response loops), meter (CPU of the host), whole
// (packets that must not be fragmented).
package probe
