// Package quote makes texts that hosts printed harmless where they are shown:
// they appear as text, and never control a terminal, open an element or end a
// quotation. What is not to be seen becomes a visible dot.
package quote
