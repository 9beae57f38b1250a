package knowledge

import (
	"fmt"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
)

// Counter says what one counter of AIX counts, and which rules weigh it.
type Counter struct {
	Name      string   `yaml:"name"`                // tcp.packets_sent, mbuf.failed, CRC Errors; ends in * where it stands for several
	Counts    string   `yaml:"counts"`              // in words
	Base      bool     `yaml:"base,omitempty"`      // others are shares of it
	Per       string   `yaml:"per,omitempty"`       // the counter that it is a share of
	Weighed   []string `yaml:"weighed,omitempty"`   // rules that ask for it
	Unweighed string   `yaml:"unweighed,omitempty"` // why none does
}

// countersFile has the counters of AIX.
const countersFile = "counters.yaml"

// Counters lists the counters of netstat -s, netstat -m and entstat of AIX, in the order of their outputs.
var Counters = sync.OnceValues(func() ([]Counter, error) {
	text, err := builtIn.ReadFile(countersFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", countersFile, err)
	}
	var file struct {
		Counters []Counter `yaml:"counters"`
	}
	err = decode.YAML(countersFile, text, &file)
	return file.Counters, err
})

// CounterOf finds what is known of a counter: its own entry, or the longest that stands for it among others.
func CounterOf(name string) (Counter, bool) {
	all, err := Counters()
	if err != nil { // its own tests hold that it loads
		return Counter{}, false
	}
	var best Counter
	for _, c := range all {
		begin, several := strings.CutSuffix(c.Name, "*")
		if c.Name == name {
			return c, true
		}
		if several && strings.HasPrefix(name, begin) && len(c.Name) > len(best.Name) {
			best = c
		}
	}
	return best, best.Name != ""
}
