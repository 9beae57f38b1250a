// Package post sends a message to a URL: again with growing pauses while that can help, and
// no longer than its time. What it says of a URL is the server alone: user names, passwords,
// paths and queries of a URL may be secrets, as those of chat services are.
package post
