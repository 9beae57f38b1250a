package cli

import (
	"fmt"
	"os"
	"strings"

	"seaworthy/collect"
	"seaworthy/remote/terminal"
	"seaworthy/report"
)

// transient shows a line on stderr that the next one replaces; nothing if
// stderr is no terminal. An empty text wipes it.
func (a *app) transient(text string) {
	f, ok := a.stderr.(*os.File)
	if !ok || !terminal.Is(f) {
		return
	}
	width, _, err := terminal.Size(f)
	if err != nil || width < 20 {
		width = 80
	}
	if r := []rune(report.Safe(text)); len(r) >= width {
		text = string(r[:width-1])
	}
	fmt.Fprintf(f, "\r\x1b[K%s", report.Safe(text))
}

// progress shows how far a collection is.
func (a *app) progress(doing string) func(collect.Event) {
	type state struct{ done, total int }
	hosts := map[string]state{}
	ended := 0
	return func(e collect.Event) {
		hosts[e.Host] = state{e.Done, e.Total}
		if e.Ended {
			ended++
		}
		done, total := 0, 0
		for _, s := range hosts {
			done, total = done+s.done, total+s.total
		}
		text := fmt.Sprintf("%s: %d of %d commands, %d of %d hosts", doing, done, total, ended, len(hosts))
		if e.Line != "" {
			text += "  " + strings.TrimSpace(e.Host+" $ "+e.Line)
		}
		if ended == len(hosts) {
			text = ""
		}
		a.transient(text)
	}
}
