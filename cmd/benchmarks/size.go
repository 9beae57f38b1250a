package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"seaworthy/bench/stats"
)

// goals of a lab's size.
const sizeGoal = "Goals: 16 nodes up within 1 s; 200 LPARs, 4 VIOSes and 20 VLANs up within 6 s, in 1.5 GB, down within 3 s."

// size measures labs of generated topologies.
func (s *suite) size(ctx context.Context) error {
	s.page.say("\n## Labs of a size\n")
	s.page.say("Topologies of `lab topologies --generate`, all VLANs but the first tagged on the trunks. Memory is what the "+
		"whole machine has less while the lab is up. %s", sizeGoal)
	s.page.table("topology", "what", "n", "median", "95 % interval", "most")
	for _, x := range []struct {
		title string
		times int
		args  []string
	}{
		{"16 nodes: 12 LPARs, 4 VIOSes", 20, []string{"--lpars", "12"}},
		{"200 LPARs, 4 VIOSes, 20 VLANs", 7, []string{"--lpars", "200", "--vlans", "20"}},
	} {
		text, _, err := s.seaworthy(ctx, nil, append([]string{"lab", "topologies", "--generate", "--name", "sized"}, x.args...)...)
		if err != nil {
			return err
		}
		file := filepath.Join(s.state, "sized.yaml")
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		var up, down, memory []float64
		for range s.times(x.times) {
			free, err := available()
			if err != nil {
				return err
			}
			_, took, err := s.seaworthy(ctx, nil, "lab", "up", file)
			if err != nil {
				return err
			}
			up = append(up, took.Seconds())
			now, err := available()
			if err != nil {
				return err
			}
			memory = append(memory, (free-now)/1e6)
			if _, took, err = s.seaworthy(ctx, nil, "lab", "down", "sized"); err != nil {
				return err
			}
			down = append(down, took.Seconds())
			time.Sleep(500 * time.Millisecond) // the kernel takes the namespaces away by itself
		}
		s.page.row(append([]string{x.title, "lab up"}, seconds(up)...)...)
		s.page.row(append([]string{x.title, "lab down"}, seconds(down)...)...)
		s.page.row(append([]string{x.title, "memory"}, figures(memory, "%.0f MB")...)...)
	}
	return nil
}

// figures puts repeated numbers into a row, as seconds does.
func figures(values []float64, form string) []string {
	sum := stats.Summarise(values)
	if sum == nil {
		return []string{"0", "-", "-", "-"}
	}
	most := values[0]
	for _, v := range values {
		most = max(most, v)
	}
	printed := func(v float64) string { return fmt.Sprintf(form, v) }
	return []string{fmt.Sprint(sum.N), printed(sum.Median), span(sum, printed), printed(most)}
}

var availableLine = regexp.MustCompile(`(?m)^MemAvailable:\s+(\d+) kB$`)

// available is the machine's free memory, in bytes.
func available() (float64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	m := availableLine.FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("/proc/meminfo has no MemAvailable")
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	return kb * 1024, err
}

// pingEvery is the interval of the pings that a failover is measured with.
const pingEvery = 10 * time.Millisecond

// pings is the program that measures: it runs beside the fault.
const pings = 400

var pingLine = regexp.MustCompile(`(\d+) packets transmitted, (\d+) packets received`)

// failover measures for how long nothing passes when a VIOS of a pair crashes,
// and when it comes back.
func (s *suite) failover(ctx context.Context) (err error) {
	down, err := s.up(ctx, "dual-vios", "dual-vios")
	if err != nil {
		return err
	}
	defer down(&err)
	s.page.say("\n## SEA failover\n")
	s.page.say("Topology dual-vios, ha_mode=auto: pings from lpar1 to lpar2 every %v while vios1a crashes (`lab break vios1a "+
		"crash`), and while it boots (`lab mend vios1a`). Time without traffic is the pings lost, times the interval. Goal: within 1 "+
		"s.", pingEvery)
	s.page.table("event", "n", "median", "95 % interval", "longest")
	without := map[string][]float64{}
	for range s.times(20) {
		for _, event := range [][]string{{"break", "vios1a", "crash"}, {"mend", "vios1a"}} {
			lost, err := s.lostAt(ctx, event)
			if err != nil {
				return err
			}
			without[event[0]] = append(without[event[0]], (time.Duration(lost) * pingEvery).Seconds())
		}
	}
	s.page.row(append([]string{"failover: vios1a crashes"}, seconds(without["break"])...)...)
	s.page.row(append([]string{"fail-back: vios1a boots"}, seconds(without["mend"])...)...)
	return nil
}

// lostAt is how many pings are lost around an event.
func (s *suite) lostAt(ctx context.Context, event []string) (int, error) {
	type answer struct {
		text []byte
		err  error
	}
	pinged := make(chan answer, 1)
	go func() {
		line := fmt.Sprintf("ping -c %d -i %g 10.10.10.12", pings, pingEvery.Seconds())
		text, _, err := s.seaworthy(ctx, []int{0, 1}, "lab", "exec", "lpar1", "--", line)
		pinged <- answer{text, err}
	}()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
	_, _, failed := s.seaworthy(ctx, nil, append([]string{"lab"}, event...)...)
	a := <-pinged
	if failed != nil {
		return 0, failed
	}
	if a.err != nil {
		return 0, a.err
	}
	m := pingLine.FindSubmatch(a.text)
	if m == nil {
		return 0, fmt.Errorf("ping: %s", bytes.TrimSpace(a.text))
	}
	sent, _ := strconv.Atoi(string(m[1]))
	back, _ := strconv.Atoi(string(m[2]))
	return sent - back, nil
}
