// Package sysfs reads and prints small files of /sys and /proc as grep prints
// several of them: "/sys/class/net/eth0/mtu:1500", one line of a file a line.
//
// A file that cannot be read, such as the speed of a device that is down, is
// left out by grep -s; what is not there is not known.
package sysfs
