// Package ethtool reads and prints the texts of Linux ethtool: settings of a
// device, -k features, -i driver, -S statistics, -l channels, -g rings, -c
// coalescing and -a pause.
//
// All are labels with values below a title that names the device (-i and -S
// have none), some in sections. A feature may be [fixed] or [requested on]:
// asked for but not in force, which is what an audit wants to know.
package ethtool
