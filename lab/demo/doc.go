// Package demo walks the whole way between two hosts once: collect, audit,
// plan, apply, verify, measure before and after, put everything back. It is
// what the demo runs on a lab, and knows nothing of labs: any hosts will do.
package demo
