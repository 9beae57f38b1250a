package qdisc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// holding are the options by which each kind holds packets back, or loses them on purpose.
var holding = map[string][]string{
	"tbf":   {"rate"},
	"cake":  {"bandwidth"},
	"fq":    {"maxrate"},
	"netem": {"delay", "loss", "loss-random", "loss-state", "loss-gemodel", "corrupt", "duplicate", "reorder", "rate"},
}

// limits reads the options behind the device in text: rate 50Mbit burst 32Kb.
func (d *Discipline) limits(text string) {
	f := strings.Fields(text)
	for i := 1; i+1 < len(f); i++ {
		if !slices.Contains(holding[d.Kind], f[i]) || f[i+1] == "unlimited" {
			continue
		}
		d.add(f[i] + " " + f[i+1])
		if n, ok := rate(f[i+1]); ok {
			d.Rate = n
		}
	}
}

// options reads them in JSON, where a rate is in bytes a second.
func (d *Discipline) options(all map[string]json.RawMessage) {
	for _, name := range holding[d.Kind] {
		text, there := all[name]
		if !there || string(text) == `"unlimited"` {
			continue
		}
		var nested struct {
			Rate uint64 `json:"rate"`
		}
		if json.Unmarshal(text, &nested.Rate) == nil || json.Unmarshal(text, &nested) == nil && nested.Rate > 0 {
			d.Rate = 8 * nested.Rate
			d.add(fmt.Sprintf("%s %d bytes/s", name, nested.Rate))
			continue
		}
		d.add(name)
	}
}

func (d *Discipline) add(option string) { d.Limits = strings.TrimPrefix(d.Limits+" "+option, " ") }

// rateForm is a rate of tc(8), whose units are powers of 1000.
var rateForm = parse.Lazy(`^([0-9.]+)([KMGT]?)bit$`)

func rate(text string) (bits uint64, ok bool) {
	v, prefix := 0.0, ""
	ok = rateForm.Scan(text, &v, &prefix)
	v *= math.Pow(1000, float64(1+strings.Index("KMGT", cmp.Or(prefix, " "))))
	return uint64(v), ok && v > 0 && v < 1e15
}
