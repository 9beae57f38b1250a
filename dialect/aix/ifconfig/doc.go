// Package ifconfig reads and prints AIX ifconfig: -a, one interface, and -l.
//
// An interface is a head line (name, flag words, flag names), address lines,
// and one line of options: the interface's own network options (ISNO), which
// belong to the interface above it. Which options are set at all is what the
// line says: an option that is missing falls back to the no(1) value.
//
// The flag names are the proof that largesend runs (LARGESEND) and that
// checksum offload is active (CHECKSUM_OFFLOAD(ACTIVE)); the ODM says only
// what should be. Saved copies often lose the names, which stand in angle
// brackets; Has then answers from the flag words or says it does not know.
package ifconfig
