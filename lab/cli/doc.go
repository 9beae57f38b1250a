// Package cli holds the subcommands of seaworthy-lab: the lab's, one file each,
// and the demo. What they share with the tool's is in package command.
package cli
