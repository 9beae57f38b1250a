// Package report turns findings, plans, paths, runs and measurements into
// text for a terminal, or into an HTML page (Page) by the same functions. The
// rules of its output:
//
//   - columns are aligned, units are in the heading, numbers are right-aligned;
//   - colour only on a terminal and never without NO_COLOR's leave, and no
//     meaning rests on colour alone;
//   - what is not known is a dash, never a zero;
//   - the same input prints the same text.
//
// What is laid out line by line is a template of the folder layouts (Printer.Lay);
// its functions, line, prose, row and others, are in layout.go.
package report
