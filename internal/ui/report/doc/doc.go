// Package doc is the typed form of a report and its writers. A report is a
// Document: a list of blocks (headings, lines, labelled prose, code, tables,
// figures). WriteText, WriteHTML, WriteMarkdown and WriteCSV walk the blocks.
//
// The rules of what they write:
//
//   - columns are aligned and numbers are right-aligned;
//   - colour needs a terminal, and no meaning rests on colour alone;
//   - an unknown value is a dash (in CSV an empty field), never a zero;
//   - the same document gives the same output;
//   - every text may come from a host, so every writer escapes it: no text
//     controls a terminal, opens an element, or becomes a formula.
package doc
