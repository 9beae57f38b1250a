// Package normalize brings a saved text to the form in which it was printed:
// UTF-8, line feeds, no colours' leftovers, no quote marks of a mail.
//
// Other damage is refused and not undone, as what it did to the values cannot
// be known: a recording with cursor movements, text out of a word processor.
// detect.Unread explains the rest, where nothing in a text is recognised.
package normalize
