// Package labels reads what statistics commands print: labels with values. It
// knows no driver and no command, only the shapes of lines:
//
//	Packets: 19                 Packets: 20      two columns, below a heading of two
//	State: open                 Reboots: 3       several pairs on a line
//	rx_octets_high = 0                           other drivers' form of a pair
//	Driver Flags: Up Running                     a list, which goes on in the next line
//	Min Buffers      512    128                  a row of a table
//	General Statistics:                          a heading: a rule or deeper lines follow
//
// Each becomes a Field, in printed order, with the headings above it. A
// line that fits none is reported as not understood. A codec reads the lines
// that start a device, hands all others to the Reader, and answers its own
// questions from the fields.
package labels
