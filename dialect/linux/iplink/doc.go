// Package iplink reads and prints the JSON of Linux iproute2: ip -j [-d] [-s]
// link, ip -j addr and ip -j route.
//
// What is not typed here is kept as raw JSON with the object it stands in, in
// its place. Format prints the canonical text of ip -j: one array on one line.
// A text that is spaced otherwise (ip -j -p) comes back in that form, with the
// same values; a text as ip -j prints it comes back byte for byte.
package iplink
