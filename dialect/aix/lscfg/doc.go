// Package lscfg reads and prints the hardware list of lscfg: the whole list of
// installed resources, and lscfg -vl (-vpl) with the vital product data of a
// device: network address, firmware level, location code.
//
// Labels of vital product data are filled with dots up to a fixed width, and
// some hold dots themselves ("Device Specific.(YL)"); values may be empty.
package lscfg
