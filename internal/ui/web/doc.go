// Package web shows what the other commands print as pages for a browser:
// systems and hosts by severity, a host, a path, a finding with the lines that
// prove it, a plan, measurements, what changed, rules and attributes, and hosts
// as they run.
//
//	store (folders)  ──State──▶ handler ─view─▶ template ─▶ page
//	stream (hosts)   ──Now────▶ events
//	guard: who may ask, and what an answer may do
//
// The server changes nothing: it answers GET and HEAD, and shows commands to be
// copied. What is shown is in the address, so that a link shows it again. Every
// page works without JavaScript; htmx (assets/vendor) only spares loading whole
// pages, and the charts of the running hosts need uPlot. What takes long, such
// as a plan of a large fleet, is a job: the page says so and asks again.
package web
