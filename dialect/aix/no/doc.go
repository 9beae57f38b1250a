// Package no reads and prints the output of AIX no, the network options:
//
//	no -a, no -o NAME   name = value
//	no -L, no -F -L     a table: current, default, boot, minimum, maximum,
//	                    unit and type, with the tunables it depends on below
//
// Values keep AIX's spelling (1M, 64K-1, {512:2048}); Value.Uint counts them
// out. Restricted tunables stand behind the line "##Restricted tunables".
package no
