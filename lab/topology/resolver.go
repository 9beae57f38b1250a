package topology

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// NameForm also bounds names that become file names and host names, and keeps a lab's
// name from being a path.
var NameForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// resolver checks names against each other and fills in defaults.
type resolver struct {
	file  string
	nodes map[string]int   // name -> line
	names map[string]int   // systems
	ports map[string]*Port // by name
	cable map[string]text  // port -> adapter that uses it
	macs  map[string]text  // address -> adapter
	addrs map[string]text  // IP address -> interface
}

func (r *resolver) name(what string, t text) {
	if !NameForm.MatchString(t.s) {
		r.fail(t.line, "%s name %q, expected small letters, digits and -, at most 31, a letter first", what, t.s)
	}
}

func (r *resolver) unique(what string, t text, seen map[string]int) {
	r.name(what, t)
	if first := seen[t.s]; first > 0 {
		r.fail(t.line, "%s %s is there twice (first on line %d)", what, t.s, first)
	}
	seen[t.s] = t.line
}

func (r *resolver) number(what string, t text, def, low, high int) int {
	if !t.given() {
		return def
	}
	v, err := strconv.Atoi(t.s)
	if err != nil || v < low || v > high {
		r.fail(t.line, "%s %q, expected a number from %d to %d", what, t.s, low, high)
	}
	return v
}

// rate reads bit/s.
func (r *resolver) rate(what string, t text, def uint64) uint64 {
	if !t.given() {
		return def
	}
	v, err := ParseRate(t.s)
	if err != nil {
		r.fail(t.line, "%s %v", what, err)
	}
	return v
}

// ParseRate reads bit/s: 10G, 100M, 10000000000; from 1M to 1000G.
func ParseRate(text string) (uint64, error) {
	digits := strings.TrimRight(text, "GM")
	unit := map[string]uint64{"": 1, "M": 1e6, "G": 1e9}[text[len(digits):]]
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || unit == 0 || v > 1e12/unit || v*unit < 1e6 {
		return 0, fmt.Errorf("%q, expected bit/s from 1M to 1000G, e.g. 10G", text)
	}
	return v * unit, nil
}

// MaxDelay is the longest that a cable can take, one way: that of 20,000 km of
// glass fibre.
const MaxDelay = 100 * time.Millisecond

// ParseDelay reads how long a packet is on a cable: 250us, 1.5ms; from 10us to
// MaxDelay.
func ParseDelay(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 10*time.Microsecond || d > MaxDelay {
		return 0, fmt.Errorf("%q, expected a time from 10us to %s, e.g. 250us", text, MaxDelay)
	}
	return d, nil
}

// delay is that of a port. The ports of an aggregate lead to the same place: the
// switch knows the delay of them together only.
func (r *resolver) delay(t *Topology, p Port, raw rawPort, line int) time.Duration {
	var d time.Duration
	what := "switch port " + p.Name + " delay"
	if raw.Delay.given() {
		var err error
		if d, err = ParseDelay(raw.Delay.s); err != nil {
			r.fail(raw.Delay.line, "%s %v", what, err)
		}
	}
	for _, o := range t.Switch.Ports {
		if p.LAG != "" && o.LAG == p.LAG && o.Delay != d {
			r.fail(line, "%s %s: port %s of the same lag %s has %s", what, d, o.Name, p.LAG, o.Delay)
		}
	}
	return d
}

// partition is what a partition has whatever runs in it.
func (r *resolver) partition(index int, raw rawNode) Node {
	r.unique("node", raw.Name, r.nodes)
	what := "node " + raw.Name.s
	n := Node{Name: raw.Name.s, Role: Role(raw.Role.s), Mode: raw.Mode.or("Uncapped"), Entitled: 2,
		Weight:   r.number(what+" weight", raw.Weight, defaultWeight, 0, 255),
		Number:   r.number(what+" number", raw.Number, index+1, 1, 1000),
		VCPUs:    r.number(what+" vcpus", raw.VCPUs, 4, 1, 256),
		MemoryMB: r.number(what+" memory_mb", raw.Memory, 16384, 256, 1<<25)}
	if modes := []string{"Capped", "Uncapped", "Donating"}; !slices.Contains(modes, n.Mode) {
		r.fail(raw.Mode.line, "%s: mode %q, expected one of %s", what, n.Mode, strings.Join(modes, ", "))
	}
	if raw.Weight.given() && n.Mode != "Uncapped" {
		r.fail(raw.Weight.line, "%s: weight belongs to an uncapped node", what)
	}
	if raw.Entitled.given() {
		var err error
		n.Entitled, err = strconv.ParseFloat(raw.Entitled.s, 64)
		if err != nil || !(n.Entitled > 0 && n.Entitled <= 256) {
			r.fail(raw.Entitled.line, "%s: entitled %q, expected cores, e.g. 2.5", what, raw.Entitled.s)
		}
	}
	return n
}

// defaultWeight is what an HMC gives a new uncapped partition.
const defaultWeight = 128
