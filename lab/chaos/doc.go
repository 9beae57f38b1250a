// Package chaos changes the hosts of a lab while things go wrong: the program
// is killed, connections are cut, hosts reboot, commands fail or hang, disks
// are full, watchdogs are killed, two people change the same hosts at once.
// Afterwards every host must have exactly its new or exactly its earlier
// values, running and for the next boot.
//
// Linux hosts, of a guest's image, have reboots on top of that: a round's outcome must
// outlive one (make torture-linux).
//
// There is no code here to use: its tests are run with make torture N=500 SEED=1, and
// make tune-torture N=50, which kills studies of tune.
// The same seed gives the same rounds; what the machine makes of their timing
// differs.
package chaos
