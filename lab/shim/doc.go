// Package shim is what runs on a node when one of the lab's commands is
// called there: it asks the lab for the answer and passes it on, and does
// nothing else. It is small on purpose. A script on a node calls dozens of
// commands, and the whole program takes four times as long to start as the
// shim takes in all.
package shim
