// Package printing prints what AIX, VIOS, HMC and netperf commands print, from
// the typed values of the packages in internal/parse: one file and one Format
// function a command. The nodes and consoles of a lab answer with it.
//
// A Format function knows typed values alone, never the text they may have been
// read from; reading its output back gives the same values. Most outputs are
// templates: see newLayout.
package printing
