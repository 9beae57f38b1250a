// Package whole sends UDP packets that must not be fragmented (RFC 791: DF) to a port
// that nobody listens on. The far host's ICMP answer, port unreachable, shows that the
// packet arrived in one piece; nothing has to run there.
package whole
