// Package netstat gathers the codecs of AIX netstat, one package per report:
//
//	interfaces  netstat -i, -in, -ia, -idn
//	routes      netstat -r, -rn
//	protocols   netstat -s, -p PROTOCOL
//	mbufs       netstat -m
package netstat
