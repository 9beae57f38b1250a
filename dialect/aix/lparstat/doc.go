// Package lparstat reads and prints AIX lparstat: -i (the partition's
// configuration), the interval form (processor use) and -H (hypervisor calls).
//
// Which lines -i prints and which columns the interval form has depends on the
// level and on the partition's mode, so both are read by label. Dedicated,
// donating and shared partitions, with and without the pool's "app" column,
// need no case of their own. A decimal comma is read where it cannot be
// anything else, with a warning.
package lparstat
