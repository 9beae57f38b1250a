package report

import (
	"slices"
	"strings"

	"seaworthy/bench"
	"seaworthy/report/drawing"
)

// measuredPath draws the path that a result was measured on, with what its
// variants change and the cores that its hosts used; nil if the result has none.
func measuredPath(r *bench.Result) *drawing.Drawing {
	if !r.Path.Whole() {
		return nil
	}
	return drawing.Path(r.Path.Fleet, &r.Path.Path, drawing.Options{Changes: differences(r), Cores: hostCores(r)})
}

// differences are what the variants set, by element.
func differences(r *bench.Result) map[string][]string {
	out := map[string][]string{}
	for _, c := range r.Options.Changes {
		for _, v := range c.Values { // lpar1:en0 mtu_bypass: off → on
			at, what, ok := strings.Cut(v, " ")
			if ok && !slices.Contains(out[at], what) {
				out[at] = append(out[at], what)
			}
		}
	}
	return out
}
