package chaos

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

var rehearsals = flag.Int("rehearsals", -1, "rehearsals to kill; -1: one, drawn one time in twelve")

// killedRehearsal holds what happened in a round.
type killedRehearsal struct {
	Round  int      `json:"round"`
	Seed   uint64   `json:"seed"`
	Moment string   `json:"moment"`
	Spaces int      `json:"namespaces"` // of the copy, at that moment
	Files  []string `json:"files"`      // that the rehearsal had written, all whole
	Ended  bool     `json:"ended,omitempty"`
	Wrong  string   `json:"wrong,omitempty"`
}

// rehearsed is a plan with the hosts that it is made for, as saved files.
type rehearsed struct {
	t          *testing.T
	bin, dir   string
	plan, from string
	scripts    map[string][]byte // what plan --scripts writes
	summary    string            // the last line of its CHANGE.md
	long       time.Duration     // a rehearsal that is not killed
}

// A rehearsal is killed at a random moment. Nothing is left of its copy, and no file is half written:
//
//	go test ./lab/chaos -run TestKilledRehearsal -rehearsals 100 -results FILE
func TestKilledRehearsal(t *testing.T) {
	n := *rehearsals
	if n < 0 {
		n = len(draw.OneIn(t, 12, []string{"rehearsal"}))
	}
	if n == 0 || testing.Short() {
		t.Skip("takes half a minute for each rehearsal")
	}
	var out *os.File
	if *results != "" && *rehearsals > 0 {
		var err error
		out, err = os.Create(*results)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
	}
	x := newRehearsed(t)
	good := 0
	for i := 1; i <= n; i++ {
		if *one != 0 && i != *one {
			continue
		}
		k := x.round(i, rand.New(rand.NewPCG(*seed, uint64(i))))
		line, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", line)
		if out != nil {
			fmt.Fprintf(out, "%s\n", line)
		}
		if k.Wrong != "" {
			t.Errorf("round %d (-only %d), killed %s:\n%s", i, i, k.Moment, k.Wrong)
			continue
		}
		good++
	}
	t.Logf("%d of %d killed rehearsals left nothing, and no file half written", good, n)
}

// newRehearsed makes the plan in a lab that is over when it returns.
func newRehearsed(t *testing.T) *rehearsed {
	t.Helper()
	s := start(t, build(t), "two-systems")
	x := &rehearsed{t: t, bin: s.bin, dir: s.dir, plan: filepath.Join(s.dir, "plan.json"), from: filepath.Join(s.dir, "today"),
		scripts: map[string][]byte{}, long: 30 * time.Second}
	scripts := filepath.Join(s.dir, "scripts")
	if said, exit := s.run("state", "collect", "-o", x.from, "--quiet"); exit != 0 {
		t.Fatalf("collect: exit %d: %s", exit, said)
	}
	c := exec.Command(x.bin, "plan", x.from, "--set", "lpar1:en0:mtu=1400", "-o", x.plan, "--scripts", scripts)
	said, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 2 {
		t.Fatalf("plan: %v: %s", err, said)
	}
	x.scripts = contents(t, scripts)
	lines := strings.Split(strings.TrimSpace(string(x.scripts["CHANGE.md"])), "\n")
	x.summary = lines[len(lines)-1]
	return x
}

// contents are the files of a folder, by their path in it.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// round kills one rehearsal: while its copy starts, at any time, or while it writes its files.
func (x *rehearsed) round(n int, dice *rand.Rand) *killedRehearsal {
	x.t.Helper()
	k := &killedRehearsal{Round: n, Seed: *seed, Files: []string{}}
	dir := filepath.Join(x.dir, fmt.Sprintf("round%d", n))
	own := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"run", "state", "tmp", "out"} {
		err := os.MkdirAll(own(name), 0o700)
		if err != nil {
			x.t.Fatal(err)
		}
	}
	var said output
	c := exec.Command(x.bin, "rehearse", x.plan, "--from", x.from, "--confirm-within", "5s",
		"-o", own("out/rehearsal.json"), "--html", own("out/rehearsal.html"), "--scripts", own("out/change"))
	c.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+own("run"), "XDG_STATE_HOME="+own("state"), "TMPDIR="+own("tmp"))
	c.Stdout, c.Stderr = &said, &said
	began := time.Now()
	err := c.Start()
	if err != nil {
		x.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = c.Wait(); close(done) }()
	k.Moment = x.await(dice, own("out"), done)
	spaces := spacesOf(c.Process.Pid)
	k.Spaces = len(spaces)
	_ = c.Process.Kill()
	<-done
	k.Ended = c.ProcessState.ExitCode() >= 0
	if k.Ended {
		x.long = min(x.long, time.Since(began))
		if exit := c.ProcessState.ExitCode(); exit != 0 && exit != 2 {
			k.Wrong += fmt.Sprintf("it ended with exit %d: %s\n", exit, said.String())
		}
	}
	x.left(k, dir, c.Process.Pid, spaces)
	x.whole(k, own("out"))
	return k
}

// await waits for the moment of a round, and names it.
func (x *rehearsed) await(dice *rand.Rand, out string, done <-chan struct{}) string {
	wait := func(d time.Duration) string {
		select {
		case <-done:
			return "after it had ended"
		case <-time.After(d):
			return "after " + d.String()
		}
	}
	switch dice.IntN(4) {
	case 0: // it reads, and builds the copy
		return wait(time.Duration(dice.IntN(1500)) * time.Millisecond)
	case 1: // it writes
		for len(contents(x.t, out)) == 0 {
			select {
			case <-done:
				return "after it had ended"
			case <-time.After(time.Millisecond):
			}
		}
		return wait(time.Duration(dice.IntN(20))*time.Millisecond) + " of writing"
	}
	return wait(time.Duration(dice.Int64N(int64(x.long))))
}

// spacesOf are the namespaces of a process's descendants that are not this test's.
func spacesOf(pid int) map[string]bool {
	parents := map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := bytes.Cut(text, []byte(") "))
		words := strings.Fields(string(rest))
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if len(words) > 1 {
			parents[child], _ = strconv.Atoi(words[1])
		}
	}
	below := func(p int) bool {
		for range 64 {
			if p == pid {
				return true
			}
			p = parents[p]
		}
		return false
	}
	found := map[string]bool{}
	for child := range parents {
		if child == pid || !below(child) {
			continue
		}
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/ns/*", child))
		for _, link := range links {
			kind := filepath.Base(link)
			own, err := os.Readlink("/proc/self/ns/" + kind)
			id, gone := os.Readlink(link)
			if err == nil && gone == nil && id != own {
				found[id] = true
			}
		}
	}
	return found
}

// left notes what is still there of a rehearsal that was killed.
func (x *rehearsed) left(k *killedRehearsal, dir string, pid int, spaces map[string]bool) {
	x.t.Helper()
	look := func() (found []string) {
		links, _ := filepath.Glob("/proc/[0-9]*/ns/*")
		for _, link := range links {
			id, err := os.Readlink(link)
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(link)), "cmdline"))
			if err == nil && spaces[id] && len(line) > 0 {
				found = append(found, fmt.Sprintf("process in %s: %q", id, line))
			}
		}
		environments, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range environments {
			text, _ := os.ReadFile(file)
			if bytes.Contains(text, []byte(dir+"/")) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
				found = append(found, fmt.Sprintf("process %q", line))
			}
		}
		groups, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/*/seaworthy-%d-rehearsal-*", pid))
		deeper, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/seaworthy-%d-rehearsal-*", pid))
		found = append(append(found, groups...), deeper...)
		mounts, _ := os.ReadFile("/proc/self/mounts")
		if strings.Contains(string(mounts), dir) {
			found = append(found, "a mount below "+dir)
		}
		for _, name := range []string{"run", "state", "tmp"} {
			_ = filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
				base := filepath.Base(path)
				// The folders of all labs stay.
				if err == nil && (!d.IsDir() || strings.HasPrefix(base, "rehearsal-") || name == "tmp" && base != "tmp") {
					found = append(found, path)
				}
				return nil
			})
		}
		return found
	}
	var found []string
	clean := await.Within(await.Limit, func() bool {
		found = look()
		return len(found) == 0
	})
	if !clean {
		slices.Sort(found)
		k.Wrong += "left:\n" + strings.Join(slices.Compact(found), "\n") + "\n"
	}
}

// whole notes files that are half written.
func (x *rehearsed) whole(k *killedRehearsal, out string) {
	x.t.Helper()
	for name, text := range contents(x.t, out) {
		k.Files = append(k.Files, name)
		script, isChange := strings.CutPrefix(name, "change/")
		good := false
		switch {
		case name == "rehearsal.json":
			var r struct {
				Schema string `json:"schema"`
			}
			good = json.Unmarshal(text, &r) == nil && r.Schema == "seaworthy.rehearsal/1"
		case name == "rehearsal.html":
			good = bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>"))
		case script == "CHANGE.md":
			good = strings.HasSuffix(strings.TrimSpace(string(text)), x.summary)
		case isChange:
			good = bytes.Equal(text, x.scripts[script])
		}
		if !good {
			k.Wrong += fmt.Sprintf("%s is half written, or nobody asked for it: %d bytes\n", name, len(text))
		}
	}
	slices.Sort(k.Files)
}
