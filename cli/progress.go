package cli

import (
	"context"
	"strings"

	"seaworthy/collect"
	"seaworthy/progress"
)

// reading shows how far the reading of hosts is, until done is called.
func reading(ctx context.Context, doing string, hosts int) (event func(collect.Event), done func()) {
	t := progress.Begin(ctx, doing, "host", hosts)
	parts := map[string]float64{} // of the hosts that are being read
	ended := 0
	return func(e collect.Event) {
		switch {
		case e.Ended:
			delete(parts, e.Host)
			ended++
			t.At(ended, hosts)
		case e.Total > 0:
			parts[e.Host] = float64(e.Done) / float64(e.Total)
		}
		if e.Ended && e.Err != nil {
			t.Failed(e.Host)
		}
		sum := float64(ended)
		for _, p := range parts {
			sum += p
		}
		t.Share(sum / float64(max(hosts, 1)))
		if e.Line != "" {
			t.Now(strings.TrimSpace(e.Host + " $ " + e.Line))
		}
	}, t.End
}
