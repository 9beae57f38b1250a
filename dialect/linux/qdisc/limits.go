package qdisc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// units are those of tc(8), powers of ten.
var units = []struct {
	name string
	bits float64
}{{"Tbit", 1e12}, {"Gbit", 1e9}, {"Mbit", 1e6}, {"Kbit", 1e3}, {"bit", 1}}

func rate(text string) (bits uint64, ok bool) {
	for _, u := range units {
		if n, is := strings.CutSuffix(text, u.name); is {
			v, err := strconv.ParseFloat(n, 64)
			return uint64(v * u.bits), err == nil && v > 0 && v < 1e15/u.bits
		}
	}
	return 0, false
}
