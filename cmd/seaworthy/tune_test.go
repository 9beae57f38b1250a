package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

// A study is killed in the middle of a trial and resumed: it finds what is wrong and
// nothing else, and the hosts are as before at its end.
func TestTuneKilled(t *testing.T) {
	draw.Rarely(t, 8)
	t.Parallel()
	b := newBox(t, true)
	b.lab("u")
	before := b.values("u")
	space := "factors:\n- {host: lpar1, element: en0, attribute: mtu_bypass, values: [on]}\n"
	if err := os.WriteFile(b.path("out", "space.yaml"), []byte(space), 0o644); err != nil {
		t.Fatal(err)
	}
	study := b.path("out", "study.jsonl")
	trials := func(stage string) int {
		text, _ := os.ReadFile(study)
		return strings.Count(string(text), `"stage":"`+stage+`"`)
	}
	args := []string{"tune", "-i", "lab:u", "--from", "lpar1", "--to", "lpar2", "--budget", "1m", "--seconds", "0.3", "--warmup", "0", "--yes",
		"--seed", "1", "--space", "space.yaml", "--study", study}
	random := moments(t)
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		done := trials("screen")
		r := b.start(args...)
		await.Until(t, "the screen goes on", func() bool {
			select {
			case <-r.ended:
				return true
			default:
				return trials("screen") > done
			}
		})
		await.Pause(time.Duration(random.IntN(700)) * time.Millisecond)
		_ = r.Process.Signal(sig)
		if res := r.end(); sig == syscall.SIGKILL && res.exit != -1 {
			t.Fatalf("%s\nended before it was killed", res)
		} else if sig == syscall.SIGINT {
			if res.exit != command.ExitFailed || !strings.Contains(res.err, "--resume") {
				t.Errorf("%s\nwant exit 1 and how to go on", res)
			}
			if now := b.values("u"); now != before {
				t.Errorf("Ctrl-C (-before +now):\n%s", diff(before, now))
			}
		}
		args = []string{"tune", "-i", "lab:u", "--resume", study, "--yes", "-f", "json"}
	}
	made := trials("calibrate")
	r := b.start(args...)
	res := r.end()
	if res.exit != command.ExitDone && res.exit != command.ExitNo {
		t.Fatalf("%s\nwant a result", res)
	}
	if n := trials("calibrate"); n != made {
		t.Errorf("resumed: %d trials of the calibration more", n-made)
	}
	var got struct {
		Found    bool
		Reason   string
		PlanFile string `json:"plan_file"`
		Winner   struct{ Words string }
		Plan     struct{ Steps []struct{ Host string } }
	}
	if err := json.Unmarshal([]byte(res.out), &got); err != nil {
		t.Fatalf("%s: %v", res, err)
	}
	// A busy machine makes too few trials in the budget, and says so.
	if got.Found && (got.Winner.Words != "lpar1:en0 mtu_bypass=on" || len(got.Plan.Steps) != 1) || !got.Found && got.Reason == "" {
		t.Errorf("got %+v, want mtu_bypass and its plan, or why not", got)
	}
	if now := b.values("u"); now != before {
		t.Errorf("after the study (-before +now):\n%s", diff(before, now))
	}
	b.nodesClean("u")
	if got.Found {
		b.must(command.ExitDone, "apply", "-i", "lab:u", "--yes", got.PlanFile)
	}
}

// The path breaks while a trial's load runs: the trial ends then and there, its settings
// are taken back, and the study goes on once the path is whole.
func TestTuneBreaks(t *testing.T) {
	draw.Rarely(t, 8)
	t.Parallel()
	b := newBox(t, true)
	b.lab("g")
	space := "factors:\n- {host: lpar1, element: en0, attribute: mtu_bypass, values: [on]}\n"
	if err := os.WriteFile(b.path("out", "space.yaml"), []byte(space), 0o644); err != nil {
		t.Fatal(err)
	}
	before := b.values("g")
	r := &running{t: t, ended: make(chan struct{}), Cmd: b.command("tune", "-i", "lab:g", "--from", "lpar1", "--to", "lpar2", "--goal", "tps",
		"--sessions", "1", "--rate", "50", "--seconds", "12", "--warmup", "0", "--budget", "10m", "--space", "space.yaml",
		"--driver", "-", "--study", "study.jsonl")}
	r.Stderr = &r.err
	in, err := r.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, writer := io.Pipe()
	r.Stdout = writer
	r.begin()
	go func() { <-r.ended; writer.Close() }()
	lines := bufio.NewScanner(out)
	lines.Scan() // what can be tried
	if _, err := io.WriteString(in, `{"trial":1,"settings":{"lpar1:en0 mtu_bypass":"on"}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the calibration is over", func() bool {
		text, _ := os.ReadFile(b.path("out", "study.jsonl"))
		return strings.Count(string(text), `"done":`) >= 8
	})
	var seen time.Time // when the host was asked
	await.Until(t, "the trial's setting is on", func() bool {
		seen = time.Now()
		return strings.Contains(b.on("g", "lpar1", "lsattr -El en0 -a mtu_bypass").out, " on ")
	})
	b.must(command.ExitDone, "lab", "break", "vios1:ent0", "port-down", "--lab", "g")
	late := time.Since(seen) > 2*time.Second          // a busy machine: the load may be over before three seconds of it are
	await.Until(t, "the trial is over", func() bool { // the next one, as found, may be of the same block
		text, _ := os.ReadFile(b.path("out", "study.jsonl"))
		return slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool {
			return strings.Contains(line, `"done":`) && strings.Contains(line, `"settings":"lpar1:en0 mtu_bypass=on"`)
		})
	})
	b.must(command.ExitDone, "lab", "mend", "vios1:ent0", "--lab", "g")
	lines.Scan()
	if got := lines.Text(); !late && !strings.HasPrefix(got, `{"trial":1,"guard":"nothing came through`) {
		t.Errorf("the path breaks in a trial: got %s, want the guard rail", got)
	}
	in.Close()
	rest := ""
	for lines.Scan() {
		rest += lines.Text()
	}
	if res := r.end(); !late && (res.exit != command.ExitNo || !strings.Contains(rest, "nothing came through")) {
		t.Errorf("%s%s\nwant a result that says why the settings are barred", res, rest)
	}
	if now := b.values("g"); now != before {
		t.Errorf("after the study (-before +now):\n%s", diff(before, now))
	}
	b.nodesClean("g")
}

// A port that holds packets back until a timer of this kernel runs out: a study of latency
// finds it, and puts it back until its plan is applied.
func TestTuneLatency(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the kernel lets root of the machine alone set these files")
	}
	draw.Rarely(t, 8)
	t.Parallel()
	b := newBox(t, false)
	b.labOf("linux-peer", "l")
	const files = "cd /sys/class/net/eth0; cat gro_flush_timeout napi_defer_hard_irqs"
	b.on("l", "server1", "cd /sys/class/net/eth0; echo 400000 >gro_flush_timeout; echo 20 >napi_defer_hard_irqs")
	space := `factors:
- name: coalescing
  together:
  - {host: server1, element: eth0, attribute: gro_flush_timeout, values: [0, 20000]}
  - {host: server1, element: eth0, attribute: napi_defer_hard_irqs, values: [0, 10]}
`
	if err := os.WriteFile(b.path("out", "space.yaml"), []byte(space), 0o644); err != nil {
		t.Fatal(err)
	}
	res := b.try("tune", "-i", "lab:l", "--from", "linux1", "--to", "server1", "--goal", "latency-p50", "--sessions", "2", "--budget", "1m",
		"--seconds", "0.5", "--warmup", "0", "--yes", "--seed", "1", "--space", "space.yaml", "--study", "study.jsonl", "-f", "json")
	var got struct {
		Found    bool
		Reason   string
		PlanFile string `json:"plan_file"`
		Winner   struct {
			Words         string
			Before, After float64
			Also          []struct {
				Figure string
				Ratio  float64
			}
		}
	}
	b.parse(res, &got)
	if now := b.on("l", "server1", files).out; now != "400000\n20\n" {
		t.Errorf("after the study: got %q, want what was there", now)
	}
	if w := got.Winner; !got.Found || w.After > w.Before/2 || len(w.Also) == 0 {
		t.Fatalf("got %+v, want a median below half of what it was, and what else changes\n%s", got, res.err)
	}
	b.must(command.ExitDone, "apply", "-i", "lab:l", "--yes", got.PlanFile)
	if now := b.on("l", "server1", files).out; now != "0\n0\n" && now != "20000\n10\n" {
		t.Errorf("after apply: got %q, want the timer off or short", now)
	}
}
