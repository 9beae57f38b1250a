// Package bridgefdb reads bridge fdb show of Linux: to which port a bridge sends
// the frames for a MAC address. Forms: bridge(8) and bridge/fdb.c of iproute2.
package bridgefdb
