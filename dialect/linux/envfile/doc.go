// Package envfile reads and prints Linux files of KEY=value lines:
// /etc/os-release, whose values may stand in quotes, /proc/ppc64/lparcfg and
// the uevent files of sysfs.
package envfile
