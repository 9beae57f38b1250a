// Package drawing draws the network of Power systems: the path between two
// interfaces (Path) and whole systems with their VLANs (Map).
//
// A path is drawn as people draw it on a board: a managed system is a box, its
// LPARs stand at the top, the hypervisor switch is a bar below them, its VIOSes
// stand beside each other under the bar, and the Ethernet switch is a bar under
// all systems. Frames go down on one side and up on the other. Each kind of
// element has a lane (lanes) of its own, the same in every system. What carries
// the frames now is solid, what stands by is dashed.
//
//	graph (elements, lines) ─ layout ─▶ Drawing (rectangles, points, texts in px) ─▶ SVG · DOT · Mermaid · draw.io
//
// The same input gives the same picture. Nothing overlaps, whatever the names:
// a text is measured as the widest common font would set it, and cut where it
// does not fit; the whole text is its tooltip.
package drawing
