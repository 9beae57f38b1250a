// Package past does what subcommands do with a history: it adds snapshots with their facts,
// findings and the runs that changed hosts, asks what held at a time, what changed and since
// when, and gives back saved hosts as they were.
package past
