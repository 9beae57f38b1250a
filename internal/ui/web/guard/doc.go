// Package guard stands between the network and the pages: where the
// server listens, who may ask, and what an answer may make a browser do.
//
//   - Only GET and HEAD are answered.
//   - A request names the server as the user does: another Host is that of a page
//     elsewhere whose name was bound again to this address (DNS rebinding).
//   - Beyond this machine there is no listening without TLS and a token.
//   - A page loads nothing from elsewhere and runs no script of its own text.
package guard
