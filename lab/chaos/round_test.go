package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/await"
)

var endings = []string{"auto", "confirm elsewhere", "nobody"}

// fault is given the running apply and a node of the plan.
type fault struct {
	name string
	do   func(s *site, r *rand.Rand, apply *exec.Cmd, node string)
}

// faults are those of the lab's hosts.
var faults = []fault{
	{"nothing", func(*site, *rand.Rand, *exec.Cmd, string) {}},
	{"seaworthy killed", func(_ *site, _ *rand.Rand, apply *exec.Cmd, _ string) { _ = apply.Process.Kill() }},
	{"connections cut", func(_ *site, r *rand.Rand, apply *exec.Cmd, _ string) {
		cut(apply, time.Duration(r.IntN(3000))*time.Millisecond)
	}},
	{"connections cut and seaworthy killed",
		func(_ *site, _ *rand.Rand, apply *exec.Cmd, _ string) { cut(apply, 0); _ = apply.Process.Kill() }},
	{"host rebooted", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) { s.place.reboot(node) }},
	{"host rebooted and seaworthy killed", func(s *site, _ *rand.Rand, apply *exec.Cmd, node string) {
		_ = apply.Process.Kill()
		s.place.reboot(node)
	}},
	{"command killed", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) { s.strike(node, "KILL") }},
	{"command hangs", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) { s.strike(node, "STOP") }},
	{"disk full", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) {
		s.place.on(node, "dd if=/dev/zero of=/var/tmp/fill bs=64k 2>/dev/null")
	}},
	{"disk full and seaworthy killed", func(s *site, _ *rand.Rand, apply *exec.Cmd, node string) {
		s.place.on(node, "dd if=/dev/zero of=/var/tmp/fill bs=64k 2>/dev/null")
		_ = apply.Process.Kill()
	}},
	{"a watchdog killed", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) {
		s.place.on(node, "kill -9 $(cat /var/tmp/seaworthy/*/watch.a)")
	}},
	{"a watchdog and seaworthy killed", func(s *site, _ *rand.Rand, apply *exec.Cmd, node string) {
		s.place.on(node, "kill -9 $(cat /var/tmp/seaworthy/*/watch.b)")
		_ = apply.Process.Kill()
	}},
	{"all watchdogs killed", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) {
		s.place.on(node, "kill -9 $(cat /var/tmp/seaworthy/*/watch.?)")
	}},
	{"cleaner", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) { s.place.on(node, cleaner) }},
	{"cleaner and seaworthy killed", func(s *site, _ *rand.Rand, apply *exec.Cmd, node string) {
		s.place.on(node, cleaner)
		_ = apply.Process.Kill()
	}},
	{"cleaner, and host rebooted", func(s *site, _ *rand.Rand, _ *exec.Cmd, node string) {
		s.place.on(node, cleaner)
		s.place.reboot(node)
	}},
	{"host rebooted in a nested run", func(s *site, r *rand.Rand, _ *exec.Cmd, node string) { s.rebootNested(node, r) }},
	{"clock jump", func(s *site, r *rand.Rand, _ *exec.Cmd, node string) { s.jump(node, r) }},
	{"clock jump and seaworthy killed", func(s *site, r *rand.Rand, apply *exec.Cmd, node string) {
		s.jump(node, r)
		_ = apply.Process.Kill()
	}},
	{"a second apply", nil}, // see round
}

// cleaner removes old files, whatever is pending.
const cleaner = "rm -rf /var/tmp/seaworthy"

// moments are states of a run on a host, as a test in its folder. The first
// two are any time at all.
var moments = []struct{ name, test string }{
	{"some time", ""},
	{"some time", ""},
	{"before a command", "[ -f state.armed ] && [ -f watch.b ]"},
	{"during a command", "there begun.*"},
	{"after a command", "there step.*.exit"},
	{"during undo", "there state.rever*"},
	{"during confirm", `n=$(sed -n 's/^tasks=//p' watchdog.sh) && read -r w who left <window && [ "$w" -ge $((2 * n + 2)) ]`},
}

// meet waits for a moment on a node, as long as apply may take; a run that
// ends before has none.
func (s *site) meet(node, test string) {
	s.place.on(node, `there() { [ -f "$1" ]; }; i=0; while [ $i -lt 200 ]; do i=$((i+1)); for d in /var/tmp/seaworthy/*/watchdog.sh; do
[ -f "$d" ] && cd "${d%/*}" 2>/dev/null && { { `+test+`; } && exit; [ -f state.confirmed ] && exit; }; done; sleep 0.1; done`)
}

// jump leaves a host as a jump of its clock does: every file of the run is of
// another age. Nothing else of the clock can differ here, since all nodes have
// the kernel's time of day in common; that the watchdog reads no clock is what
// its own tests show.
func (s *site) jump(node string, r *rand.Rand) {
	to := "1970-01-02"
	if r.IntN(2) == 1 {
		to = "2037-12-31"
	}
	s.place.on(node, "find /var/tmp/seaworthy -exec touch -c -d "+to+" {} +")
}

// cut kills every connection of apply, again and again for a while.
func cut(apply *exec.Cmd, long time.Duration) {
	await.Within(long, func() bool {
		out, _ := exec.Command("ps", "-e", "-o", "pid=", "-o", "ppid=").Output()
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) == 2 && f[1] == strconv.Itoa(apply.Process.Pid) {
				kill(f[0])
			}
		}
		return false
	})
}

// kill kills a process, which may have ended.
func kill(pid string) {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return
	}
	if p, err := os.FindProcess(n); err == nil {
		_ = p.Kill()
	}
}

// strike signals the first command that changes something from now on. It
// gives up before the round is judged: the reading's own commands must live.
func (s *site) strike(node, signal string) {
	s.place.on(node,
		`i=0; while [ $i -lt 300 ]; do i=$((i+1)); for p in $(pgrep -x '`+s.place.changers()+`'); do kill -`+signal+` $p; exit; done; done`)
}

func (s *site) round(n int, r *rand.Rand, j *job) round {
	f := s.faults[r.IntN(len(s.faults))]
	for j.pending && strings.Contains(f.name, "rebooted") {
		f = s.faults[r.IntN(len(s.faults))]
	}
	slow := s.place.slow()
	// Late enough to meet the confirmation, or the hosts' own undo.
	e := r.IntN(len(endings))
	latest := []int{4500, 7000, 13000} // by ending, in milliseconds
	after := time.Duration(r.IntN(latest[e])) * time.Millisecond
	m := moments[r.IntN(len(moments))]
	if m.test != "" {
		after = time.Duration(r.IntN(300)) * time.Millisecond
	}
	after *= time.Duration(slow)
	limits := []string{"--confirm-within", fmt.Sprintf("%ds", 5*slow), "--step-limit", fmt.Sprintf("%ds", 8*slow)}
	res := round{Round: n, Seed: *seed, Plan: j.name, Fault: f.name, Moment: m.name, After: after.String(), Ending: endings[e]}
	state := fmt.Sprintf("s%d", n)
	node := strings.SplitN(j.sets[r.IntN(len(j.sets))], ":", 2)[0]

	args := slices.Concat(s.apply(j), limits, s.place.reach())
	if res.Ending == "auto" {
		args = append(args, "--auto-confirm")
	}
	var out output
	apply := s.command(s.t.Context(), state, args...)
	apply.Stdout, apply.Stderr = &out, &out
	if err := apply.Start(); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		err := apply.Wait()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			s.t.Errorf("apply: %v", err)
		}
		close(done)
	}()
	var also sync.WaitGroup
	also.Go(func() {
		if m.test != "" {
			s.meet(node, m.test)
		}
		await.Pause(after)
		if f.do == nil {
			s.run(state+"b", slices.Concat(s.apply(j), limits, []string{"--auto-confirm"})...)
			return
		}
		f.do(s, r, apply, node)
	})
	if res.Ending == "confirm elsewhere" {
		also.Go(func() { s.confirmWhenAsked(&out, done, state) })
	}
	select {
	case <-done:
	case <-time.After(time.Duration(slow) * 4 * time.Minute): // apply asks a host that reboots for 5
		res.Wrong = "apply does not end\n"
		_ = apply.Process.Kill()
		<-done
	}
	also.Wait()
	res.Exit = apply.ProcessState.ExitCode()
	s.waitUntilIdle(&res, j)
	s.judge(&res, j, out.String())
	s.outlives(&res, r, j, out.String())
	s.mend(&res, j)
	return res
}

// heldBy says which run a host is busy with: the one that has its lock, or one with a second
// copy, whose folder may be lost.
const heldBy = `cat /var/tmp/seaworthy/pending 2>/dev/null || for f in /etc/seaworthy/*.sh; do
[ -f "$f" ] && basename "$f" .sh && exit; done`

func (s *site) confirmWhenAsked(out *output, done <-chan struct{}, state string) {
	for {
		if _, rest, ok := strings.Cut(out.String(), "seaworthy confirm "); ok {
			s.run(state+"c", "confirm", strings.Fields(rest)[0])
			return
		}
		select {
		case <-done:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// waitUntilIdle waits until no host is at anything any more. A run that nobody watches
// is what a person has to roll back.
func (s *site) waitUntilIdle(res *round, j *job) {
	began := time.Now()
	busy := ""
	idle := await.Within(3*time.Minute, func() bool {
		// Space comes back, as it does when somebody is called at night.
		if time.Since(began) > 15*time.Second {
			s.makeSpace(j)
		}
		busy = ""
		for _, n := range j.hosts() {
			busy += s.busy(res, n)
		}
		if busy != "" {
			await.Pause(700 * time.Millisecond) // a person looks no more often
		}
		return busy == ""
	})
	if !idle {
		res.Wrong += "the hosts do not come to rest:\n" + busy
	}
	if strings.HasPrefix(res.Fault, "disk full") {
		s.makeSpace(j)
	}
}

// makeSpace removes what filled the hosts' disks.
func (s *site) makeSpace(j *job) {
	for _, n := range j.hosts() {
		s.place.on(n, "rm -f /var/tmp/fill")
	}
}

// busy returns what a host is at, "" if nothing. A run that nobody watches is rolled back.
func (s *site) busy(res *round, node string) string {
	held := strings.TrimSpace(s.place.on(node, heldBy))
	if held == "" {
		return ""
	}
	watched := s.place.on(node, "sh /var/tmp/seaworthy/"+held+"/watchdog.sh show")
	if !strings.Contains(watched, "watchers 0") {
		return node + ": " + watched
	}
	// Ended by someone who was killed before letting go: free for the next.
	if strings.Contains(s.place.on(node, "sh /var/tmp/seaworthy/"+held+"/watchdog.sh needless && echo free"), "free") {
		return ""
	}
	// Also where the watchdog gave up after two minutes of a full disk.
	if strings.Contains(watched, "state armed") || strings.Contains(watched, "state failed") {
		res.Person = true
		s.run("person", "rollback", held)
	}
	return node + ": " + watched
}

func (s *site) judge(res *round, j *job, said string) {
	now := s.read(j.hosts())
	sides := map[string]bool{}
	for _, n := range j.hosts() {
		switch {
		case cmp.Equal(now[n], j.old[n]) && cmp.Equal(now[n], j.new[n]):
		case cmp.Equal(now[n], j.old[n]):
			res.Sides = append(res.Sides, n+" old")
			sides["old"] = true
		case cmp.Equal(now[n], j.new[n]):
			res.Sides = append(res.Sides, n+" new")
			sides["new"] = true
		default:
			res.Wrong += fmt.Sprintf("%s is in between (-old +now):\n%s(-new +now):\n%s%s",
				n, cmp.Diff(j.old[n], now[n]), cmp.Diff(j.new[n], now[n]), said)
			res.Wrong += s.place.on(n, "cat /var/tmp/seaworthy/*/notes /var/tmp/seaworthy/*/log; ls -l /var/tmp/seaworthy/*")
		}
	}
	res.Split = len(sides) > 1
	quiet := res.Fault == "nothing" || res.Fault == "connections cut" || res.Fault == "a watchdog killed"
	if quiet && res.Ending == "nobody" && sides["new"] {
		res.Wrong += "nobody confirmed, and yet there are new values\n" + said
	}
	// What apply says of the hosts is so, unless somebody else came after it.
	alone := res.Fault != "a second apply" && !res.Person
	if alone && res.Exit == 0 && sides["old"] {
		res.Wrong += "apply says that the change stays, and yet there are old values\n" + said
	}
	if alone && res.Exit == 4 && sides["new"] {
		res.Wrong += "apply says that all was taken back, and yet there are new values\n" + said
	}
	res.clean = res.Wrong == "" && !sides["new"]
}

// outlives reboots the hosts of a Linux round, now and then, and judges again: they must
// be on the side that they were on.
func (s *site) outlives(res *round, r *rand.Rand, j *job, said string) {
	if res.Wrong != "" || s.reboot == 0 || r.IntN(s.reboot) != 0 {
		return
	}
	for _, n := range j.hosts() {
		s.place.reboot(n)
	}
	res.Rebooted, res.Sides = res.Sides, nil
	s.judge(res, j, said)
	if !slices.Equal(res.Rebooted, res.Sides) {
		res.Wrong += fmt.Sprintf("before a reboot after the round: %v, after it: %v\n%s", res.Rebooted, res.Sides, said)
	}
}

// forBoot lists what a run has left for the next reboot.
const forBoot = `lsitab -a 2>/dev/null | grep ^sw; ls -d /etc/seaworthy/* /etc/systemd/system/seaworthy* 2>/dev/null`

// mend gets the hosts back to where the next round starts.
func (s *site) mend(res *round, j *job) {
	var states []string // of this round
	all, _ := filepath.Glob(filepath.Join(s.dir, "s*"))
	for _, dir := range all {
		if strings.HasPrefix(filepath.Base(dir), "s"+strconv.Itoa(res.Round)) {
			states = append(states, filepath.Base(dir))
			defer os.RemoveAll(dir)
		}
	}
	said := ""
	for _, n := range j.hosts() {
		said += n + ":\n" + s.place.on(n, `for f in /var/tmp/seaworthy/*/watchdog.sh; do [ -f "$f" ] && { sh "$f" show; sh "$f" show | grep -q 'state confirmed' && sh "$f" revert; sh "$f" dismiss; }; done; ls -l /var/tmp/seaworthy/*`)
		if left := s.place.on(n, forBoot); strings.TrimSpace(left) != "" {
			res.Wrong += fmt.Sprintf("left on %s for its next reboot: %s\n%s", n, left, said)
			res.clean = false
		}
		s.place.on(n, s.place.tidy())
	}
	if res.clean {
		return
	}
	// A run that has ended leaves no record on its hosts: the journal takes it back.
	for _, state := range states {
		if !cmp.Equal(only(j.old, j.hosts()), s.read(j.hosts())) {
			out, _ := s.run(state, "rollback", "latest")
			said += out
		}
	}
	if d := cmp.Diff(only(j.old, j.hosts()), s.read(j.hosts())); d != "" {
		res.Wrong += fmt.Sprintf("after %+v the next round cannot start (-old +now):\n%s%s", *res, d, said)
		s.t.Fatalf("round %d: %s", res.Round, res.Wrong)
	}
}

// output is a buffer that can be read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}
