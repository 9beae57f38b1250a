package normalize

import (
	"bytes"
	"encoding/json"
	"strings"

	"seaworthy/internal/parse"
)

var (
	// erasedLine is what a pager or a progress bar wrote on a line before it erased all of it.
	erasedLine = parse.Lazy("[^\n]*\r\x1b\\[[02]?K")
	// pagerStop is where a pager waited, and wrote blanks over its word when it went on.
	pagerStop = parse.Lazy("(?m)--More--[^\r\n]*\r {8,}\r")
	// preparing are sequences with which shells and pagers prepare a terminal: modes such as bracketed paste, with the
	// carriage return behind them, and erasing to the end of a line on which nothing stands yet.
	preparing = parse.Lazy("\x1b\\[\\?[0-9;]*[hl]\r*|\x1b\\[0?K")
	// windowTitle is the sequence with which a shell names the terminal's window.
	windowTitle = parse.Lazy("\x1b\\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\\\)")
	// feedReturn is a carriage return at the beginning of a line, where it moves nothing.
	feedReturn = parse.Lazy("(\n)\r+([^\r\n])")
)

// settled takes out of a recording what changed nothing on the screen.
func settled(text []byte) []byte {
	if bytes.Contains(text, []byte("--More--")) {
		text = pagerStop.Regexp().ReplaceAll(text, nil)
	}
	if bytes.IndexByte(text, 0x1b) >= 0 {
		text = windowTitle.Regexp().ReplaceAll(text, nil)
		text = erasedLine.Regexp().ReplaceAll(text, nil)
		text = preparing.Regexp().ReplaceAll(text, nil)
	}
	if bytes.Contains(text, []byte("\n\r")) {
		text = feedReturn.Regexp().ReplaceAll(text, []byte("$1$2"))
	}
	return text
}

// padding are the blanks at the end of a line.
var padding = parse.Lazy(`(?m)[ \t]+(\r?)$`)

// padded reports whether a text comes from a screen, which fills its lines with blanks, empty ones too.
func padded(text []byte) bool {
	all, filled, empty := 0, 0, 0
	for l := range bytes.Lines(text) {
		l = bytes.TrimRight(l, "\r\n")
		if len(bytes.TrimSpace(l)) == 0 {
			empty += len(l)
			continue
		}
		all++
		if l[len(l)-1] == ' ' {
			filled++
		}
	}
	return all > 2 && empty > 40 && filled*10 >= all*9
}

// castHead begins a recording of asciinema.
var castHead = parse.Lazy(`\A\{"version": ?[23],[^\n]*\}\r?\n\[[0-9.]+, ?"`)

// recorded is what a recording of asciinema shows, in its order. False if a text is none.
func recorded(text []byte) ([]byte, bool) {
	if !castHead.Match(text) {
		return text, false
	}
	var out strings.Builder
	for l := range bytes.Lines(text) {
		var event []any
		if json.Unmarshal(l, &event) != nil || len(event) < 3 {
			continue
		}
		kind, _ := event[1].(string)
		shown, _ := event[2].(string)
		if kind == "o" {
			out.WriteString(shown)
		}
	}
	return []byte(out.String()), true
}
