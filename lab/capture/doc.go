// Package capture counts the frames of one TCP stream by size at every end of
// a lab's cables, so that it can be seen where large frames are whole and who
// cuts them. A tap is a packet socket with a ring, which an unprivileged lab
// may open in its own namespaces; what the kernel hands to a device is seen
// after the kernel's own segmentation, and what a device received after
// aggregation. Taps that were too slow say how many frames they missed.
package capture
