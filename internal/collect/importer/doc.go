// Package importer makes snapshots of what an administrator has already: an
// IBM snap, a folder of saved outputs under any names, a terminal session, an
// nmon file. It writes the folders that collect writes, so every subcommand
// reads them.
//
//	archive    files, folders and archives   → streams of bytes
//	normalize  a text                         → as the command printed it
//	split      a text                         → the outputs in it
//	detect     an output                      → command, device, coverage
//	importer   outputs                        → hosts, and a folder of each
//
// Which host an output is of is read from the texts, from the surest sign to
// the weakest: a node name in the output itself, the prompt, a heading or the
// beginning of each line that names a host, the only host
// that the same file, snap, sosreport or folder names, the file's name, the
// folder's name. A prompt names the host of its own folder only. Two readings of
// one device are two hosts only if their files' names differ in nothing but what
// may be a host's name; else they are two readings of one host.
//
// The only file of a folder that names a host names the others too if it is named as they are (uname.txt beside
// ethtool.txt), or if a MAC, an address or the folder's name ties it to them. Beside files that are named after what is in
// them, one with another name decides of itself alone (misplaced.go).
//
// What outputs say of ports, addresses, kernel, level and machine (signs.go) is
// evidence too: a file that names a host does not name those that contradict it
// (opposed.go), and files of one host that contradict each other are not merged
// (readings.go).
//
// Of the folder of a support tool (sosreport, supportconfig), known by its name
// or by what only it has, the files that say nothing of the network are left
// aside, and counted (layout.go). --map says of which host some files are,
// whatever they say.
//
// The platform is decided by all outputs of a host together (platform.go): one
// odd file does not outweigh uname. The result says why of both.
//
// Outputs wait in a folder beside the result until all is read, so memory
// holds one file at a time.
package importer
