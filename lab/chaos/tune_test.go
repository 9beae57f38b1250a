package chaos

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/tune"
)

var studies = flag.Int("studies", -1, "studies of tune to kill; -1: one, drawn one time in twelve")

// spaces are factors of studies: without an outage, and with one.
var spaces = []struct{ name, outage, text string }{
	{"no outage", "O1", `factors:
- {host: lpar1, element: en0, attribute: mtu_bypass, values: [on]}
- name: window
  together:
  - {host: lpar1, element: en0, attribute: tcp_sendspace, values: [131072]}
  - {host: lpar2, element: en0, attribute: tcp_recvspace, values: [131072]}
- {host: vios1, element: ent5, attribute: largesend, values: [0]}
`},
	{"interface bounce", "O2", `factors:
- {host: lpar1, element: en0, attribute: mtu_bypass, values: [on]}
- {host: lpar2, element: en0, attribute: mtu, values: [1400]}
- {host: lpar1, element: ent0, attribute: chksum_offload, values: [no]}
`},
}

// killed holds what happened in a round.
type killed struct {
	Round   int      `json:"round"`
	Seed    uint64   `json:"seed"`
	Space   string   `json:"space"`
	Kills   []string `json:"kills"` // when, and how many trials of whole blocks the study then had
	Resumed bool     `json:"resumed"`
	Alone   string   `json:"restored_alone,omitempty"` // how long the hosts took after the last kill
	Trials  int      `json:"trials"`                   // of whole blocks in the study's file
	Wrong   string   `json:"wrong,omitempty"`
}

// A study is killed at random moments. The hosts restore what they had by themselves, or
// the resumed study does; its file has every trial of a whole block.
func TestTuneTorture(t *testing.T) {
	n := *studies
	if n < 0 {
		n = len(draw.OneIn(t, 24, []string{"study"}))
	}
	if n == 0 || testing.Short() {
		t.Skip("takes a minute for each study")
	}
	var out *os.File
	if *results != "" && *studies > 0 {
		var err error
		if out, err = os.Create(*results); err != nil {
			t.Fatal(err)
		}
		defer out.Close()
	}
	queue := make(chan int, n)
	for i := 1; i <= n; i++ {
		if *one == 0 || i == *one {
			queue <- i
		}
	}
	close(queue)
	bin := build(t)
	t.Run("rounds", func(t *testing.T) { // ends when all labs have
		for i := range max(1, min(*labs, n)) {
			t.Run(fmt.Sprintf("lab %d", i+1), func(t *testing.T) {
				t.Parallel()
				var s *site
				for n := range queue {
					if s == nil {
						s = start(t, bin, "two-systems")
					}
					k := s.study(n, rand.New(rand.NewPCG(*seed, uint64(n))))
					line, err := json.Marshal(k)
					if err != nil {
						t.Fatal(err)
					}
					t.Logf("%s", line)
					if out != nil {
						fmt.Fprintln(out, string(line))
					}
					if k.Wrong != "" {
						t.Fatalf("round %d (-only %d), space %s, kills %v:\n%s", n, n, k.Space, k.Kills, k.Wrong)
					}
				}
			})
		}
	})
}

func (s *site) study(n int, r *rand.Rand) *killed {
	x := spaces[r.IntN(len(spaces))]
	k := &killed{Round: n, Seed: *seed, Space: x.name, Resumed: r.IntN(3) == 0}
	state := fmt.Sprintf("tune%d", n)
	space, study := filepath.Join(s.dir, state+".yaml"), filepath.Join(s.dir, state+".jsonl")
	if err := os.WriteFile(space, []byte(x.text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	files := s.files()
	begin := []string{"tune", "--from", "lpar1", "--to", "lpar2", "--budget", "4m", "--seconds", "0.4", "--warmup", "0", "--yes",
		"--seed", fmt.Sprint(n), "--max-outage", x.outage, "--space", space, "--study", study}
	resume := []string{"tune", "--resume", study, "--yes"}
	args := begin
	for range 1 + r.IntN(3) {
		// Some trials later, or before the first: at any point of a trial.
		m := moment{study, r.IntN(20), time.Duration(r.IntN(4000)) * time.Millisecond}
		said, exit := s.end(state, syscall.SIGKILL, m, args)
		if exit >= 0 && exit != 0 && exit != 2 {
			k.Wrong = fmt.Sprintf("before it was killed (%s) it ended with exit %d: %s", m, exit, said)
			return k
		}
		past, err := tune.Resume(s.t.Context(), study)
		switch {
		case os.IsNotExist(asPath(err, study)): // killed before there was a file
			k.Kills = append(k.Kills, fmt.Sprintf("%s: no file", m))
			continue
		case err != nil:
			k.Wrong = fmt.Sprintf("killed after %s: %v\n%s", m, err, said)
			return k
		}
		k.Kills, k.Trials, args = append(k.Kills, fmt.Sprintf("%s: %d kept", m, past.Past())), past.Past(), resume
		past.Close()
		if exit >= 0 {
			break
		}
	}
	if k.Resumed && args[1] == "--resume" {
		// It takes back what was left, goes on, and Ctrl-C leaves nothing.
		if said, exit := s.end(state, syscall.SIGINT, moment{study, 1 + r.IntN(6), 0}, args); exit != 0 && exit != 1 && exit != 2 {
			k.Wrong += fmt.Sprintf("resumed: exit %d: %s\n", exit, said)
		}
	} else {
		began := time.Now()
		s.rest(k)
		k.Alone = time.Since(began).Round(time.Second).String()
	}
	if d := cmp.Diff(s.old, s.read(s.names)); d != "" {
		k.Wrong += "values (-before +now):\n" + d
	}
	// A run that nobody cleaned up leaves its record.
	if out, exit := s.run(state, "cleanup"); exit != 0 {
		k.Wrong += fmt.Sprintf("cleanup: exit %d: %s\n", exit, out)
	}
	if d := cmp.Diff(files, s.files()); d != "" {
		k.Wrong += "files (-before +now):\n" + d
	}
	return k
}

// moment is when a study is killed.
type moment struct {
	study  string
	trials int // that it has made by then
	after  time.Duration
}

func (m moment) String() string { return fmt.Sprintf("%d trials, %s", m.trials, m.after) }

// made are the trials in a study's file.
func (m *moment) made() int {
	text, _ := os.ReadFile(m.study) // none yet
	return strings.Count(string(text), `"done":`)
}

// wait waits for the moment, or for the end.
func (m *moment) wait(done <-chan struct{}) {
	first := m.made()
	for m.made() < first+m.trials {
		select {
		case <-done:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	select {
	case <-done:
	case <-time.After(m.after):
	}
}

// asPath is the error of a file that is not there.
func asPath(err error, path string) error {
	if err == nil {
		return nil
	}
	_, missing := os.Stat(path)
	return missing
}

// end runs the program and ends it with everything that it started on this machine; the exit
// of what was killed is −1.
func (s *site) end(state string, by syscall.Signal, m moment, args []string) (said string, exit int) {
	s.t.Helper()
	var out output
	c := s.command(s.t.Context(), state, append(args, "-i", "lab:t")...)
	c.Stdout, c.Stderr = &out, &out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = c.Wait(); close(done) }()
	m.wait(done)
	if by == syscall.SIGKILL {
		_ = syscall.Kill(-c.Process.Pid, by) // nothing, if it has ended
	} else {
		_ = c.Process.Signal(by)
	}
	<-done
	return out.String(), c.ProcessState.ExitCode()
}

// rest waits until no host holds a run any more.
func (s *site) rest(k *killed) {
	busy := ""
	idle := await.Within(3*time.Minute, func() bool {
		busy = ""
		for _, n := range s.names {
			if held := strings.TrimSpace(s.place.on(n, "cat /var/tmp/seaworthy/pending 2>/dev/null")); held != "" {
				busy += n + ": " + s.place.on(n, "sh /var/tmp/seaworthy/"+held+"/watchdog.sh show")
			}
		}
		return busy == ""
	})
	if !idle {
		k.Wrong += "the hosts do not come to rest:\n" + busy
	}
}

// files are the checksums of what every host keeps.
func (s *site) files() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for _, n := range s.names {
		out[n] = s.place.on(n, "find / -xdev -type f ! -path '/dev/*' ! -path '/run/*' -exec cksum {} + | sort -k3; ls -d /tmp/* /var/tmp/* 2>/dev/null")
	}
	return out
}
