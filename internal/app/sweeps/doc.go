// Package sweeps is what the subcommands of seaworthy fleet do: a hub whose snapshots go
// to a history, the collector of a zone that reads the hosts of this machine's files, and
// what an operator asks of a hub.
package sweeps
