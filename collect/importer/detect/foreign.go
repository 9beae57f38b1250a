package detect

import (
	"bytes"
	"unicode/utf8"

	"seaworthy/dialect"
)

// trace is what outputs of network commands hold in every language.
var trace = dialect.Lazy(`\bent?[0-9]{1,5}\b|\bl-lan\b|\blcpu=|\bETHERNET\b|\blo0\b|\bShared-SMT\b|\bUncapped\b`)

// Unread says why a text that no kind fits may be none; empty if nothing shows.
func Unread(text []byte) string {
	head := text[:min(len(text), maxMarked)]
	for _, f := range []struct{ magic, name string }{
		{"\xfd7zXZ\x00", "an xz archive"}, {"\x28\xb5\x2f\xfd", "a zstd archive"}, {"7z\xbc\xaf\x27\x1c", "a 7z archive"}, {"Rar!", "a RAR archive"},
		{"%PDF-", "a PDF"}, {"\x89PNG\r\n", "a picture"}, {"\xff\xd8\xff", "a picture"}, {"{\\rtf", "an RTF document"},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name + ": unpack it, or save the outputs as plain text"
		}
	}
	if bytes.Contains(head, []byte("<w:document")) {
		return "a word processor's document: save the outputs as plain text"
	}
	if Binary(head) || utf8.RuneCount(head) == len(head) || !trace.Match(head) {
		return ""
	}
	return "perhaps an output in another language: run the command again under LC_ALL=C"
}
