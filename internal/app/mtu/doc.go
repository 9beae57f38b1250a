// Package mtu proves over running hosts how large a packet a path carries: with
// their own ping, or with a helper program that is started there.
package mtu
