package cli

import (
	"fmt"
	"strings"

	"seaworthy/collect"
)

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
		a.Transient(text)
	}
}
